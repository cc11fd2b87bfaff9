import { Backoff } from '../domain/backoff.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { OpenAnswer, OpenPayment, PointOfSaleClient } from './wallet-port.ts';
import type { LaneCondition } from './snapshot.ts';

/** Short at first, because the service may only be starting. */
const retries = { firstMs: 250, maxMs: 10_000 };

export interface OpeningOptions {
  readonly wallet: PointOfSaleClient;
  /** See `PointOfSaleClient.clear`. */
  readonly mayCancel: (found: OpenPayment) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the lane is closing; the attempts then end. */
  readonly closing: AbortSignal;
  /** Called with the reason why it has not succeeded yet. */
  readonly waiting: (condition: LaneCondition) => void;
}

/**
 * Opens the point of sale at the service, however long that takes; null when the lane closes
 * meanwhile.
 */
export async function openPointOfSale({
  wallet,
  clock,
  log,
  closing,
  waiting,
}: OpeningOptions): Promise<Extract<OpenAnswer, { kind: 'open' }> | null> {
  const pauses = new Backoff(clock, retries);
  for (;;) {
    const answer = await wallet.open();
    if (closing.aborted) return null;
    if (answer.kind === 'open') return answer;
    const reason = answer.kind === 'unreachable' ? 'serviceUnreachable' : answer.kind;
    log.error(
      { reason, detail: answer.detail },
      'the lane cannot be opened at the wallet service yet',
    );
    waiting({ kind: 'notReady', reason, detail: answer.detail });
    await pauses.wait(closing);
  }
}

/**
 * Cancels abandoned active payments, and repeats that until it succeeds (document 4, section
 * 1.9, step 6).
 */
export async function clearPointOfSale({
  wallet,
  mayCancel,
  clock,
  closing,
  waiting,
}: OpeningOptions): Promise<void> {
  const pauses = new Backoff(clock, retries);
  while (!closing.aborted) {
    const answer = await wallet.clear(mayCancel);
    if (answer.kind === 'done') return;
    waiting({ kind: 'notReady', reason: 'serviceUnreachable', detail: answer.detail });
    await pauses.wait(closing);
  }
}

/**
 * Failed attempts since the restart after which the lane no longer waits. One for a cancellation:
 * what is still active is cleared before the lane opens, and anything else does not block it.
 */
const enoughAttempts = { capturing: 3, cancelling: 1 } as const;

/**
 * Whether the lane may open although the service has not confirmed this since the restart. What is
 * undecided is always waited for.
 */
export function hasEnoughAttempts(state: { readonly kind: string }, failedBefore: number): boolean {
  const { kind } = state;
  return (
    (kind === 'capturing' || kind === 'cancelling') &&
    failedAttempts(state) >= failedBefore + enoughAttempts[kind]
  );
}

/** Attempts that failed since the decision; none while it is undecided. */
export const failedAttempts = (state: object): number =>
  'failedAttempts' in state && typeof state.failedAttempts === 'number' ? state.failedAttempts : 0;
