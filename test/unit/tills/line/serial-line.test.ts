import { expect, test } from 'vitest';
import type { OpenSerialWire } from '../../../../main/core/domain/wire.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { keepSerialLine } from '../../../../main/tills/line/serial-line.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a port that was gone for long is open again within five seconds, and is not told of again and again', async () => {
  const clock = new ManualClock();
  const warned: unknown[] = [];
  let isThere = false;
  let attached = 0;
  const open: OpenSerialWire = () =>
    isThere
      ? Promise.resolve({
          at: '/dev/ttyUSB0',
          write: () => Promise.resolve(),
          close: () => Promise.resolve(),
        } as never)
      : Promise.reject(new Error('no such port'));
  const line = keepSerialLine({
    port: { path: '/dev/ttyUSB0', baudRate: 9600, stopBits: 1 },
    link: { attach: () => void (attached += 1), detach() {}, data() {}, close() {} },
    open,
    clock,
    log: { ...silentLog, warn: (_facts, message) => void warned.push(message) },
    state() {},
  });
  await line.firstAttempt;
  await clock.pass(590_000);
  expect([attached, warned]).toEqual([0, ['the serial port of the till cannot be opened yet']]);
  isThere = true;
  await clock.pass(5_000);
  expect(attached).toBe(1);
  await line.close();
});
