import { type Approach, checkInApproachOf, radioOf } from '../../main/core/domain/beacons.ts';
import type { LaneView } from '../../preload/contract.ts';

/** How far a payment is, derived from its lane's view. */
export type PaymentProgress =
  | { readonly kind: 'asked' | 'customerFound' | 'approveInApp' | 'confirming' | 'cancelling' }
  | { readonly kind: 'waitingForCustomer'; readonly qr: string | null }
  /** `captured` is a payment that the service has confirmed. */
  | { readonly kind: 'paid' | 'captured' }
  | {
      readonly kind: 'notPaid';
      readonly reason: Exclude<LaneView['recent'][number]['reason'], 'held' | null>;
      readonly isConfirmed: boolean;
    }
  /** The service's state contradicts the decision, so it is not certain whether money moved. */
  | { readonly kind: 'contested' };

/**
 * What the person at the phone is to do now; null when there is no code and no beacon, or nothing
 * to do.
 */
export function customerPrompt(
  progress: PaymentProgress,
  beacons: LaneView['beacons'],
): Approach | null {
  if (progress.kind !== 'waitingForCustomer') return null;
  if (progress.qr === null && radioOf(beacons) === null) return null;
  return checkInApproachOf(beacons, progress.qr !== null);
}

/** @param view null until the daemon has sent one */
export function paymentProgress(
  view: Pick<LaneView, 'state' | 'recent'> | null,
  saleId: string,
): PaymentProgress {
  const recent = view?.recent.find((one) => one.saleId === saleId);
  if (recent?.certainty === 'contested') return { kind: 'contested' };
  if (recent !== undefined) {
    const isConfirmed = recent.certainty === 'confirmed';
    // A reservation is not captured yet. Test payments are never only reserved.
    if (recent.reason === 'held') return { kind: 'confirming' };
    if (recent.reason !== null) return { kind: 'notPaid', reason: recent.reason, isConfirmed };
    return { kind: isConfirmed ? 'captured' : 'paid' };
  }
  const state = view?.state;
  if (state === undefined || !('saleId' in state) || state.saleId !== saleId)
    return { kind: 'asked' };
  switch (state.kind) {
    case 'contactingService':
      return { kind: 'asked' };
    case 'waitingForCustomer':
      return { kind: 'waitingForCustomer', qr: state.qr };
    case 'customerFound':
    case 'approveInApp':
    case 'confirming':
    case 'cancelling':
    case 'paid':
      return { kind: state.kind };
    case 'reserved':
      return { kind: 'confirming' };
    case 'notPaid':
      return { kind: 'notPaid', reason: state.reason, isConfirmed: state.known === 'notMoved' };
  }
}
