import type { RefundPollAnswer, SeenStatus } from '../../../core/lane/wallet-port.ts';
import type { Profile } from '../v10-profile.ts';

/**
 * Translates the interface's payment states (document 4, section 1.3) into ours; names are
 * translated nowhere else.
 */
const paymentStatuses: Readonly<Record<string, SeenStatus>> = {
  Prepared: 'prepared',
  Initiated: 'initiated',
  Paired: 'paired',
  IssuedToUser: 'issuedToUser',
  Reserved: 'reserved',
  Captured: 'captured',
  CancelledByUser: 'cancelledByUser',
  CancelledByClient: 'cancelledByClient',
  ExpiredAndCancelled: 'expired',
};

type RefundStatus = Extract<RefundPollAnswer, { kind: 'seen' }>['status'];

/**
 * Statuses of refunds (document 4, section 1.4): one that nobody decided for a day was captured,
 * too.
 */
const refundStatuses: Readonly<Record<string, RefundStatus>> = {
  Initiated: 'initiated',
  Reserved: 'reserved',
  Captured: 'captured',
  ExpiredAndCaptured: 'captured',
  CancelledByClient: 'cancelledByClient',
  /** The name in the documents of 2020 for what is ExpiredAndCaptured now. */
  ExpiredAndCancelled: 'cancelledByService',
};

/**
 * The provider's own cancellation bears its brand, so any other `CancelledBy…` or `RejectedBy…` is
 * read as one: final, and no money moves (document 4, sections 0 and 1.2).
 */
export function paymentStatus(profile: Profile, status: string): SeenStatus {
  return (
    paymentStatuses[status] ??
    (isCancelledByProvider(profile, status) ? 'cancelledByService' : 'unknown')
  );
}

const active: ReadonlySet<string> = new Set([
  'prepared',
  'initiated',
  'paired',
  'issuedToUser',
] satisfies SeenStatus[]);

/**
 * Whether a payment keeps others from beginning at this point of sale (document 4, section 1.3); no
 * money is reserved.
 */
export const isActive = (profile: Profile, status: string): boolean =>
  active.has(paymentStatus(profile, status));

/** The status of a refund, as `paymentStatus` tells that of a payment. */
export function refundStatus(profile: Profile, status: string): RefundStatus {
  return (
    refundStatuses[status] ??
    (isCancelledByProvider(profile, status) ? 'cancelledByService' : 'unknown')
  );
}

function isCancelledByProvider(profile: Profile, status: string): boolean {
  return status === profile.cancelledByProvider || /^(CancelledBy|RejectedBy)/.test(status);
}
