import { expect, test } from 'vitest';
import { Heartbeat } from '../../../../main/host/desktop/heartbeat.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function watched() {
  const clock = new ManualClock();
  const sent: number[] = [];
  const hung: number[] = [];
  const heartbeat = new Heartbeat({
    clock,
    send: (beat) => sent.push(beat),
    onHung: (silentMs) => hung.push(silentMs),
  });
  /** The page answers each message after `answerMs`, for so long. */
  const answers = async (answerMs: number, forMs: number): Promise<void> => {
    const untilMs = clock.monotonicMs() + forMs;
    while (clock.monotonicMs() < untilMs) {
      await clock.pass(answerMs);
      heartbeat.receive(sent.at(-1));
      await clock.pass(400);
    }
  };
  /** How long the page has to be silent until it counts as hung. */
  const patience = async (): Promise<number | undefined> => {
    await clock.pass(20_000);
    return hung.at(-1);
  };
  return { clock, sent, hung, heartbeat, answers, patience };
}

test('a page that answers is left alone; one that has done so for a while, and stops, is noticed after a second', async () => {
  const { hung, heartbeat, answers, patience } = watched();
  heartbeat.begin();
  await answers(20, 60_000);
  expect(hung).toEqual([]);
  expect(await patience()).toBe(1_000);
});

test('an answer to an older beat counts for nothing', async () => {
  const { heartbeat, patience } = watched();
  heartbeat.begin();
  heartbeat.receive('1');
  heartbeat.receive(7);
  expect(await patience()).toBe(10_000);
});

test('a page that has just been loaded gets longer', async () => {
  const { heartbeat, patience } = watched();
  heartbeat.begin();
  expect(await patience()).toBe(10_000);
});

test('on a busy computer, where answers are late, a page gets longer, until they are quick again', async () => {
  const { hung, heartbeat, answers, patience } = watched();
  heartbeat.begin();
  await answers(20, 60_000);
  await answers(600, 10_000);
  await answers(2_900, 1);
  expect(hung).toEqual([]);
  await answers(20, 60_000);
  expect(await patience()).toBe(1_000);
});

test('a page that hangs again gets longer each time, so that a slow computer shows a screen at all', async () => {
  const { heartbeat, patience } = watched();
  for (const patienceMs of [10_000, 16_000, 16_000]) {
    heartbeat.begin();
    expect(await patience()).toBe(patienceMs);
  }
});

test('one very late answer counts for no more than the longest patience', async () => {
  const { heartbeat, answers, patience } = watched();
  heartbeat.begin();
  await answers(9_900, 1);
  await answers(20, 61_000);
  expect(await patience()).toBe(1_000);
});
