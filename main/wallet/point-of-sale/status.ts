import type { SeenStatus } from '../port.ts';
import type { Profile } from '../profile.ts';

/** The interface's payment states (document 4, section 1.3) and ours: the one place where the names meet. */
const known: Readonly<Record<string, SeenStatus>> = {
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

/**
 * The provider's own cancellation bears its brand, so any other `CancelledBy…` or `RejectedBy…` is read as one:
 * final, and no money moves (document 4, sections 0 and 1.2).
 */
export function paymentStatus(profile: Profile, status: string): SeenStatus {
  const name = known[status];
  if (name !== undefined) return name;
  return status === profile.cancelledByProvider || /^(CancelledBy|RejectedBy)/.test(status) ? 'cancelledByService' : 'unknown';
}
