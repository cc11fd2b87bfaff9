import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { Product } from '../support/processes.ts';

const batches = isLong ? 1_000 : 100;
const recordsInABatch = 1_000;
const connections = 6;
/** After how many batches the process is killed. */
const killsAfter = [0.2, 0.5, 0.8].map((share) => share * batches);
const retryDelayMs = 20;

const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-callbacks-load-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const settingsPath = join(folder, 'settings.json');
writeFileSync(
  settingsPath,
  JSON.stringify({
    subscriptions: [
      { scheme: 'basic', userName: 'wallet', password: { env: 'CALLBACK_PASSWORD' } },
    ],
  }),
);

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const headers = {
  authorization: `Basic ${Buffer.from('wallet:a password').toString('base64')}`,
  'content-type': 'application/json',
};

let receiver: Product;
let url = '';
async function startReceiver(port: string): Promise<void> {
  receiver = new Product(
    'callbacks',
    ['--settings', settingsPath, '--data', folder, '--port', port],
    {
      CALLBACK_PASSWORD: 'a password',
      TILLBEACON_LOG: 'warn',
    },
  );
  ({ url } = await receiver.ready<{ url: string }>());
}

/** Looks as random as the service's ids, and is the same in every repetition. */
function uuid(name: string): string {
  const digits = hash('sha1', name);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
const amountMinor = (batch: number, index: number): number => 100 + batch + index;

function bodyOf(batch: number): Buffer {
  const records: string[] = [];
  for (let index = 0; index < recordsInABatch; index += 1) {
    const minor = String(amountMinor(batch, index));
    records.push(
      `{"agreement_id":"${uuid(`agreement ${batch} ${index % 500}`)}","payment_id":"${uuid(`payment ${batch} ${index}`)}","amount":"${minor.slice(0, -2)}.${minor.slice(-2)}",` +
        `"currency":"DKK","payment_date":"2026-11-21","status":"Executed","status_text":null,"status_code":0,"external_id":"order-${batch}-${index}","payment_type":"Regular"}`,
    );
  }
  return Buffer.from(`[${records.join(',')}]`);
}

/** null when there was no answer. */
function post(body: Buffer): Promise<{ status: number; text: string } | null> {
  return new Promise((resolve) => {
    const sending = request(
      `${url}/callbacks/subscription-payments`,
      { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', () => resolve(null));
        response.on('close', () => resolve(null));
      },
    );
    sending.on('error', () => resolve(null));
    sending.end(body);
  });
}

interface Counts {
  readonly stored: number;
  readonly repeated: number;
  readonly rejected: number;
}

/** Sends a batch as the service does: again until it is answered with 2xx. */
async function deliver(batch: number): Promise<{ counts: Counts; attempts: number }> {
  const body = bodyOf(batch);
  for (let attempts = 1; ; attempts += 1) {
    const answer = await post(body);
    if (answer !== null && answer.status >= 200 && answer.status < 300)
      return { counts: JSON.parse(answer.text) as Counts, attempts };
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}

describe(`${batches} batches of a thousand records, the receiver killed three times`, () => {
  test('nothing is lost, nothing is there twice', { timeout: 600_000 }, async () => {
    await startReceiver('0');
    const { port } = new URL(url);
    const startedAt = performance.now();
    let next = 0;
    let delivered = 0;
    let repetitions = 0;
    let kills: Promise<void> = Promise.resolve();
    const kill = async (): Promise<void> => {
      await receiver.end('SIGKILL');
      await startReceiver(port);
    };

    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < batches) {
          const batch = next;
          next += 1;
          const { counts, attempts } = await deliver(batch);
          repetitions += attempts - 1;
          // A batch is stored as a whole, either by this attempt or by an earlier one whose answer
          // was lost in the kill.
          expect([counts.stored, counts.repeated].toSorted((a, b) => a - b)).toEqual([
            0,
            recordsInABatch,
          ]);
          if (attempts === 1)
            expect(counts).toEqual({ stored: recordsInABatch, repeated: 0, rejected: 0 });
          delivered += 1;
          if (killsAfter.includes(delivered)) kills = kills.then(kill);
        }
      }),
    );
    await kills;
    expect(repetitions).toBeGreaterThanOrEqual(killsAfter.length);

    // The service did not receive some of our answers, so it sends these records again. They are
    // recognised, also those from before a kill.
    for (const batch of [0, killsAfter[0]! - 1, ...killsAfter, batches - 1])
      expect((await deliver(batch)).counts).toEqual({
        stored: 0,
        repeated: recordsInABatch,
        rejected: 0,
      });
    const seconds = (performance.now() - startedAt) / 1000;
    await receiver.end();

    const db = new DatabaseSync(join(folder, 'callbacks.db'), { readOnly: true });
    const expected = batches * recordsInABatch;
    let sumMinor = 0;
    for (let batch = 0; batch < batches; batch += 1)
      for (let index = 0; index < recordsInABatch; index += 1)
        sumMinor += amountMinor(batch, index);
    expect(
      db
        .prepare(
          'SELECT count(*) AS n, max(seq) AS last, sum(amount_minor) AS sum, sum(changed) AS changed FROM records',
        )
        .get(),
    ).toEqual({
      n: expected,
      last: expected,
      sum: sumMinor,
      changed: expected,
    });
    expect(db.prepare('SELECT count(*) AS n FROM subjects').get()).toEqual({ n: expected });
    expect(db.prepare('SELECT count(DISTINCT external_id) AS n FROM records').get()).toEqual({
      n: expected,
    });
    expect(db.prepare('SELECT count(*) AS n FROM rejected').get()).toEqual({ n: 0 });
    expect(db.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    db.close();
    // The time is only printed, because it depends on what else this machine does.
    console.log(`${expected} callback records, three kills: ${seconds.toFixed(0)} s`);
  });
});
