import { expect, test } from 'vitest';
import { CheckInTest } from '../../../../main/counter/setup/check-in-test.ts';
import type { CheckInAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

const seen = (isCheckedIn: boolean): CheckInAnswer => ({
  kind: 'seen',
  isCheckedIn,
  customer: {} as never,
});
const unknown: CheckInAnswer = { kind: 'unknown', detail: 'no answer' };

/** A lane whose look-ups a test answers. They come once a second, as the service wants them. */
function begin() {
  const clock = new ManualClock();
  const lane: { answer: CheckInAnswer; isFree: boolean; lookUps: number } = {
    answer: seen(false),
    isFree: true,
    lookUps: 0,
  };
  const checkIn = new CheckInTest({
    laneId: '1',
    clock,
    lane: {
      isFree: () => lane.isFree,
      watch: {
        poll: async (signal) => {
          await new Promise<void>((resolve) => clock.after(1_000, resolve));
          signal.throwIfAborted();
          lane.lookUps += 1;
          return lane.answer;
        },
      },
    },
  });
  /** As a page that stays open: it asks all the time. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await clock.pass(1_000);
      await settled();
      checkIn.state();
    }
  };
  return { clock, lane, checkIn, pass };
}

test('a phone that checks in is told with the time, and the service is not asked again', async () => {
  const { clock, lane, checkIn, pass } = begin();
  await pass(3);
  expect(checkIn.state()).toMatchObject({ state: 'waiting', laneId: '1', atMs: null });
  lane.answer = seen(true);
  await pass(2);
  expect(checkIn.state()).toMatchObject({ state: 'checkedIn', remainingMs: 0 });
  expect(checkIn.state().atMs).toBeLessThanOrEqual(clock.wallMs());
  const { lookUps } = lane;
  await pass(10);
  expect(lane.lookUps).toBe(lookUps);
});

test('somebody who was there before proves nothing: the phone has to leave and to come again', async () => {
  const { lane, checkIn, pass } = begin();
  lane.answer = seen(true);
  await pass(5);
  expect(checkIn.state().state).toBe('occupied');
  lane.answer = seen(false);
  await pass(2);
  expect(checkIn.state().state).toBe('waiting');
  lane.answer = seen(true);
  await pass(2);
  expect(checkIn.state().state).toBe('checkedIn');
});

test('an answer that is missing now and then ends nothing, and is no answer "nobody"', async () => {
  const { lane, checkIn, pass } = begin();
  lane.answer = unknown;
  await pass(2);
  lane.answer = seen(true);
  await pass(2);
  expect(checkIn.state().state).toBe('occupied');
});

test('when nobody came within two minutes the look-ups end', async () => {
  const { lane, checkIn, pass } = begin();
  await pass(60);
  expect(checkIn.state()).toMatchObject({ state: 'waiting', remainingMs: 60_000 });
  await pass(61);
  expect(checkIn.state()).toMatchObject({ state: 'nobody', remainingMs: 0 });
  const { lookUps } = lane;
  await pass(10);
  expect(lane.lookUps).toBe(lookUps);
});

test('a phone that never left is told as such when the time is over', async () => {
  const { lane, checkIn, pass } = begin();
  lane.answer = seen(true);
  await pass(121);
  expect(checkIn.state().state).toBe('neverFree');
});

test('a service that does not answer is not told as "nobody came"', async () => {
  const { lane, checkIn, pass } = begin();
  lane.answer = unknown;
  await pass(6);
  expect(checkIn.state().state).toBe('unanswered');
});

test('a payment at the lane ends it: that customer checks in too', async () => {
  const { lane, checkIn, pass } = begin();
  await pass(2);
  lane.isFree = false;
  lane.answer = seen(true);
  await pass(2);
  expect(checkIn.state().state).toBe('busy');
});

test('it ends when it is stopped, and when its page is gone', async () => {
  const stopped = begin();
  await stopped.pass(2);
  stopped.checkIn.stop();
  expect(stopped.checkIn.state().state).toBe('stopped');
  const forgotten = begin();
  await forgotten.pass(2);
  for (let second = 0; second < 31; second += 1) {
    await forgotten.clock.pass(1_000);
    await settled();
  }
  expect(forgotten.checkIn.state().state).toBe('stopped');
  const { lookUps } = forgotten.lane;
  await forgotten.pass(5);
  expect(forgotten.lane.lookUps).toBe(lookUps);
});
