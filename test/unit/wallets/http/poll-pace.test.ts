import { expect, test, vi } from 'vitest';
import { PollPace } from '../../../../main/wallets/http/poll-pace.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

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
])(
  'after a poll that was told to wait %j ms the next one leaves %i ms later',
  async (retryAfterMs, waited) => {
    const clock = new ManualClock();
    const pace = new PollPace(clock);
    pace.failed(retryAfterMs);
    expect(await waitsMs(clock, pace)).toBe(waited);
  },
);

test.each([
  ['no delay', null, 1_000],
  ['none to speak of', 0, 100],
  ['an hour', 3_600_000, 3_600_000],
  ['40 days', 40 * 24 * 3_600_000, 40 * 24 * 3_600_000],
])(
  'after an answer that names %s the next poll does not leave before that',
  async (_named, pollDelayInMs, waited) => {
    const clock = new ManualClock();
    const pace = new PollPace(clock);
    pace.answered(pollDelayInMs);
    const left = vi.fn();
    void pace.turn(never).then(left);
    await clock.pass(waited - 1);
    expect(left).not.toHaveBeenCalled();
    await clock.pass(1);
    expect(left).toHaveBeenCalledOnce();
  },
);

test('a timer that fires a millisecond early lets no poll leave early', async () => {
  const clock = new ManualClock();
  const hasty = {
    ...clockOf(clock),
    after: (delayMs: number, run: () => void) =>
      clock.after(delayMs > 1 ? delayMs - 1 : delayMs, run),
  };
  const pace = new PollPace(hasty);
  pace.answered(5_000);
  let leftAtMs = 0;
  void pace.turn(never).then(() => (leftAtMs = clock.monotonicMs()));
  await clock.pass(6_000);
  expect(leftAtMs).toBe(5_000);
});

const clockOf = (clock: ManualClock) => ({
  wallMs: () => clock.wallMs(),
  monotonicMs: () => clock.monotonicMs(),
  elapsedMs: () => clock.elapsedMs(),
});
