/**
 * The callback receiver under requests that want to stop it: how long its loop pauses at most, so
 * that others wait.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemIds } from '../../main/core/domain/ids.ts';
import type { LoopPause } from './loop-pause.ts';
import { Product, until } from '../support/processes.ts';

const requests = 1_000;
const connections = 120;
/** More merchants than a chain has: each makes every guess dearer. */
const credentials = 200;
const webhooks = 20;

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const right = { authorization: basic('wallet:right') };
const list = (element: string, count: number): Buffer =>
  Buffer.from(`[${`${element},`.repeat(count - 1)}${element}]`);
const zeros = list('0', 2_500_000);
const nested = Buffer.from(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`);
const fields = Buffer.from(`{${Array.from({ length: 1_600 }, (_, name) => `"${name}":0`).join()}}`);
const unknownRecords = list('{}', 10_000);
const tooMany = list('{}', 10_001);
const form = Buffer.from(`grant_type=${'x'.repeat(16_000)}`);
const payments = (): Buffer =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: 1_000 }, () => ({
        payment_id: systemIds.uuid(),
        status: 'Executed',
        amount: '12.50',
        status_code: 0,
      })),
    ),
  );

interface Hostile {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: () => Buffer;
}

const kinds: readonly Hostile[] = [
  { path: '/callbacks/checkin', body: () => zeros },
  {
    path: '/callbacks/checkin',
    headers: { 'transfer-encoding': 'chunked' },
    body: () => zeros.subarray(0, 200_000),
  },
  { path: '/callbacks/checkin', body: () => nested },
  { path: '/callbacks/checkin', body: () => fields },
  {
    path: '/callbacks/checkin',
    body: () => Buffer.from(JSON.stringify({ PosId: systemIds.uuid() })),
  },
  {
    path: '/callbacks/agreements',
    headers: { authorization: basic('wallet:guess') },
    body: () => zeros.subarray(0, 500_000),
  },
  {
    path: '/callbacks/refunds',
    headers: { authorization: 'Bearer Y2xpZW50LTE.9999999999.x.y' },
    body: () => fields,
  },
  { path: '/oauth2/token', headers: { authorization: basic('client-1:guess') }, body: () => form },
  {
    path: '/callbacks/app-payments',
    headers: { 'x-service-signature': `${'A'.repeat(27)}=` },
    body: () => nested,
  },
  // Somebody has stolen a password.
  { path: '/callbacks/agreements', headers: right, body: () => zeros },
  { path: '/callbacks/refunds', headers: right, body: () => tooMany },
  { path: '/callbacks/agreements', headers: right, body: () => nested },
  { path: '/callbacks/refunds', headers: right, body: () => unknownRecords },
  { path: '/callbacks/subscription-payments', headers: right, body: payments },
];

/** @returns of each run, with a receiver of its own */
export async function measureHostile({
  runs,
  say,
}: {
  runs: number;
  say: (text: string) => void;
}): Promise<readonly LoopPause[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-hostile-'));
  const settings = {
    subscriptions: [
      { scheme: 'basic', userName: 'wallet', password: 'right' },
      ...Array.from({ length: credentials }, (_, index) => ({
        scheme: 'oauth2',
        clientId: `client-${index}`,
        clientSecret: `secret ${index}`,
      })),
    ],
    appPayments: Array.from({ length: webhooks }, (_, index) => ({
      url: `https://shop.example/${index}`,
      signatureKey: `key ${index}`,
    })),
    checkin: true,
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  const receivers = Array.from(
    { length: runs },
    (_, run) =>
      new Product(
        'callbacks',
        [
          '--settings',
          join(folder, 'settings.json'),
          '--data',
          join(folder, String(run)),
          '--port',
          '0',
        ],
        {
          TILLBEACON_LOG: 'error',
          NODE_OPTIONS: `--import=${new URL('./loop-pause.ts', import.meta.url).href}`,
        },
      ),
  );
  // This process keeps the low priority from here on, so that the receivers' pauses are their own
  // and not caused by this process's load.
  setPriority(constants.priority.PRIORITY_LOW);
  const pauses: LoopPause[] = [];
  for (const receiver of receivers) pauses.push(await measure(receiver, say));
  rmSync(folder, { recursive: true, force: true });
  return pauses;
}

async function measure(receiver: Product, say: (text: string) => void): Promise<LoopPause> {
  const pause = async (): Promise<LoopPause> => {
    const lines = receiver.lines.length;
    receiver.child.kill('SIGUSR2');
    await until(() => receiver.lines.length > lines, 'the pause');
    return JSON.parse(receiver.lines.at(-1) as string) as LoopPause;
  };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const { url } = await receiver.ready<{ url: string }>();
    // The receiver has taken callbacks for a while before the measurement.
    for (let honest = 0; honest < 300; honest += 1)
      await send(agent, url, {
        path: '/callbacks/agreements',
        headers: right,
        body: () => list('{"agreement_id":"a","status":"Active"}', 1),
      });
    await pause();
    const statuses = new Map<number, number>();
    await Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const status = await send(agent, url, kinds[index % kinds.length] as Hostile);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
    const measured = await pause();
    const answers = [...statuses].map(([status, count]) => `${count} with ${status}`).join(', ');
    say(
      `${requests} hostile requests, answered ${answers}: longest pause ${measured.maxPauseMs.toFixed(1)} ms, ${measured.busiestMs.toFixed(1)} ms at work`,
    );
    return measured;
  } finally {
    agent.destroy();
    await receiver.end();
  }
}

/** @returns the HTTP status; 0 when the connection was closed */
function send(agent: Agent, url: string, { path, headers = {}, body }: Hostile): Promise<number> {
  const bytes = body();
  const length =
    headers['transfer-encoding'] === undefined ? { 'content-length': bytes.length } : {};
  return new Promise((resolve) => {
    const sending = request(
      url + path,
      { method: 'POST', agent, headers: { ...length, ...headers } },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      },
    );
    sending.once('error', () => resolve(0)).end(bytes);
  });
}
