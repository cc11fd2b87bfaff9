import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Metrics } from '../../../../main/counter/monitoring/metrics.ts';
import { watchSettlement } from '../../../../main/counter/monitoring/settlement-watch.ts';
import { Tracer } from '../../../../main/counter/monitoring/tracer.ts';
import { until } from '../../../support/processes.ts';
import { acknowledged, tell } from '../../core/settlement/support.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: { stringValue: string } }[];
}

let collector: Server;
let endpoint: string;
let status: number;
let location: string | null;
let bodies: string[];
let authorized: (string | undefined)[];
let paths: (string | undefined)[];
let clock: ManualClock;
let dropped: number;
let warned: string[];
let tracer: Tracer;

beforeEach(async () => {
  [status, location, bodies, authorized, paths, dropped, warned] = [200, null, [], [], [], 0, []];
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      bodies.push(body);
      authorized.push(request.headers.authorization);
      paths.push(request.url);
      response.writeHead(status, location === null ? {} : { location }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  clock = new ManualClock();
  tracer = new Tracer({
    to: () => ({ endpoint, token: 'collector-token' }),
    version: '1.2.3',
    host: 'counter-1',
    dropped: (count) => (dropped += count),
    clock,
    log: { ...silentLog, warn: (_fields, message) => warned.push(message) },
  });
});
afterEach(async () => {
  await tracer.close();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

/** A payment, each of its inputs a second after the one before. */
async function pay(): Promise<void> {
  const inputs = [...acknowledged, { type: 'captureAnswered', answer: { kind: 'done' } } as const];
  const observe = watchSettlement('1', tell([]).payment, {
    metrics: new Metrics(() => {}),
    tracer,
    clock,
  });
  for (let count = 1; count <= inputs.length; count += 1) {
    await clock.pass(1_000);
    observe(tell(inputs.slice(0, count)).payment);
  }
}
const spansIn = (body: string | undefined): Span[] =>
  (
    JSON.parse(body ?? '') as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
  ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
const sent = async (count = 1): Promise<void> => {
  await clock.pass(60_000);
  await until(() => bodies.length >= count, 'the collector to be asked');
};

test('a payment is a span, its states are spans within it, and its trace is named as the sale', async () => {
  await pay();
  await tracer.close();
  const spans = bodies.flatMap(spansIn);
  expect(spans.map(({ name }) => name)).toEqual([
    'creating',
    'awaiting',
    'offering',
    'capturing',
    'payment',
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
    new Set(['5a1e0000000040008000000000000001']),
  );
  const root = spans.at(-1) as Span;
  expect(root.parentSpanId).toBeUndefined();
  expect(spans.slice(0, -1).every(({ parentSpanId }) => parentSpanId === root.spanId)).toBe(true);
  const seconds = ({ startTimeUnixNano, endTimeUnixNano }: Span): number =>
    Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e9;
  expect(spans.map(seconds)).toEqual([1, 2, 1, 1, 5]);
  expect(root.startTimeUnixNano).toBe(`${BigInt(clock.startedAtMs) * 1_000_000n}`);
  expect(
    Object.fromEntries(root.attributes.map(({ key, value }) => [key, value.stringValue])),
  ).toEqual({
    'tillbeacon.lane': '1',
    'tillbeacon.state': 'paid',
    'tillbeacon.outcome': 'paid',
  });
  expect(new Set(paths)).toEqual(new Set(['/v1/traces']));
  expect(new Set(authorized)).toEqual(new Set(['Bearer collector-token']));
});

test('nothing about the amount, the order or a customer is sent', async () => {
  await pay();
  await tracer.close();
  expect(bodies.join('')).not.toMatch(/1234|DKK|1-000001|key-1|fa1e0000/);
});

test('what a collector that fails did not take is sent again, and said once', async () => {
  status = 503;
  await pay();
  await sent();
  status = 200;
  const before = bodies.length;
  await until(() => warned.length === 1, 'a line in the log');
  await sent(before + 1);
  expect(spansIn(bodies.at(-1)).map(({ name }) => name)).toContain('payment');
  expect({ warned: warned.length, dropped }).toEqual({ warned: 1, dropped: 0 });
});

test('what it refuses for good is dropped, and counted', async () => {
  status = 400;
  await pay();
  await tracer.close();
  expect(dropped).toBe(5);
});

test('the token goes to no other address', async () => {
  [status, location] = [307, `${endpoint}/elsewhere`];
  await pay();
  await tracer.close();
  expect(paths).not.toContain('/elsewhere');
  expect(bodies.length).toBeGreaterThan(0);
});

test('a collector that takes nothing costs a thousand spans at most', async () => {
  status = 503;
  for (let payment = 0; payment < 250; payment += 1) await pay();
  await tracer.close();
  expect(dropped).toBeGreaterThanOrEqual(250);
});
