import { beforeEach, expect, test } from 'vitest';
import { createLogger, type Logger } from '../../../main/support/logger.ts';

let lines: string[];
let logger: Logger;
beforeEach(() => {
  lines = [];
  logger = createLogger('info', { write: (line) => void lines.push(line), flushSync() {} });
});
/** The fields as they are in the log. */
const logged = (fields: Record<string, unknown>): Record<string, unknown> => {
  logger.log.info(fields, 'of the test');
  return JSON.parse(lines.at(-1) as string) as Record<string, unknown>;
};
const nested = (depth: number): object => {
  let value: object = {};
  for (let level = 0; level < depth; level += 1) value = { a: value, b: [value] };
  return value;
};

test('a line has level, time, message and the fields, in JSON', () => {
  const fields = { lane: '1', amountMinor: 1250, paid: true, detail: null, error: 'Error: x\n    at y', ids: ['a', 'b'], of: { state: 'open' } };
  expect(logged(fields)).toEqual({ level: 'info', time: expect.any(String), msg: 'of the test', ...fields });
  expect(lines[0]).toMatch(/\n$/);
  expect(logger.recent()).toEqual([lines[0]?.trimEnd()]);
  logger.log.child({ lane: '2' }).warn({ state: 'x' }, 'of a lane');
  expect(JSON.parse(lines[1] as string)).toMatchObject({ level: 'warn', lane: '2', state: 'x', msg: 'of a lane' });
});

test('what is kept for the diagnostics has at least what is told usually, however quiet the log is', () => {
  for (const level of ['warn', 'silent']) {
    const quiet = createLogger(level, { write: (line) => void lines.push(line), flushSync() {} });
    for (const of of ['debug', 'info', 'warn'] as const) quiet.log[of]({}, of);
    expect(lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(level === 'warn' ? ['warn'] : []);
    expect(quiet.recent().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['info', 'warn']);
  }
});

test.each([
  ['a text of millions', () => ({ detail: 'x'.repeat(36_000_000) })],
  ['a hundred long texts', () => ({ details: Array.from({ length: 100 }, () => 'y'.repeat(1_900)) })],
  ['a hundred thousand levels', () => ({ answer: nested(100_000) })],
  ['a million elements', () => ({ answer: Array.from({ length: 1_000_000 }, () => 'z') })],
  ['a hundred thousand names', () => ({ answer: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, index])) })],
  ['a name of a million letters', () => ({ answer: { ['n'.repeat(1_000_000)]: 1 } })],
  ['lists of lists', () => ({ answer: Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 1))) })],
])('%s make a line that is whole and short', (_what, make) => {
  expect(logged(make())['msg']).toBe('of the test');
  expect(lines[0]?.length).toBeLessThan(4_000);
});

test('something that is in itself ends', () => {
  const ring: Record<string, unknown> = { name: 'ring' };
  ring['ring'] = ring;
  expect(logged({ ring })).toMatchObject({ ring: { name: 'ring' } });
});

test('what is no JSON is told as text', () => {
  const at = new Date(Date.UTC(2026, 10, 21));
  expect(logged({ big: 7n, bytes: new Uint8Array(3), at, url: new URL('https://a.example'), error: new Error('why'), call: () => 1 })).toEqual({
    level: 'info',
    time: expect.any(String),
    msg: 'of the test',
    big: '7',
    bytes: '3 bytes',
    at: at.toISOString(),
    url: 'https://a.example/',
    error: expect.stringContaining('why'),
  });
});

test('what could be a secret is removed at every depth, whatever its caller thought', () => {
  const secrets = { clientSecret: 's3', Authorization: 'Bearer s3', access_token: 's3', customerToken: 's3', loyaltyIds: ['s3'], password: 's3', pin: 's3' };
  logged({ ...secrets, wallet: secrets, a: { b: [{ c: secrets }] } });
  expect(lines[0]).not.toContain('s3');
  expect(lines[0]?.match(/\*\*\*/g)).toHaveLength(21);
});

test('no character of it changes how a terminal shows the rest', () => {
  const detail = 'a\u001b[2Jb\u009b2Jc\u202ed\u2066e\u007f\u2028';
  expect(logged({ detail })['detail']).toBe(detail);
  // oxlint-disable-next-line no-control-regex
  expect(lines[0]).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
});
