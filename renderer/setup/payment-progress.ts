import type { LaneView } from '../../preload/contract.ts';

/** How far one payment of a lane is, from the lane's view. */
export type PaymentProgress =
  | { readonly kind: 'asked' | 'customerFound' | 'approveInApp' | 'confirming' | 'cancelling' }
  | { readonly kind: 'waitingForCustomer'; readonly qr: string | null }
  /** `captured`: the service has confirmed it. */
  | { readonly kind: 'paid' | 'captured' }
  | { readonly kind: 'notPaid'; readonly reason: Exclude<LaneView['recent'][number]['reason'], 'held' | null>; readonly isConfirmed: boolean }
  /** The service contradicts what was decided: nobody can say whether money moved. */
  | { readonly kind: 'contested' };

/** @param view null while it is not known */
export function paymentProgress(view: Pick<LaneView, 'state' | 'recent'> | null, saleId: string): PaymentProgress {
  const recent = view?.recent.find((one) => one.saleId === saleId);
  if (recent?.certainty === 'contested') return { kind: 'contested' };
  if (recent !== undefined) {
    const isConfirmed = recent.certainty === 'confirmed';
    // Only reserved: a test payment never is.
    if (recent.reason === 'held') return { kind: 'confirming' };
    if (recent.reason !== null) return { kind: 'notPaid', reason: recent.reason, isConfirmed };
    return { kind: isConfirmed ? 'captured' : 'paid' };
  }
  const state = view?.state;
  if (state === undefined || !('saleId' in state) || state.saleId !== saleId) return { kind: 'asked' };
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
