import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ForwardStore,
  lockTarget,
  openForwardStore,
} from '../../../../../main/wallets/callbacks/forwarding/forward-store.ts';
import {
  type ForwardAnswer,
  forward,
  forwardedMessage,
  type Post,
  retryAfterMsOf,
} from '../../../../../main/wallets/callbacks/forwarding/forwarder.ts';
import {
  keyOf,
  signatureHeaders,
} from '../../../../../main/wallets/callbacks/forwarding/webhook-signature.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { StoredCallbacks } from './forwarding-support.ts';

const url = 'https://hub.example/callbacks';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = keyOf(secret) as Buffer;

let callbacks: StoredCallbacks;
let store: ForwardStore;
let clock: ManualClock;
let stop: AbortController;
let over: Promise<void>;
beforeEach(() => {
  callbacks = new StoredCallbacks();
  store = openForwardStore(join(callbacks.folder, 'forward.db'));
  clock = new ManualClock();
  over = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await over.catch(() => {});
  store.close();
  callbacks.close();
});

const taken: ForwardAnswer = { status: 204, retryAfter: null };
const refusal = (status: number, retryAfter: string | null = null): ForwardAnswer => ({
  status,
  retryAfter,
});

interface Sent {
  readonly atMs: number;
  readonly seq: number;
  readonly id: string;
}

/** Starts a forwarder. @param answer the receiver's answer to the n-th request of a record */
function start(
  answer: (seq: number, attempt: number) => ForwardAnswer | Error = () => taken,
): Sent[] {
  const sent: Sent[] = [];
  const post: Post = async ({ body, headers }) => {
    const { seq } = JSON.parse(body) as { seq: number };
    sent.push({ atMs: clock.monotonicMs(), seq, id: headers['webhook-id'] ?? '' });
    const said = answer(seq, sent.filter((one) => one.seq === seq).length);
    if (said instanceof Error) throw said;
    return said;
  };
  stop = new AbortController();
  over = forward({
    url,
    keys: [key],
    reader: callbacks.reader,
    store,
    clock,
    log: silentLog,
    signal: stop.signal,
    post,
  });
  return sent;
}
async function end(): Promise<void> {
  stop.abort();
  await over;
}
const seqsOf = (sent: readonly Sent[]): number[] => sent.map(({ seq }) => seq);

describe('every record', () => {
  test('is sent once and in order, also those that come later, and after a restart from there on', async () => {
    callbacks.addMany(1, 3);
    const first = start();
    await clock.pass(250);
    callbacks.addMany(4, 5);
    await clock.pass(250);
    expect(seqsOf(first)).toEqual([1, 2, 3, 4, 5]);
    await end();
    callbacks.addMany(6, 6);
    const second = start();
    await clock.pass(250);
    expect(seqsOf(second)).toEqual([6]);
    expect(store.position(url)).toBe(6);
  });

  test('whose answer was under way when the process ended is sent again, with the same id', async () => {
    callbacks.addMany(1, 1);
    const first = start(() => {
      stop.abort();
      return new Error('aborted');
    });
    await over;
    expect(store.position(url)).toBeNull();
    const second = start();
    await clock.pass(250);
    expect(second).toEqual(first.map((one) => ({ ...one, atMs: expect.any(Number) as number })));
  });

  test('has an id that no record of another file shares', () => {
    callbacks.addMany(1, 2);
    const other = new StoredCallbacks();
    other.add({ subjectId: 'another' });
    const ids = [...callbacks.reader.since(0), ...other.reader.since(0)].map(
      (one) => forwardedMessage(one).id,
    );
    other.close();
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((one) => /^callback_\d+_[0-9a-f]{32}$/.test(one))).toBe(true);
  });
});

describe('a receiver that does not take one', () => {
  test.each<[string, ForwardAnswer | Error]>([
    ['gives no answer', new Error('ECONNREFUSED')],
    ['is broken', refusal(503)],
    ['is busy', refusal(429)],
    ['does not know the signature', refusal(401)],
    ['has moved', refusal(302)],
  ])(
    'because it %s is asked again with growing delays, and the others wait behind it',
    async (_why, answer) => {
      callbacks.addMany(1, 2);
      const sent = start((seq, attempt) => (seq === 1 && attempt <= 4 ? answer : taken));
      await clock.pass(60_000);
      expect(sent.map(({ atMs, seq }) => [atMs, seq])).toEqual([
        [0, 1],
        [1_000, 1],
        [3_000, 1],
        [7_000, 1],
        [15_000, 1],
        [15_000, 2],
      ]);
      expect(store.deadLetters()).toEqual([]);
    },
  );

  test('is given up after twenty attempts; the record is kept as a dead letter, and the next one has its turn', async () => {
    callbacks.addMany(1, 2);
    const sent = start((seq) => (seq === 1 ? refusal(500) : taken));
    await clock.pass(2 * 60 * 60_000);
    expect(seqsOf(sent)).toEqual([...Array.from({ length: 20 }, () => 1), 2]);
    const gaps = sent.slice(1, 20).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.max(...gaps)).toBe(10 * 60_000);
    expect(store.deadLetters()).toMatchObject([
      { number: 1, url, seq: 1, id: sent[0]?.id, attempts: 20, reason: 'status 500', resend: 0 },
    ]);
    expect(store.position(url)).toBe(2);
  });

  test('because of what is in it is not asked as often, so that the others do not wait long', async () => {
    callbacks.addMany(1, 2);
    const sent = start((seq) => (seq === 1 ? refusal(422) : taken));
    await clock.pass(20_000);
    expect(seqsOf(sent)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(store.deadLetters()).toMatchObject([{ seq: 1, attempts: 5, reason: 'status 422' }]);
  });

  test('because of the receiver and then because of what is in it: only the latter is given up early, and it is counted by itself', async () => {
    callbacks.addMany(1, 1);
    const sent = start((_seq, attempt) => refusal(attempt <= 6 ? 401 : 422));
    await clock.pass(2 * 60 * 60_000);
    expect(sent).toHaveLength(11);
    expect(store.deadLetters()).toMatchObject([{ attempts: 11, reason: 'status 422' }]);
  });

  test('is not asked once more after a restart for what is a dead letter', async () => {
    callbacks.addMany(1, 1);
    start(() => refusal(400));
    await clock.pass(20_000);
    expect(store.position(url)).toBe(1);
    expect(store.deadLetters()).toHaveLength(1);
  });

  test('and says when to come again is asked then, and not before', async () => {
    callbacks.addMany(1, 1);
    const sent = start((_seq, attempt) => (attempt === 1 ? refusal(503, '120') : taken));
    await clock.pass(300_000);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 120_000]);
  });

  test('for good (410) ends it, and nothing is passed over', async () => {
    callbacks.addMany(1, 2);
    const sent = start(() => refusal(410));
    await expect(over).rejects.toThrow('answers 410');
    expect(seqsOf(sent)).toEqual([1]);
    expect(store.position(url)).toBeNull();
  });

  test.each<[string | null, number]>([
    [null, 0],
    ['30', 30_000],
    ['soon', 0],
    ['-5', 0],
    ['99999999', 3_600_000],
    ['Sat, 21 Nov 2026 09:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2020 09:01:00 GMT', 0],
  ])('Retry-After %j is a pause of %d ms', (header, expected) => {
    expect(retryAfterMsOf(header, Date.UTC(2026, 10, 21, 9))).toBe(expected);
  });
});

describe('a dead letter', () => {
  beforeEach(async () => {
    callbacks.addMany(1, 2);
    start((seq) => (seq === 1 ? refusal(400) : taken));
    await clock.pass(20_000);
    await end();
  });

  test('is sent again when somebody asks, with the id it had, and then it is gone', async () => {
    const [letter] = store.deadLetters();
    const sent = start();
    await clock.pass(250);
    expect(sent).toEqual([]);
    expect(store.askToResend(1)).toBe(1);
    await clock.pass(250);
    expect(sent).toEqual([{ atMs: expect.any(Number) as number, seq: 1, id: letter?.id }]);
    expect(store.deadLetters()).toEqual([]);
    expect(store.position(url)).toBe(2);
  });

  test('that is refused once more stays, and is not sent again by itself', async () => {
    store.askToResend(null);
    const sent = start(() => refusal(413));
    await clock.pass(60_000);
    expect(sent).toHaveLength(5);
    expect(store.deadLetters()).toMatchObject([
      { number: 1, attempts: 10, reason: 'status 413', resend: 0 },
    ]);
  });

  test('that is sent again and not taken does not hold up new records, which keep their order, and is tried as often as they are', async () => {
    store.askToResend(1);
    const sent = start((seq) => (seq === 1 ? refusal(500) : taken));
    await clock.pass(1_500);
    callbacks.addMany(3, 5);
    await clock.pass(250);
    expect(seqsOf(sent)).toEqual([1, 1, 3, 4, 5]);
    await clock.pass(2 * 60 * 60_000);
    expect(sent.filter(({ seq }) => seq === 1)).toHaveLength(20);
    expect(store.deadLetters()).toMatchObject([
      { number: 1, attempts: 25, reason: 'status 500', resend: 0 },
    ]);
    expect(store.position(url)).toBe(5);
  });

  test('is sent again alone when it is named', () => {
    store.setAside(
      url,
      { seq: 2, id: 'id', body: '{"seq":2}' },
      { reason: 'r', attempts: 1, setAsideAtMs: 0 },
    );
    expect(store.askToResend(2)).toBe(1);
    expect(store.deadLetters().map(({ resend }) => resend)).toEqual([0, 1]);
    expect(store.askToResend(3)).toBe(0);
  });

  test('of another address is left alone', async () => {
    store.setAside(
      'https://other.example/',
      { seq: 1, id: 'id', body: '{"seq":1}' },
      { reason: 'r', attempts: 1, setAsideAtMs: 0 },
    );
    store.askToResend(null);
    const sent = start();
    await clock.pass(250);
    expect(sent).toHaveLength(1);
    expect(store.deadLetters()).toMatchObject([{ url: 'https://other.example/', resend: 1 }]);
  });

  test('survives a restart, in a file of its user alone', () => {
    store.close();
    store = openForwardStore(join(callbacks.folder, 'forward.db'));
    expect(store.deadLetters()).toHaveLength(1);
    if (process.platform !== 'win32')
      expect(statSync(join(callbacks.folder, 'forward.db')).mode & 0o077).toBe(0);
  });
});

test('an address is one process’s: a second one is told so, until the first has ended', () => {
  stop = new AbortController();
  const path = join(callbacks.folder, 'forward-1.lock');
  const unlock = lockTarget(path);
  expect(lockTarget(path)).toBeNull();
  unlock?.();
  const again = lockTarget(path);
  expect(again).not.toBeNull();
  again?.();
});

describe('the signature', () => {
  beforeEach(() => {
    stop = new AbortController();
  });

  test('is that of the specification', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      atMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signatureHeaders(message, [key])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is one by each secret while they change', () => {
    const headers = signatureHeaders({ id: 'i', atMs: 0, body: '' }, [key, Buffer.alloc(24)]);
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  test.each([
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_',
    'whsec_c2hvcnQ=',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('a secret that is none is refused: %s', (text) => {
    expect(keyOf(text)).toBeNull();
  });
});

describe('over HTTP', { timeout: 60_000 }, () => {
  const patient = { timeout: 30_000 };
  let server: Server;
  let received: { headers: IncomingHttpHeaders; body: string; path: string }[];
  let answer: { status: number; headers: Record<string, string> };
  beforeEach(async () => {
    received = [];
    answer = { status: 200, headers: {} };
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.once('end', () => {
        received.push({ headers: request.headers, body, path: request.url ?? '' });
        response.writeHead(answer.status, answer.headers).end('{"never":"read"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  const target = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  function startAt(to: string): void {
    stop = new AbortController();
    over = forward({
      url: to,
      keys: [key],
      reader: callbacks.reader,
      store,
      clock,
      log: silentLog,
      signal: stop.signal,
    });
  }

  test('a receiver can check the signature over the body as it arrives', async () => {
    callbacks.add({ statusText: 'æ 💥', raw: '{"text":"æ 💥"}' });
    startAt(target());
    await expect.poll(() => store.position(target()), patient).toBe(1);
    const [first] = received;
    if (first === undefined) throw new Error('nothing arrived');
    const { headers, body } = first;
    const content = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
    );
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ seq: 1, raw: { text: 'æ 💥' } });
  });

  test('a redirection is not followed: what is signed goes nowhere else', async () => {
    callbacks.addMany(1, 1);
    answer = { status: 307, headers: { location: `${target()}-elsewhere` } };
    startAt(target());
    await expect
      .poll(async () => (await clock.pass(1_000), received.length), patient)
      .toBeGreaterThan(2);
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook']));
    expect(store.position(target())).toBeNull();
  });
});
