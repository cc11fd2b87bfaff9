import type { PaymentEvent } from '../../main/domain/settlement/payment.ts';
import type { RefundEvent } from '../../main/domain/settlement/refund.ts';

/** Where the daemon can be caught: what is seen of it from outside, on each of its three sides. */

/** Of the service: a request has come and is not answered; was carried out and its answer held back; its answer has left. */
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
  /** The answer to a poll that says so has left. */
  | 'Reserved is told'
  /** As the till sees it; the second: its answer to the result has just left. */
  | 'the till hears 80 00 00'
  | 'the till hears 04 0F'
  | 'the till acknowledged 04 0F'
  | 'the till hears 06 0F'
  /** The event has just become readable on disk. */
  | `on disk: ${(PaymentEvent | RefundEvent)['type']}`
  /** Half of what belongs together may be in the file. */
  | 'the journal is being written'
  /** The service has noted something that it may not have acted on, or answered. */
  | 'the books are being written';

/** Up to where the customer decides. */
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

/** Of a payment that ends as paid. */
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

/** Of one that is cancelled. */
export const cancelSteps: readonly Step[] = ['on disk: cancelIntended', 'cancel arrives', 'cancel is done', 'cancel is answered', 'on disk: ended'];

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

const isAtTheTill = (step: Step): boolean => step.startsWith('the till') || step === 'on disk: tillAcknowledged';
/** Of what no till hears: a payment by hand, a manager's refund. */
export const paidByHandSteps: readonly Step[] = paidSteps.filter((step) => !isAtTheTill(step));
export const managerRefundSteps: readonly Step[] = refundSteps.filter((step) => !isAtTheTill(step));

/** Before the service acts on what moves money, and after, when nobody has its answer yet. */
const atTheService: ReadonlySet<Step> = new Set(
  (['create', 'capture', 'cancel', 'createRefund', 'captureRefund', 'cancelRefund'] as const).flatMap((request) => [
    `${request} arrives` as const,
    `${request} is done` as const,
  ]),
);
export const serviceSteps = (steps: readonly Step[]): Step[] => steps.filter((step) => atTheService.has(step));

/** Who is told that a step was reached; at once, so that a kill hits it. */
export type OnStep = (step: Step) => void;
