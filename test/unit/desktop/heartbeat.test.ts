import { expect, test } from 'vitest';
import { Heartbeat } from '../../../main/desktop/heartbeat.ts';
import { ManualClock } from '../support/manual-clock.ts';

function watched() {
  const clock = new ManualClock();
  const sent: number[] = [];
  const hung: number[] = [];
  const heartbeat = new Heartbeat({ clock, send: (beat) => sent.push(beat), onHung: (silentMs) => hung.push(silentMs) });
  return { clock, sent, hung, heartbeat };
}

test('a page that answers is left alone; one that stops is noticed within a second and a half', async () => {
  const { clock, sent, hung, heartbeat } = watched();
  heartbeat.begin();
  for (let second = 0; second < 20; second += 1) {
    heartbeat.heard(sent.at(-1));
    await clock.pass(500);
  }
  expect(hung).toEqual([]);
  await clock.pass(1_400);
  expect(hung).toHaveLength(1);
});

test('an answer to an older beat counts for nothing', async () => {
  const { clock, hung, heartbeat } = watched();
  heartbeat.begin();
  heartbeat.heard('1');
  heartbeat.heard(7);
  await clock.pass(1_000);
  expect(hung).toHaveLength(1);
});

test('a page that hangs again gets longer each time, so that a slow computer shows a screen at all', async () => {
  const { clock, hung, heartbeat } = watched();
  for (const patienceMs of [1_000, 2_000, 4_000, 8_000, 16_000, 16_000]) {
    const before = hung.length;
    heartbeat.begin();
    await clock.pass(patienceMs - 1);
    expect(hung).toHaveLength(before);
    await clock.pass(1);
    expect(hung).toHaveLength(before + 1);
  }
});
