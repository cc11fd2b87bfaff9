import { spawnSync } from 'node:child_process';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
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
  const fields = {
    lane: '1',
    amountMinor: 1250,
    paid: true,
    detail: null,
    error: 'Error: x\n    at y',
    ids: ['a', 'b'],
    of: { state: 'open' },
  };
  expect(logged(fields)).toEqual({
    level: 'info',
    time: expect.any(String),
    msg: 'of the test',
    ...fields,
  });
  expect(lines[0]).toMatch(/\n$/);
  expect(logger.recent()).toEqual([lines[0]?.trimEnd()]);
  logger.log.child({ lane: '2' }).warn({ state: 'x' }, 'of a lane');
  expect(JSON.parse(lines[1] as string)).toMatchObject({
    level: 'warn',
    lane: '2',
    state: 'x',
    msg: 'of a lane',
  });
});

test('what is kept for the diagnostics has at least what is told usually, however quiet the log is', () => {
  for (const level of ['warn', 'silent']) {
    const quiet = createLogger(level, { write: (line) => void lines.push(line), flushSync() {} });
    for (const of of ['debug', 'info', 'warn'] as const) quiet.log[of]({}, of);
    expect(lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      level === 'warn' ? ['warn'] : [],
    );
    expect(quiet.recent().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'info',
      'warn',
    ]);
  }
});

test.each([
  ['a text of millions', () => ({ detail: 'x'.repeat(36_000_000) })],
  [
    'a hundred long texts',
    () => ({ details: Array.from({ length: 100 }, () => 'y'.repeat(1_900)) }),
  ],
  ['a hundred thousand levels', () => ({ answer: nested(100_000) })],
  ['a million elements', () => ({ answer: Array.from({ length: 1_000_000 }, () => 'z') })],
  [
    'a hundred thousand names',
    () => ({
      answer: Object.fromEntries(
        Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, index]),
      ),
    }),
  ],
  ['a name of a million letters', () => ({ answer: { ['n'.repeat(1_000_000)]: 1 } })],
  [
    'lists of lists',
    () => ({
      answer: Array.from({ length: 50 }, () =>
        Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 1)),
      ),
    }),
  ],
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
  expect(
    logged({
      big: 7n,
      bytes: new Uint8Array(3),
      at,
      url: new URL('https://a.example'),
      error: new Error('why'),
      call: () => 1,
    }),
  ).toEqual({
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
  const secrets = {
    clientSecret: 's3',
    Authorization: 'Bearer s3',
    access_token: 's3',
    customerToken: 's3',
    loyaltyIds: ['s3'],
    password: 's3',
    pin: 's3',
  };
  logged({ ...secrets, wallet: secrets, a: { b: [{ c: secrets }] } });
  expect(lines[0]).not.toContain('s3');
  expect(lines[0]?.match(/\*\*\*/g)).toHaveLength(21);
});

test('no character of it changes how a terminal shows the rest', () => {
  const detail = 'a\u001b[2Jb\u009b2Jc\u202ed\u2066e\u007f\u2028';
  expect(logged({ detail })['detail']).toBe(detail);
  expect(lines[0]).not.toMatch(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
  );
});

test('lines that are written later come together, in order, with the times at which they were logged', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 26) });
  onTestFinished(() => void vi.useRealTimers());
  logger.writeLater();
  const detail = {
    get detail() {
      return `told after ${lines.length} lines`;
    },
  };
  logger.log.info(detail, 'one');
  logger.log.child({ lane: '1' }).error({}, 'two');
  logger.log.debug({}, 'not told');
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(lines).toHaveLength(1);
  expect(
    lines[0]
      ?.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { level: 'info', time: '2026-11-26T00:00:00.000Z', detail: 'told after 0 lines', msg: 'one' },
    { level: 'error', time: '2026-11-26T00:00:00.000Z', lane: '1', msg: 'two' },
  ]);
  logger.log.info({}, 'three');
  expect(logger.recent()).toHaveLength(3);
  logger.log.info({}, 'four');
  logger.flush();
  expect(lines.slice(1).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'three',
    'four',
  ]);
});

test('lines that wait are written before the process ends by itself', () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(new URL('../../../main/support/logger.ts', import.meta.url).href)});
    const logger = createLogger('info');
    logger.writeLater();
    logger.log.info({}, 'one');
    logger.log.info({}, 'the last words');
    process.exit(0);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg),
  ).toEqual(['one', 'the last words']);
});
