import { renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { follow } from '../../../../../main/wallets/callbacks/forwarding/follow-records.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { StoredCallbacks } from './forwarding-support.ts';

let callbacks: StoredCallbacks;
let clock: ManualClock;
let stop: AbortController;
beforeEach(() => {
  callbacks = new StoredCallbacks();
  clock = new ManualClock();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  callbacks.close();
});

/** Follows the records until it is stopped. */
function following(since: number): { readonly seqs: number[]; readonly over: Promise<void> } {
  const seqs: number[] = [];
  const read = async (): Promise<void> => {
    for await (const { seq } of follow({
      reader: callbacks.reader,
      since,
      clock,
      signal: stop.signal,
    }))
      seqs.push(seq);
  };
  return { seqs, over: read() };
}
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test('each record once and in order: what is there, more than one read brings, and what comes later', async () => {
  callbacks.addMany(1, 1_234);
  const { seqs, over } = following(0);
  await clock.pass(250);
  expect(seqs).toEqual(upTo(1_234));
  await clock.pass(60_000);
  callbacks.addMany(1_235, 1_236);
  await clock.pass(250);
  callbacks.addMany(1_237, 1_237);
  await clock.pass(250);
  expect(seqs).toEqual(upTo(1_237));
  stop.abort();
  await over;
});

test('from where somebody stopped, at whichever record that was', async () => {
  callbacks.addMany(1, 9);
  const seen: number[] = [];
  for (let since = 0; since < 9; ) {
    for await (const { seq } of follow({ reader: callbacks.reader, since, clock })) {
      seen.push(seq);
      since = seq;
      if (seq % 2 === 0 || seq === 9) break;
    }
  }
  expect(seen).toEqual(upTo(9));
});

test('ends while it waits, as soon as it is asked to', async () => {
  const { over } = following(0);
  await clock.pass(100);
  stop.abort();
  await over;
});

test('a number that this file has not reached is refused: it was counted in another one', async () => {
  callbacks.addMany(1, 3);
  await expect(following(4).over).rejects.toThrow(
    'the last callback in this file is number 3, so number 4 was one of another file',
  );
  expect(following(3).seqs).toEqual([]);
});

test('ends with an error when the file is exchanged: it would wait for ever', async () => {
  callbacks.addMany(1, 2);
  const { seqs, over } = following(0);
  const ended = expect(over).rejects.toThrow('was removed or exchanged');
  await clock.pass(250);
  renameSync(callbacks.path, `${callbacks.path}.old`);
  await clock.pass(250);
  await ended;
  expect(seqs).toEqual([1, 2]);
});
