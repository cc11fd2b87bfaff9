import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listeningPort } from '../../../../main/core/domain/listening-port.ts';
import type { HttpApiOptions } from '../../../../main/tills/http/options.ts';
import { Streams } from '../../../../main/tills/http/streams.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

/** Event streams on real connections, of a lane whose states the test sets. */
let clock: ManualClock;
let server: Server;
let streams: Streams;
let change: (laneId: string | null) => void;
let laneSays: string;
let timesAsked: number;
const responses: ServerResponse[] = [];
const revoked = new Set<string>();

beforeEach(async () => {
  clock = new ManualClock();
  laneSays = 'Lane';
  timesAsked = 0;
  const lane = {
    snapshot: () => {
      timesAsked += 1;
      return {
        laneId: '1',
        name: laneSays,
        currency: 'DKK',
        condition: { kind: 'ready' },
        qr: null,
        takesReservations: false,
        current: null,
        refund: null,
      };
    },
    readiness: () => 'ready',
  };
  streams = new Streams({
    clock,
    counter: () => ({ lane, till: {} }),
    subscribe: (listener: typeof change) => {
      change = listener;
      return () => {};
    },
    journal: { changesAfter: () => [], newestSeq: () => 0 },
    tokens: { holds: (tokenId: string) => !revoked.has(tokenId) },
  } as unknown as HttpApiOptions);
  server = createServer((request, response) => {
    responses.push(response);
    response.writeHead(200, { connection: 'close' });
    response.on('error', () => {});
    const to = {
      get destroyed() {
        return response.destroyed;
      },
      get writableNeedDrain() {
        return response.writableNeedDrain;
      },
      write: (bytes: Buffer) => void response.write(bytes),
      end: () => void response.end(),
      listen: ({ drained, closed }: { drained: () => void; closed: () => void }) =>
        void response.on('drain', drained).on('close', closed),
    };
    streams.open(to, {
      laneId: '1',
      tokenId: request.headers['x-token']?.toString() ?? String(responses.length),
      lastId: '',
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  streams.close();
  server.closeAllConnections();
  server.close();
  responses.length = 0;
  revoked.clear();
});

/** @param token of a token of its own without one */
async function open(token?: string): Promise<IncomingMessage> {
  const asked = request({
    host: '127.0.0.1',
    port: listeningPort(server),
    agent: false,
    headers: token === undefined ? {} : { 'x-token': token },
  });
  asked.on('error', () => {});
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

function textOf(response: IncomingMessage): () => string {
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

const arrives = (text: () => string, wanted: string): Promise<void> =>
  expect.poll(text, { interval: 1 }).toContain(wanted);

test('what happens is put into words once, however many streams there are', async () => {
  const texts = await Promise.all(Array.from({ length: 30 }, async () => textOf(await open())));
  timesAsked = 0;
  laneSays = 'Express';
  change('1');
  for (let ms = 0; ms < 70; ms += 1) await clock.pass(1);
  for (const text of texts) await arrives(text, 'Express');
  expect(timesAsked).toBe(1);
});

test('what is told waits until nothing has happened for a moment, at most a fifth of a second', async () => {
  const text = textOf(await open());
  await arrives(text, 'Lane');
  for (let step = 1; step <= 19; step += 1) {
    laneSays = `at ${step * 10} ms`;
    change('1');
    await clock.pass(10);
  }
  expect(text()).not.toContain('ms');
  for (let step = 20; step <= 22; step += 1) {
    laneSays = `at ${step * 10} ms`;
    change('1');
    await clock.pass(10);
  }
  await arrives(text, 'at 200 ms');
});

test('of a stream that is not read, what happens meanwhile is not kept for it; read again, it is told how things are', async () => {
  const stuck = await open();
  stuck.pause();
  const megabyte = 'x'.repeat(1_000_000);
  const tell = async (name: string): Promise<void> => {
    laneSays = name;
    change('1');
    await clock.pass(60);
    await settled();
  };
  for (let round = 0; round < 40; round += 1) await tell(`${round} ${megabyte}`);
  expect(responses[0]?.writableLength).toBeLessThan(2_100_000);
  await tell('the last');
  const text = textOf(stuck);
  stuck.resume();
  await expect
    .poll(async () => {
      await clock.pass(60);
      return text().slice(-2_000);
    })
    .toContain('the last');
});

test('a quiet stream is kept open by a comment, and ends at the next one once its token is revoked', async () => {
  const response = await open('a');
  const text = textOf(response);
  await arrives(text, 'Lane');
  await clock.pass(15_001);
  await arrives(text, '\n\n:\n\n');
  revoked.add('a');
  const ended = once(response, 'end');
  await clock.pass(15_000);
  await ended;
});

test('a token has eight streams: the oldest ends for a ninth, and those of other tokens go on', async () => {
  const other = await open('b');
  const first = await open('a');
  for (let count = 2; count <= 8; count += 1) textOf(await open('a'));
  const firstEnded = once(first.resume(), 'end');
  const text = textOf(await open('a'));
  await firstEnded;
  await arrives(text, 'Lane');
  expect(responses.filter(({ writableEnded }) => !writableEnded)).toHaveLength(9);
  const otherText = textOf(other);
  laneSays = 'Express';
  change('1');
  await clock.pass(100);
  await arrives(otherText, 'Express');
});
