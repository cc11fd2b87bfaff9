import type { Clock } from '../../core/domain/clock.ts';
import { type AnySettlement, kindOf } from '../../core/settlement/kinds.ts';
import { isFinal, isHeld, outcomeOf } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
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
  first: AnySettlement,
  { metrics, tracer, clock }: SettlementWatchOptions,
): (next: AnySettlement) => void {
  const { noun } = kindOf(first);
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

function outcomeName(state: AnySettlement): string | null {
  // Payments have a sale, refunds do not.
  if ('sale' in state) {
    const outcome = outcomeOf(state as Payment);
    return outcome && (outcome.paid ? 'paid' : outcome.reason);
  }
  const outcome = outcomeOf(state as Refund);
  return outcome && (outcome.refunded ? 'refunded' : outcome.reason);
}
