import { expect, test } from 'vitest';
import { PollPace } from '../../../main/wallet/http/poll-pace.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';

const never = new AbortController().signal;

async function waitsMs(clock: ManualClock, pace: PollPace): Promise<number> {
  let isDue = false;
  const fromMs = clock.monotonicMs();
  void pace.turn(never).then(() => (isDue = true));
  for (await settled(); !isDue; await settled()) await clock.pass(100);
  return clock.monotonicMs() - fromMs;
}

test.each([
  [null, 1_000],
  [5_000, 5_000],
  [60_000, 60_000],
])('after a poll that was told to wait %j ms the next one leaves %i ms later', async (retryAfterMs, waited) => {
  const clock = new ManualClock();
  const pace = new PollPace(clock);
  pace.failed(retryAfterMs);
  expect(await waitsMs(clock, pace)).toBe(waited);
});
