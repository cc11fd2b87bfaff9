import { expect, test } from 'vitest';
import { boundedLog } from '../../../../main/core/domain/bounded-log.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function openLog() {
  const clock = new ManualClock();
  const lines: [string, object][] = [];
  const write = (fields: object, message: string): void => void lines.push([message, fields]);
  const log: Log = { ...silentLog, info: write, warn: write, child: () => log };
  return { clock, lines, bounded: boundedLog(log, { clock, maxLines: 2 }) };
}

test('of each kind so many lines are written in a minute, and the next line tells how many more there were', async () => {
  const { clock, lines, bounded } = openLog();
  for (let count = 0; count < 5; count += 1) bounded.warn({ count }, 'a stranger connects');
  bounded.info({}, 'a till has connected');
  expect(lines).toEqual([
    ['a stranger connects', { count: 0 }],
    ['a stranger connects', { count: 1 }],
    ['a till has connected', {}],
  ]);
  await clock.pass(60_000);
  bounded.info({}, 'a till has connected');
  bounded.warn({ count: 5 }, 'a stranger connects');
  expect(lines.slice(3)).toEqual([
    ['a stranger connects', { more: 3 }],
    ['a till has connected', {}],
    ['a stranger connects', { count: 5 }],
  ]);
});

test('commands of a till are kinds of their own, so that one in a loop hides no other', () => {
  const { lines, bounded } = openLog();
  for (let count = 0; count < 5; count += 1)
    bounded.info({ command: 'statusEnquiry' }, 'from the till');
  bounded.info({ command: 'authorisation' }, 'from the till');
  expect(lines.map(([, fields]) => fields)).toEqual([
    { command: 'statusEnquiry' },
    { command: 'statusEnquiry' },
    { command: 'authorisation' },
  ]);
});

test('its end tells what was only counted, also of its children', () => {
  const { lines, bounded } = openLog();
  for (let count = 0; count < 5; count += 1)
    bounded.child({ lane: '1' }).warn({}, 'a stranger connects');
  bounded.close();
  bounded.close();
  expect(lines.slice(2)).toEqual([['a stranger connects', { more: 3 }]]);
});
