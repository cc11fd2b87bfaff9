import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { followGraphicsCrashes } from '../../../../main/host/desktop/graphics-crashes.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function computer(softwareRendering = false) {
  const clock = new ManualClock();
  const app = new EventEmitter();
  const choices = { softwareRendering };
  const now = { isWaiting: false, restarts: 0 };
  followGraphicsCrashes({
    app: app as never,
    preferences: {
      choices: choices as never,
      change: (changed) => void Object.assign(choices, changed),
    },
    isSomebodyWaiting: () => now.isWaiting,
    restart: () => void (now.restarts += 1),
    clock,
    log: silentLog,
  });
  const gone = (type = 'GPU', reason = 'crashed'): boolean =>
    app.emit('child-process-gone', {}, { type, reason });
  return { clock, choices, now, gone };
}

test('a graphics card that fails three times in a minute is not used from the next start on, which is at once', async () => {
  const { clock, choices, now, gone } = computer();
  gone();
  gone();
  await clock.pass(60_000);
  gone();
  gone('Utility');
  gone('GPU', 'clean-exit');
  expect([choices.softwareRendering, now.restarts]).toEqual([false, 0]);
  gone();
  gone();
  expect([choices.softwareRendering, now.restarts]).toEqual([true, 1]);
});

test('nobody who waits for a payment is left', async () => {
  const { clock, now, gone } = computer();
  now.isWaiting = true;
  for (const _crash of [1, 2, 3]) gone();
  await clock.pass(10_000);
  expect(now.restarts).toBe(0);
  now.isWaiting = false;
  await clock.pass(1_000);
  expect(now.restarts).toBe(1);
});

test('the app is not started again and again', () => {
  const { now, gone } = computer(true);
  for (const _crash of [1, 2, 3, 4]) gone();
  expect(now.restarts).toBe(0);
});
