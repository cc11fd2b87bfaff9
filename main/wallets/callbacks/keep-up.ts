/**
 * Notes until when no callback is missing, and after a time without a receiver asks the service for
 * what was missed.
 */
import { Backoff } from '../../core/domain/backoff.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { catchUp, type FallbackReads } from './catch-up.ts';
import type { CallbackStore } from './callback-store.ts';

const noteEveryMs = 60_000;
const retries = { firstMs: 60_000, maxMs: 30 * 60_000 };
const maxErrorLines = 10;

export interface KeepUpOptions {
  readonly reads: FallbackReads;
  readonly store: CallbackStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Instead of what the store remembers: somebody knows that callbacks were lost since then. */
  readonly sinceMs?: number | undefined;
}

/**
 * Catches up, again and again with growing pauses until every read was answered; from then on notes
 * each minute that nothing is missing. A receiver that starts for the first time has missed
 * nothing.
 * @returns stops it
 */
export function keepUp({ reads, store, clock, log, sinceMs }: KeepUpOptions): Cancel {
  let stopped = false;
  let cancel: Cancel = () => {};
  const since = sinceMs ?? store.completeUntilMs();

  const note = (atMs: number): void => {
    try {
      store.completeUntil(atMs);
    } catch (error) {
      // The next minute tries again; until then the store remembers an earlier time, and nothing is
      // lost by that.
      log.error(
        { error: messageOf(error) },
        'the time until which no callback is missing could not be noted',
      );
    }
    cancel = clock.after(noteEveryMs, () => note(clock.wallMs()));
  };

  const pauses = new Backoff(clock, retries);
  async function ask(fromMs: number): Promise<void> {
    const startedAtMs = clock.wallMs();
    const { requests, stored, unknown, failed } = await catchUp({
      reads,
      store,
      sinceMs: fromMs,
      clock,
    });
    if (stopped) return;
    const facts = { since: new Date(fromMs).toISOString(), asked: requests, stored };
    if (unknown.length > 0)
      log.warn(
        { unknown: unknown.slice(0, maxErrorLines), count: unknown.length },
        'the service does not know what callbacks told of',
      );
    if (failed.length === 0) {
      log.info(facts, 'caught up with what callbacks may have missed');
      return note(startedAtMs);
    }
    const retryMs = pauses.nextMs();
    const errors = failed
      .slice(0, maxErrorLines)
      .map(({ what, error }) => `${what}: ${messageOf(error)}`);
    log.warn(
      { ...facts, failed: failed.length, errors, retryMs },
      'could not catch up with everything; trying again',
    );
    cancel = clock.after(retryMs, () => void ask(fromMs));
  }

  if (since === null) note(clock.wallMs());
  else void ask(since);
  return () => {
    stopped = true;
    cancel();
  };
}
