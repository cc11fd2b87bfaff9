import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Intake } from '../../../../main/wallets/callbacks/intake.ts';
import { openSqliteStore } from '../../../../main/wallets/callbacks/sqlite-store.ts';
import { StoreOpenError } from '../../../../main/wallets/callbacks/callback-store.ts';
import {
  agreement,
  apiKey,
  basic,
  Callbacks,
  checkIn,
  invoice,
  notification,
  oneOfEach,
  payment,
} from './callbacks-support.ts';

const requestMs = 500;
let callbacks: Callbacks;
const sockets: Socket[] = [];
beforeEach(async () => {
  callbacks = await new Callbacks({ timeouts: { requestMs, checkEveryMs: 20 } }).start();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await callbacks.stop();
});

describe('what is not there', () => {
  test.each([
    '/',
    '/callbacks',
    '/callbacks/agreements/',
    '/callbacks/nothing',
    '/oauth2',
    '//callbacks/agreements',
    '/%',
  ])('%s is answered 404', async (path) => {
    expect(
      (await callbacks.fetch(path, { method: 'POST', headers: { authorization: apiKey } })).status,
    ).toBe(404);
  });

  test.each([...oneOfEach.map(([path]) => `/callbacks/${path}`), '/oauth2/token'])(
    '%s takes nothing but POST',
    async (path) => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await callbacks.fetch(path, { method });
        expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([
          405,
          'POST',
          '',
        ]);
      }
    },
  );

  test('an interface that is not in the settings has no endpoint', async () => {
    const other = await new Callbacks({
      settings: {
        listen: { host: '', port: 0 },
        profile: 'generic',
        checkin: false,
        invoices: [{ scheme: 'apiKey', apiKey }],
      },
    }).start();
    const statuses = await Promise.all(
      oneOfEach.map(
        async ([path, one]) => (await other.post(path, one(), { authorization: apiKey })).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 404, 200, 404, 404]);
    await other.stop();
  });
});

describe('a body', () => {
  const mb5 = 5 * 1024 * 1024;
  const ofLength = (bytes: number): string => JSON.stringify(agreement()).padEnd(bytes);

  test('of 5 MB is taken; of one byte more it is answered 413, and nothing of it is stored', async () => {
    // With the usual time limit, because these tests' limit is too short for so much data.
    await callbacks.stop();
    callbacks = await new Callbacks().start();
    expect((await callbacks.post('agreements', ofLength(mb5))).status).toBe(200);
    const answer = await callbacks.post('agreements', ofLength(mb5 + 1));
    expect([answer.status, answer.text]).toEqual([413, '']);
    expect(callbacks.statuses()).toHaveLength(1);
  });

  test.each(['checkin', 'app-payments'] as const)(
    'of 16 kB at %s is taken, of one byte more it is answered 413: its sender has not shown who he is',
    async (path) => {
      const one = JSON.stringify(path === 'checkin' ? checkIn() : notification());
      expect((await callbacks.post(path, one.padEnd(16_384))).status).toBe(200);
      const answer = await callbacks.post(path, one.padEnd(16_385));
      expect([answer.status, answer.text]).toEqual([413, '']);
      expect(callbacks.statuses()).toHaveLength(1);
    },
  );

  test('of 16 kB at the token endpoint is taken, of one byte more it is answered 413', async () => {
    const ask = (bytes: number) =>
      callbacks.fetch('/oauth2/token', {
        method: 'POST',
        headers: { authorization: basic('the service:a+secret/') },
        body: 'grant_type=client_credentials&scope='.padEnd(bytes, 'x'),
      });
    expect((await ask(16_384)).status).toBe(200);
    expect((await ask(16_385)).status).toBe(413);
  });

  test('that does not say how long it is ends at 5 MB too', async () => {
    const chunks = ofLength(mb5 + 1).match(/[^]{1,65536}/g) ?? [];
    const stream = new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
    const init = {
      method: 'POST',
      headers: { authorization: apiKey },
      body: stream,
      duplex: 'half',
    };
    expect((await callbacks.fetch('/callbacks/agreements', init as RequestInit)).status).toBe(413);
  });

  test('of a thousand payments is one answer', async () => {
    const answer = await callbacks.post(
      'subscription-payments',
      Array.from({ length: 1_000 }, () => payment()),
    );
    expect(JSON.parse(answer.text)).toEqual({ stored: 1_000, repeated: 0, rejected: 0 });
  });
});

describe('a slow sender', () => {
  const open = (text: string): { socket: Socket; said: () => string; closed: Promise<void> } => {
    const socket = connect(Number(new URL(callbacks.url).port), '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString()));
    socket.on('error', () => {});
    socket.write(text);
    return {
      socket,
      said: () => heard,
      closed: new Promise((resolve) => socket.once('close', () => resolve())),
    };
  };
  const head = `POST /callbacks/agreements HTTP/1.1\r\nHost: x\r\nAuthorization: ${apiKey}\r\nContent-Length: 100000\r\n\r\n`;

  test.each([
    ['in the body', head],
    ['in the head', head.slice(0, 60)],
    ['without a word', ''],
  ])(
    '%s is let go when its time is over, however it drips, and blocks nobody meanwhile',
    async (_where, beginning) => {
      const drippers = Array.from({ length: 20 }, () => open(beginning));
      const dripping = setInterval(() => {
        for (const { socket } of drippers)
          if (!socket.destroyed && beginning !== '') socket.write(' ');
      }, 5);
      let done = 0;
      const all = Promise.all(drippers.map(({ closed }) => closed)).then(() => (done = 1));
      expect((await callbacks.post('agreements', agreement())).status).toBe(200);
      expect(done).toBe(0);
      await all;
      clearInterval(dripping);
      if (beginning !== '')
        expect(drippers.map(({ said }) => said().slice(0, 'HTTP/1.1 408'.length))).toEqual(
          drippers.map(() => 'HTTP/1.1 408'),
        );
      expect(callbacks.statuses()).toHaveLength(1);
    },
  );

  test('that has had its answer and says nothing more is let go too', async () => {
    const body = JSON.stringify(agreement());
    const { said, closed } = open(head.replace('100000', String(body.length)) + body);
    await closed;
    expect(said()).toMatch(/^HTTP\/1.1 200/);
  });

  test.each([
    [
      'that wants to be let go after its answer',
      `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      200,
    ],
    ['that does not speak HTTP', 'good morning\r\n\r\n', 400],
    ['whose head is longer than 16 kB', `GET / HTTP/1.1\r\nHost: ${'x'.repeat(20_000)}`, 431],
  ])('%s is let go at once', async (_which, text, status) => {
    const { said, closed } = open(text);
    await closed;
    expect(said()).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });

  test('that goes away in the middle leaves nothing', async () => {
    const { socket, closed } = open(`${head}{"agreement_id"`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    await closed;
    expect((await callbacks.post('agreements', agreement())).status).toBe(200);
    expect(callbacks.statuses()).toHaveLength(1);
  });

  test.each([
    ['with another key', head.replace(apiKey, 'wrong')],
    ['without a signature', head.replace('agreements', 'app-payments')],
    [
      'with a signature that cannot be one',
      head.replace('agreements', 'app-payments').replace('Authorization:', 'X-Service-Signature:'),
    ],
    ['at the token endpoint', head.replace('/callbacks/agreements', '/oauth2/token')],
  ])('who may not call, %s, is told so before the body', async (_how, beginning) => {
    const { said, socket } = open(beginning.replace('100000', '100'));
    await expect.poll(said).toMatch(/^HTTP\/1.1 401/);
    expect(socket.destroyed).toBe(false);
  });

  test('gets a moment when the receiver is asked to end', async () => {
    const body = JSON.stringify(agreement());
    const { socket, said } = open(head.replace('100000', String(body.length)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const restarted = callbacks.restart();
    socket.write(body);
    await expect.poll(said).toMatch(/^HTTP\/1.1 200/);
    await callbacks.clock.pass(2_000);
    await restarted;
    expect(callbacks.statuses()).toHaveLength(1);
  });
});

describe('when the disk fails', () => {
  test.each(oneOfEach)(
    'a callback to %s is answered 503 with Retry-After, nothing is stored, and the repetition is',
    async (path, one) => {
      const sent = one();
      const other = new DatabaseSync(callbacks.path);
      other.exec('BEGIN EXCLUSIVE');
      const answer = await callbacks.post(path, sent);
      expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([
        503,
        '',
        '5',
      ]);
      expect((await callbacks.fetch('/health')).status).toBe(503);
      other.exec('ROLLBACK');
      other.close();
      expect(callbacks.statuses()).toEqual([]);
      expect((await callbacks.post(path, sent)).status).toBe(200);
      expect(callbacks.statuses()).toHaveLength(1);
    },
  );

  test('in the middle of a batch nothing of it is stored, a bad record included', async () => {
    const other = new DatabaseSync(callbacks.path);
    other.exec(
      "CREATE TRIGGER no BEFORE INSERT ON records WHEN NEW.external_id = 'c' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    const batch = ['a', 'b', 'c'].map((external_id) => payment({ external_id }));
    expect((await callbacks.post('subscription-payments', [...batch, {}])).status).toBe(503);
    expect([callbacks.statuses(), callbacks.store.rejected()]).toEqual([[], []]);
    other.exec('DROP TRIGGER no');
    other.close();
    expect(
      JSON.parse((await callbacks.post('subscription-payments', [...batch, {}])).text),
    ).toEqual({ stored: 3, repeated: 0, rejected: 1 });
  });

  test('what was answered 2xx is committed: another process sees it', async () => {
    await callbacks.post('invoices', invoice());
    const other = new DatabaseSync(callbacks.path, { readOnly: true });
    expect(other.prepare('SELECT count(*) AS n FROM records').get()).toEqual({ n: 1 });
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
  });
});

test.skipIf(process.platform === 'win32')(
  'what is stored is for one user alone, in whichever folder',
  () => {
    for (const ending of ['', '-wal', '-shm'])
      expect(statSync(`${callbacks.path}${ending}`).mode & 0o077, ending).toBe(0);
  },
);

test('while the disk takes its time, twenty check-ins wait for it, and callbacks are let past', async () => {
  const { promise: diskIsReady, resolve: wake } = Promise.withResolvers<void>();
  let asked = 0;
  const slowed = (intake: Intake): Intake => ({
    health: () => intake.health(),
    async take(path, body) {
      asked += 1;
      if (path.endsWith('checkin')) await diskIsReady;
      return intake.take(path, body);
    },
  });
  const slow = await new Callbacks({ slowed }).start();
  const waiting = Array.from({ length: 20 }, () => slow.post('checkin', checkIn()));
  await expect.poll(() => asked).toBe(20);
  expect((await slow.post('checkin', checkIn())).status).toBe(503);
  expect((await slow.post('agreements', agreement())).status).toBe(200);
  wake();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  await slow.clock.pass(1_000);
  expect((await slow.post('checkin', checkIn())).status).toBe(200);
  await slow.stop();
});

test('the health page says whether it can store, how much there is, and how much was set aside', async () => {
  const health = async () => {
    const answer = await callbacks.fetch('/health');
    return [answer.status, JSON.parse(answer.text)];
  };
  expect(await health()).toEqual([200, { ok: true, records: 0, rejected: 0 }]);
  await callbacks.post('agreements', [agreement(), {}]);
  await callbacks.post('checkin', checkIn());
  expect(await health()).toEqual([200, { ok: true, records: 2, rejected: 1 }]);
  expect((await callbacks.fetch('/health', { method: 'POST' })).status).toBe(405);
  callbacks.store.close();
  expect(await health()).toEqual([503, { ok: false }]);
  callbacks.store = openSqliteStore(callbacks.path);
});

test('a file of a newer layout, or that is no database, is not touched', () => {
  const newer = new DatabaseSync(`${callbacks.path}.newer`);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openSqliteStore(`${callbacks.path}.newer`)).toThrow(StoreOpenError);
  expect(() => openSqliteStore('/dev/null/callbacks.db')).toThrow(StoreOpenError);
});

test('while the clock is known to be wrong nothing is judged by it: every sender is asked to come again', async () => {
  let isTimeKnown = false;
  const other = await new Callbacks({ isTimeKnown: () => isTimeKnown }).start();
  const form = {
    method: 'POST',
    headers: { authorization: basic('the service:a+secret/') },
    body: 'grant_type=client_credentials',
  };
  const statuses = async (): Promise<number[]> => [
    (await other.fetch('/oauth2/token', form)).status,
    (await other.post('agreements', agreement(), { authorization: apiKey })).status,
    (await other.post('agreements', agreement(), { authorization: 'wrong' })).status,
    (await other.fetch('/callbacks/nothing', { method: 'POST' })).status,
  ];
  expect(await statuses()).toEqual([503, 503, 503, 404]);
  expect(other.statuses()).toEqual([]);
  isTimeKnown = true;
  expect(await statuses()).toEqual([200, 200, 401, 404]);
  await other.stop();
});
