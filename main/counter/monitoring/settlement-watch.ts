import type { Clock } from '../../core/domain/clock.ts';
import { isPayment, type Settlement, nounOf } from '../../core/settlement/payment-or-refund.ts';
import { isFinal, isHeld, outcomeOf, refundOutcomeOf } from '../../core/settlement/outcome.ts';
import type { Metrics } from './metrics.ts';
import type { OpenTrace, Tracer } from './tracer.ts';

interface SettlementWatchOptions {
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly clock: Clock;
}

/**
 * Observes a payment or refund of a lane. @returns a function that is to be called with each
 * further state
 */
export function watchSettlement(
  laneId: string,
  first: Settlement,
  { metrics, tracer, clock }: SettlementWatchOptions,
): (next: Settlement) => void {
  const noun = nounOf(first);
  let now = first;
  let sinceMs = clock.monotonicMs();
  let trace: OpenTrace | null = tracer.begin(laneId, first);
  return (next) => {
    const before = now;
    now = next;
    if (next.kind !== before.kind) {
      const atMs = clock.monotonicMs();
      if (!isHeld(before))
        metrics.observe(
          'tillbeacon_phase_seconds',
          { kind: noun, phase: before.kind },
          (atMs - sinceMs) / 1000,
        );
      if (isHeld(before)) trace = tracer.begin(laneId, next);
      else trace?.phase(before.kind);
      sinceMs = atMs;
    }
    const outcome = outcomeName(next);
    const outcomeBefore = outcomeName(before);
    // An outcome that changes later, as when a person has to act, was counted before.
    if (
      outcome !== null &&
      outcome !== outcomeBefore &&
      (outcomeBefore === null || outcomeBefore === 'held')
    )
      metrics.count(noun === 'payment' ? 'tillbeacon_payments_total' : 'tillbeacon_refunds_total', {
        lane: laneId,
        outcome,
      });
    if (isFinal(next) || isHeld(next)) {
      trace?.end(next.kind, outcome);
      trace = null;
    }
  };
}

function outcomeName(state: Settlement): string | null {
  // Payments have a sale, refunds do not.
  if (isPayment(state)) {
    const outcome = outcomeOf(state);
    return outcome && (outcome.paid ? 'paid' : outcome.reason);
  }
  const outcome = refundOutcomeOf(state);
  return outcome && (outcome.refunded ? 'refunded' : outcome.reason);
}
