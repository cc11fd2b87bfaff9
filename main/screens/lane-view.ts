import type { LaneState, LaneView } from '../../preload/contract.ts';
import { claimantOf } from '../payment/payment.ts';
import { type LaneSnapshot, progressOf, type RefundShown } from '../lane/snapshot.ts';

/** A lane as its screens may see it: one clear state, and the money that is not settled yet. */
export function laneView(lane: LaneSnapshot): LaneView {
  return {
    laneId: lane.laneId,
    name: lane.name,
    currency: lane.currency,
    state: laneState(lane),
    till: { address: lane.till.address, link: lane.till.state, detail: lane.till.detail },
    refund: lane.refund && refundView(lane.refund),
    unsettled: lane.unsettled.map(({ problem, ...facts }) => ({ ...facts, needsPerson: problem !== null })),
    recent: lane.recent.map(({ outcome, ...sale }) => ({ ...sale, reason: outcome.paid ? null : outcome.reason })),
    journalDamage: lane.journalDamage,
  };
}

/** A sale under way comes first, then what just happened, then whether the next one can. */
function laneState(lane: LaneSnapshot): LaneState {
  if (lane.current !== null) {
    const { payment, remainingMs, mayLeaveInMs } = lane.current;
    const { saleId, amountMinor, currency } = payment.sale;
    const kind = progressOf(payment) ?? 'confirming';
    // The code is shown while scanning it can still lead somewhere.
    const qr = kind === 'waitingForCustomer' ? lane.qr : null;
    const onItsWay = { saleId, amountMinor, currency, by: claimantOf(payment.sale), remainingMs, qr };
    return kind === 'cancelling' ? { kind, ...onItsWay, canCancel: false, mayLeaveInMs: mayLeaveInMs ?? 0 } : { kind, ...onItsWay, canCancel: kind !== 'confirming' };
  }
  if (lane.result !== null) {
    const { outcome, ...sale } = lane.result;
    return outcome.paid ? { kind: 'paid', ...sale } : { kind: 'notPaid', ...sale, reason: outcome.reason };
  }
  return lane.condition.kind === 'open' ? { kind: 'idle' } : { kind: 'notReady', reason: lane.condition.reason, detail: lane.condition.detail };
}

function refundView({ refund, outcome }: RefundShown): LaneView['refund'] {
  const { saleId, refundOrderId, amountMinor, currency } = refund.request;
  const facts = { saleId, refundOrderId, amountMinor, currency };
  if (outcome === null) return { kind: 'refunding', ...facts };
  return outcome.refunded ? { kind: 'refunded', ...facts } : { kind: 'notRefunded', ...facts, reason: outcome.reason };
}
