/** Reads every record in order, for the commands `follow` and `forward`. */
import { type Clock, sleep } from '../../../core/domain/clock.ts';
import type { StoredRecord } from '../callback-record.ts';
import type { CallbackReader } from '../sqlite-reader.ts';

/**
 * Short compared with the delay of the service, whose callbacks may be two minutes late (document
 * 1, "Events").
 */
const lookEveryMs = 250;
const maxAtOnce = 500;

export interface FollowOptions {
  readonly reader: CallbackReader;
  /** Number of the last record that is known already; 0 for none. */
  readonly since: number;
  readonly clock: Clock;
  /** Awaited before each read, also while no records come. */
  readonly looked?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Yields the records after `since`, each once and in order, and then waits for more. A slow
 * consumer delays it. Ends when `signal` is aborted.
 * @throws FollowError when `since` is not a number of this file, or the file was replaced meanwhile
 */
export async function* follow({
  reader,
  since,
  clock,
  looked = async () => {},
  signal,
}: FollowOptions): AsyncGenerator<StoredRecord, void, undefined> {
  const last = reader.lastSeq();
  if (since > last)
    throw new FollowError(
      `the last callback in this file is number ${last}, so number ${since} was one of another file`,
    );
  const isOver = (): boolean => signal?.aborted ?? false;
  for (let seq = since; !isOver(); ) {
    await looked();
    const records = reader.since(seq, maxAtOnce);
    for (const record of records) {
      yield record;
      seq = record.seq;
      if (isOver()) return;
    }
    if (records.length > 0) continue;
    if (reader.isReplaced())
      throw new FollowError(
        "the callbacks' file was removed or exchanged: what comes next is in another one",
      );
    try {
      await sleep(clock, lookEveryMs, signal);
    } catch (error) {
      if (isOver()) return;
      throw error;
    }
  }
}

class FollowError extends Error {
  override readonly name = 'FollowError';
}
