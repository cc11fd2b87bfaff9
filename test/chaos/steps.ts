import type { PaymentEvent } from '../../main/core/settlement/payment.ts';
import type { RefundEvent } from '../../main/core/settlement/refund.ts';

/** The steps at which the daemon can be killed, as seen from outside on each of its three sides. */

/**
 * The moments of a request at the service: it has arrived; it was carried out and its answer is
 * held back; its answer was sent.
 */
type WalletMoment = 'arrives' | 'is done' | 'is answered';
export type WalletRequest =
  | 'create'
  | 'ready'
  | 'poll'
  | 'capture'
  | 'cancel'
  | 'lookUp'
  | 'createRefund'
  | 'pollRefund'
  | 'captureRefund'
  | 'cancelRefund'
  | 'lookUpRefund';

export type Step =
  | `${WalletRequest} ${WalletMoment}`
  /** The answer to the poll that says Reserved was sent. */
  | 'Reserved is told'
  /**
   * The steps as the till sees them. `acknowledged` means that its answer to the result was just
   * sent.
   */
  | 'the till hears 80 00 00'
  | 'the till hears 04 0F'
  | 'the till acknowledged 04 0F'
  | 'the till hears 06 0F'
  /** The event has just become readable on disk. */
  | `on disk: ${(PaymentEvent | RefundEvent)['type']}`
  /** The journal's file was written to, perhaps with a part of a transaction. */
  | 'the journal is being written'
  /** The service has stored a change that it may not have answered yet. */
  | 'the books are being written';

/** The steps until the customer decides. */
export const waitingSteps: readonly Step[] = [
  'on disk: saleRequested',
  'the till hears 80 00 00',
  'create arrives',
  'create is done',
  'create is answered',
  'on disk: created',
  'poll arrives',
  'poll is answered',
];

/** The steps of a payment that ends as paid. */
export const paidSteps: readonly Step[] = [
  ...waitingSteps,
  'Reserved is told',
  'on disk: captureIntended',
  'the till hears 04 0F',
  'the till acknowledged 04 0F',
  'on disk: tillAcknowledged',
  'the till hears 06 0F',
  'capture arrives',
  'capture is done',
  'capture is answered',
  'on disk: captured',
];

/** The steps of a payment that is cancelled. */
export const cancelSteps: readonly Step[] = [
  'on disk: cancelIntended',
  'cancel arrives',
  'cancel is done',
  'cancel is answered',
  'on disk: ended',
];

export const refundSteps: readonly Step[] = [
  'on disk: refundRequested',
  'createRefund arrives',
  'createRefund is done',
  'createRefund is answered',
  'pollRefund is answered',
  'on disk: captureIntended',
  'the till hears 04 0F',
  'the till acknowledged 04 0F',
  'on disk: tillAcknowledged',
  'captureRefund arrives',
  'captureRefund is done',
  'captureRefund is answered',
];

const isAtTheTill = (step: Step): boolean =>
  step.startsWith('the till') || step === 'on disk: tillAcknowledged';
/** The steps of a payment by hand, in which no till takes part. */
export const paidByHandSteps: readonly Step[] = paidSteps.filter((step) => !isAtTheTill(step));
export const managerRefundSteps: readonly Step[] = refundSteps.filter((step) => !isAtTheTill(step));

/** Before the service acts on what moves money, and after, when nobody has its answer yet. */
const atTheService: ReadonlySet<Step> = new Set(
  (
    ['create', 'capture', 'cancel', 'createRefund', 'captureRefund', 'cancelRefund'] as const
  ).flatMap((request) => [`${request} arrives` as const, `${request} is done` as const]),
);
export const serviceSteps = (steps: readonly Step[]): Step[] =>
  steps.filter((step) => atTheService.has(step));

/** Called at once when a step is reached, so that a kill hits it. */
export type OnStep = (step: Step) => void;
