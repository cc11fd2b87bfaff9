import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookSignature } from '../../main/wallets/v10/app-payments/webhook.ts';
import { Product, until } from '../support/processes.ts';
import { attackArea } from './attack.ts';

/** The built callback receiver, and an attacker who reaches its port. */
interface Target {
  readonly receiver: Product;
  readonly url: string;
  readonly folder: string;
}

interface Answer {
  /** The HTTP status; 0 when the connection was closed. */
  readonly status: number;
  readonly text: string;
}

const password = 'the right password';
const signatureKey = 'the right signature key';
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const credentials = { authorization: basic(`wallet:${password}`) };
const zeros = Buffer.from(`[${'0,'.repeat(2_500_000)}0]`);
const deep = Buffer.from(`{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`);
const maxMegabytes = 300;
/** The least delay of the answer to a wrong guess. */
const minDelayMs = 250;

/** More connections than the receiver delays, and fewer than it takes at all. */
const agent = new Agent({ keepAlive: true, maxSockets: 120 });
function post(
  target: Target,
  path: string,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '{}',
): Promise<Answer> {
  return new Promise((resolve) => {
    const length =
      headers['transfer-encoding'] === undefined
        ? { 'content-length': Buffer.byteLength(body) }
        : {};
    const sending = request(
      target.url + path,
      { method: 'POST', agent, headers: { ...length, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('close', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sending.once('error', () => resolve({ status: 0, text: '' })).end(body);
  });
}

/** Sends a callback as the service would. It must be accepted during any attack. */
async function honest(target: Target): Promise<void> {
  const { status, text } = await post(
    target,
    '/callbacks/agreements',
    credentials,
    '{"agreement_id":"a","status":"Active"}',
  );
  if (status !== 200) throw new Error(`the service's own callback was answered ${status} ${text}`);
}

const records = async ({ url }: Target): Promise<number> =>
  ((await (await fetch(`${url}/health`)).json()) as { records: number }).records;

function expect(is: unknown, what: string): void {
  if (!is) throw new Error(what);
}

/** The highest memory use so far; 0 where the system does not tell. */
function megabytes({ receiver }: Target): number {
  const path = `/proc/${receiver.child.pid}/status`;
  return existsSync(path)
    ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1]) / 1_024
    : 0;
}

async function refused(
  target: Target,
  path: string,
  body: string | Buffer,
  headers: OutgoingHttpHeaders,
  expected: number,
): Promise<string> {
  const before = await records(target);
  const [answer] = await Promise.all([post(target, path, headers, body), honest(target)]);
  expect(answer.status === expected, `answered ${answer.status} ${answer.text.slice(0, 100)}`);
  expect((await records(target)) <= before + 1, 'something of it was stored');
  expect(megabytes(target) < maxMegabytes, `it took ${megabytes(target).toFixed(0)} MB`);
  return `${answer.status} ${answer.text}, ${megabytes(target).toFixed(0)} MB at most, and a callback meanwhile was taken`;
}

const guesses: readonly (readonly [path: string, headers: OutgoingHttpHeaders])[] = [
  ['/callbacks/agreements', { authorization: basic('wallet:guess') }],
  [
    '/callbacks/refunds',
    { authorization: `Bearer ${Buffer.from('service').toString('base64url')}.9999999999.id.seal` },
  ],
  ['/oauth2/token', { authorization: basic('service:guess') }],
  [
    '/callbacks/app-payments',
    { 'x-service-signature': webhookSignature('guess', 'https://shop.example/hook', '{}') },
  ],
];

/**
 * Control characters that clear the screen, rename the window, reverse the line, end it, and colour
 * what follows.
 */
const controlCharacters = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnihton\u2028\r\n\u0000';
const isUnseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const maxLine = 2_500;

/** The lines that a command prints about the callbacks, and its exit code. */
async function printed(
  { folder }: Target,
  ...args: readonly string[]
): Promise<{ lines: readonly string[]; all: string; code: number | null }> {
  const command = new Product('callbacks', [...args, '--data', folder]);
  const { code } = await command.exited;
  return { lines: command.lines, all: command.lines.join('\n') + command.stderr, code };
}

function expectPlain(
  { lines, all }: Awaited<ReturnType<typeof printed>>,
  what: string,
  most = maxLine,
): void {
  const bad = lines.find((line) => isUnseen.test(line) || line.length > most);
  expect(
    bad === undefined,
    `${what} printed ${JSON.stringify(bad?.slice(0, 200))}, ${bad?.length} characters`,
  );
  for (const secret of [password, signatureKey, 'the right secret', basic(`wallet:${password}`)])
    expect(!all.includes(secret), `${what} printed "${secret}"`);
}

async function withSockets<Result>(
  { url }: Target,
  count: number,
  use: (sockets: readonly Socket[]) => Promise<Result>,
): Promise<Result> {
  const sockets = Array.from({ length: count }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}),
  );
  try {
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
    );
    return await use(sockets);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

export const callbacksArea = attackArea<Target>('callbacks', {
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-'));
    const settings = {
      subscriptions: [
        { scheme: 'basic', userName: 'wallet', password },
        { scheme: 'oauth2', clientId: 'service', clientSecret: 'the right secret' },
      ],
      appPayments: [{ url: 'https://shop.example/hook', signatureKey }],
      checkin: true,
    };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    const receiver = new Product('callbacks', [
      '--settings',
      join(folder, 'settings.json'),
      '--data',
      folder,
      '--port',
      '0',
    ]);
    const { url } = await receiver.ready<{ url: string }>();
    return { receiver, url, folder };
  },
  async close({ receiver, folder }) {
    agent.destroy();
    await receiver.end();
    rmSync(folder, { recursive: true, force: true });
  },
  attacks: [
    {
      name: 'anybody sends 5 MB of zeros as a check-in',
      attempt: (target) => refused(target, '/callbacks/checkin', zeros, {}, 413),
    },
    {
      name: 'anybody sends a check-in without end',
      attempt: (target) =>
        refused(target, '/callbacks/checkin', zeros, { 'transfer-encoding': 'chunked' }, 413),
    },
    {
      name: 'anybody sends a check-in nested 7,000 deep',
      attempt: (target) => refused(target, '/callbacks/checkin', deep, {}, 400),
    },
    {
      name: 'anybody sends a thousand check-ins in one',
      attempt: (target) =>
        refused(
          target,
          '/callbacks/checkin',
          `[${'{"PosId":"p"},'.repeat(999)}{"PosId":"p"}]`,
          {},
          400,
        ),
    },
    {
      name: 'anybody floods the check-ins with ones that look right',
      async attempt(target) {
        const before = await records(target);
        const startedAtMs = performance.now();
        const [answers] = await Promise.all([
          Promise.all(
            Array.from({ length: 500 }, (_, index) =>
              post(target, '/callbacks/checkin', {}, `{"PosId":"flood-${index}"}`),
            ),
          ),
          honest(target),
        ]);
        const accepted = answers.filter(({ status }) => status === 200).length;
        expect(accepted > 0, 'none reached the product');
        expect(
          answers.every(({ status }) => status === 200 || status === 503),
          'one was answered with something else',
        );
        const stored = (await records(target)) - before;
        const seconds = (performance.now() - startedAtMs) / 1_000;
        // Twenty are accepted in any second, however many seconds it takes, and the honest
        // callback.
        expect(
          stored <= accepted + 1 && stored <= 20 * (seconds + 1) + 1,
          `${stored} were stored in ${seconds.toFixed(1)} s`,
        );
        return `${stored} of 500 were stored in ${seconds.toFixed(1)} s, and a callback meanwhile was taken`;
      },
    },
    {
      name: 'a body of 5 MB without the right password',
      attempt: (target) =>
        refused(
          target,
          '/callbacks/agreements',
          zeros,
          { authorization: basic('wallet:guess') },
          401,
        ),
    },
    {
      name: 'a webhook of 5 MB with a signature of the right form',
      attempt: (target) =>
        refused(
          target,
          '/callbacks/app-payments',
          zeros,
          { 'x-service-signature': webhookSignature('guess', 'https://shop.example/hook', '') },
          413,
        ),
    },
    {
      name: 'a stolen password and 5 MB of zeros',
      attempt: (target) => refused(target, '/callbacks/agreements', zeros, credentials, 400),
    },
    {
      name: 'a stolen password and a record nested 7,000 deep',
      attempt: (target) => refused(target, '/callbacks/refunds', deep, credentials, 400),
    },
    {
      name: 'a stolen password and a million records',
      attempt: (target) =>
        refused(target, '/callbacks/refunds', `[${'{},'.repeat(999_999)}{}]`, credentials, 400),
    },
    {
      name: 'passwords, tokens, client secrets and signatures are guessed',
      async attempt(target) {
        let slowed = 0;
        const guessed = Array.from({ length: 40 }, async (_, index) => {
          const startMs = performance.now();
          const { status } = await post(
            target,
            ...(guesses[index % guesses.length] as (typeof guesses)[0]),
          );
          // Judged by the delay itself: how soon the right password is answered beside it depends
          // on the machine.
          if (performance.now() - startMs >= minDelayMs) slowed += 1;
          return status;
        });
        await honest(target);
        const statuses = await Promise.all(guessed);
        expect(
          statuses.every((status) => status === 401),
          `a guess was answered ${statuses.find((status) => status !== 401)}`,
        );
        expect(slowed >= 30, `only ${slowed} of 40 guesses had to wait`);
        return `40 times 401, ${slowed} of them slowed, and the right password was taken meanwhile`;
      },
    },
    {
      name: 'thousands of guesses fill the log, or bring a secret into it',
      async attempt(target) {
        await Promise.all(
          Array.from({ length: 500 }, () =>
            post(target, '/callbacks/agreements', {
              authorization: basic('wallet:a guess to be seen'),
            }),
          ),
        );
        await until(
          () =>
            target.receiver
              .log()
              .some(({ msg }) => msg === 'a request without the right credentials was refused'),
          'the log to tell of it',
        );
        const lines = target.receiver
          .log()
          .filter(({ msg }) => String(msg).includes('without the right credentials'));
        expect(lines.length <= 21, `${lines.length} lines`);
        for (const secret of [
          password,
          signatureKey,
          'a guess to be seen',
          basic('wallet:a guess to be seen'),
        ])
          expect(!target.receiver.stderr.includes(secret), `the log has "${secret}"`);
        return `${lines.length} line in the log`;
      },
    },
    {
      name: 'what was sent is made for the terminal, or the program, of whoever looks at it',
      async attempt(target) {
        const newest =
          (await printed(target, 'list', '--json', '--limit', '1')).lines[0] ?? '{"seq":0}';
        const { seq: before } = JSON.parse(newest) as { seq: number };
        const hostile = [
          {
            agreement_id: `a1${controlCharacters}`,
            status: 'Active',
            external_id: controlCharacters,
          },
          {
            agreement_id: 'a2',
            status: `Act${controlCharacters}ive`,
            status_text: controlCharacters.repeat(1_000),
            status_code: controlCharacters,
          },
          { agreement_id: 'x'.repeat(100_000), status: 'Active', external_id: 'y'.repeat(100_000) },
          {
            agreement_id: 'a4',
            status: 'Active',
            external_id: '{"seq":1}\n{"seq":2}',
            [`k${controlCharacters}`]: controlCharacters,
          },
        ];
        const statuses: number[] = [];
        for (const one of hostile)
          statuses.push(
            (await post(target, '/callbacks/agreements', credentials, JSON.stringify(one))).status,
          );
        for (const raw of [
          `{"agreement_id":${JSON.stringify(controlCharacters)}}`,
          `[${JSON.stringify(controlCharacters.repeat(500))}]`,
          `"${'z'.repeat(100_000)}"`,
        ])
          await post(target, '/callbacks/agreements', credentials, raw);
        const last = { agreement_id: 'after-the-attack', status: 'Active' };
        expect(
          (await post(target, '/callbacks/agreements', credentials, JSON.stringify(last)))
            .status === 200,
          'the service’s own callback was not taken',
        );
        const report = [`answered ${statuses.join(', ')}`];
        for (const args of [
          ['list', '--limit', '100000'],
          ['list', '--rejected'],
          ['dead-letters'],
        ]) {
          const seen = await printed(target, ...args);
          expect(
            seen.code === 0,
            `${args.join(' ')} ended with ${seen.code}: ${seen.all.slice(-200)}`,
          );
          expectPlain(seen, args.join(' '));
          report.push(`${args[0]} ${seen.lines.length}`);
        }
        for (const args of [
          ['list', '--json', '--limit', '100000'],
          ['list', '--rejected', '--json'],
        ]) {
          const seen = await printed(target, ...args);
          // A line for a program may be long, because it has everything that was received.
          expectPlain(seen, args.join(' '), 1_000_000);
          for (const line of seen.lines) JSON.parse(line);
        }
        for (const args of [
          ['show', 'a2'],
          ['show', '--seq', String(before + 1)],
          ['show', '--rejected', '1'],
        ])
          expectPlain(await printed(target, ...args), args.join(' '), 110_000);
        const follower = new Product('callbacks', [
          'follow',
          '--data',
          target.folder,
          '--since',
          String(before),
        ]);
        await until(
          () =>
            follower.lines.at(-1)?.includes(last.agreement_id) || follower.child.exitCode !== null,
          'what is followed',
        );
        await follower.end();
        const seqs = follower.lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
        expect(
          seqs.every((seq, index) => seq === before + 1 + index),
          `followed ${seqs.slice(0, 5).join(', ')} after ${before}`,
        );
        expectPlain(
          { lines: follower.lines, all: follower.lines.join('') + follower.stderr, code: 0 },
          'follow',
          1_000_000,
        );
        return `plain text, one line of JSON each, no secrets (${report.join(', ')})`;
      },
    },
    {
      name: 'a hundred thousand requests that do not wait for an answer',
      attempt: (target) =>
        withSockets(target, 5, async (sockets) => {
          let received = 0;
          for (const socket of sockets) {
            socket.on(
              'data',
              (bytes: Buffer) => (received += bytes.toString().split('HTTP/1.1 404').length - 1),
            );
            socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20_000));
          }
          await until(() => received > 100, 'the first answers');
          await honest(target);
          const before = received;
          expect(before < 90_000, `${before} of them were answered before a callback was`);
          expect(megabytes(target) < maxMegabytes, `it took ${megabytes(target).toFixed(0)} MB`);
          return `a callback was taken while ${100_000 - before} of them waited`;
        }),
    },
    {
      name: 'a thousand connections that say nothing',
      attempt: (target) =>
        withSockets(target, 1_000, async (sockets) => {
          await honest(target);
          await until(
            () => sockets.filter(({ destroyed }) => destroyed).length >= 700,
            'the oldest to be closed',
          );
          return 'the oldest were closed, and a callback was taken';
        }),
    },
  ],
});
