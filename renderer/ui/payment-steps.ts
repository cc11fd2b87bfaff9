import { approachOf } from '../../main/core/domain/beacons.ts';
import type { LaneStateKind, LaneView } from '../../preload/contract.ts';

export type PaymentStep = 'scan' | 'checkIn' | 'found' | 'approve' | 'scanAndApprove' | 'paid';

/**
 * The steps of a payment, the same from its beginning to its end: those alone that the service
 * tells. A service with a code for each payment tells only the approval. Who is named at the
 * counter is known here.
 */
export function paymentSteps({
  beacons,
  named,
  codePerPayment,
}: Pick<LaneView, 'beacons' | 'named' | 'codePerPayment'>): readonly PaymentStep[] {
  if (named !== undefined) return ['scan', 'approve', 'paid'];
  if (codePerPayment === true) return ['scanAndApprove', 'paid'];
  return [approachOf(beacons) === 'code' ? 'scan' : 'checkIn', 'found', 'approve', 'paid'];
}

/**
 * The place of the step that a payment waits for, behind the last one when it is paid; null for one
 * that has ended otherwise, or that is being cancelled.
 */
export function currentStep(steps: readonly PaymentStep[], kind: LaneStateKind): number | null {
  const approving = steps.length - 2;
  switch (kind) {
    case 'contactingService':
    case 'waitingForCustomer':
      return 0;
    case 'customerFound':
      return steps.includes('found') ? steps.indexOf('found') : approving;
    case 'approveInApp':
      return approving;
    case 'confirming':
      return steps.length - 1;
    case 'paid':
      return steps.length;
    default:
      return null;
  }
}
