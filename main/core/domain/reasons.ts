/** Why something did not happen: the words for each are the screens' and the till's. */

/**
 * Why no money moves. One sentence for the cashier and one result code for the till belong to each.
 */
export const notPaidReasons = [
  /** The request was on the customer's phone and was refused there. */
  'declinedByCustomer',
  /** The customer left before the amount was on the phone. */
  'cancelledByCustomer',
  'cancelledByTill',
  'cancelledByCashier',
  /** A reservation that was held. */
  'cancelledByManager',
  /**
   * A cancel stayed unanswered, and the cashier would not wait any longer: what the customer sees
   * is not known.
   */
  'leftByCashier',
  /** Card refused, or nobody acted: the service does not say which. */
  'cancelledByService',
  /** The reservation ran out. */
  'expired',
  /** Our own deadline. */
  'timedOut',
  'tillGone',
  /** The till never acknowledged the result. */
  'notDelivered',
  /** The daemon was restarted in the middle. */
  'interrupted',
  /** The service would not create the payment. */
  'refusedByService',
  /** Credentials, store or point of sale are not allowed to take payments. */
  'notOnboarded',
  /** The service does not accept the keys: they are wrong, revoked, or of the other environment. */
  'credentialsRefused',
  'serviceUnreachable',
  /** The service would take no more requests for now. */
  'serviceBusy',
  /** The code of the payment could not be shown, so no customer could approve it. */
  'codeNotShown',
  /** The service reserved something else than was asked. */
  'amountMismatch',
  /** The service took money that nobody here had decided to take: a person must see to it. */
  'unclear',
] as const;
export type NotPaidReason = (typeof notPaidReasons)[number];

/**
 * Why no money goes back. One sentence for the cashier and one result code for the till belong to
 * each.
 */
export const notRefundedReasons = [
  /** 1354. */
  'notCaptured',
  /** 1365. */
  'currencyDiffers',
  /** 1366: older than `refundDays`. */
  'tooOld',
  /** 1367, or our own books: more than is left of the payment. */
  'amountTooHigh',
  /** 1368: the store's balance does not cover it. */
  'balanceTooLow',
  'refusedByService',
  'notOnboarded',
  'credentialsRefused',
  'serviceUnreachable',
  'cancelledByTill',
  'cancelledByManager',
  /** The provider ended it. */
  'cancelledByService',
  /** It was not reserved in time. */
  'timedOut',
  'tillGone',
  /** The till never acknowledged the result. */
  'notDelivered',
  /** The daemon was restarted in the middle. */
  'interrupted',
  /** The service paid out what nobody here had decided to pay out: a person must see to it. */
  'unclear',
] as const;
export type NotRefundedReason = (typeof notRefundedReasons)[number];

/**
 * What a person has to see to. captureLost: the till was told "paid", and the reservation is gone.
 * otherAmountCaptured: it was told "paid", and somebody captured another amount in the service's
 * portal. capturedUnasked: money was taken although nobody here decided so.
 */
export const personProblems = ['captureLost', 'otherAmountCaptured', 'capturedUnasked'] as const;
export type PersonProblem = (typeof personProblems)[number];

/**
 * The same of refunds. refundLost: we said "refunded", and it was cancelled at the service.
 * refundUnseen: the service took the request of a refund in one step, and does not show it.
 * paidOutUnasked: the money went out although we had cancelled.
 */
export const refundProblems = ['refundLost', 'refundUnseen', 'paidOutUnasked'] as const;
export type RefundProblem = (typeof refundProblems)[number];

/** Why a lane takes no payments. */
export const notReadyReasons = [
  'starting',
  'settlingOpenPayments',
  'serviceUnreachable',
  'credentialsRefused',
  'pointOfSaleRefused',
  'storageFailed',
  'tillPortFailed',
  /** The clock of this computer is known to be wrong, and the service has not told the time. */
  'clockWrong',
] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];
