/** The journal in words, for support and bookkeeping. */
import { isWaitedFor } from '../settlement/outcome.ts';
import { claimantOf, type Payment, type PaymentEvent, type Sale } from '../settlement/payment.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { Refund, RefundEvent } from '../settlement/refund.ts';
import { toMajorUnits } from '../domain/money.ts';
import { plainLines } from '../domain/outside-text.ts';
import type { JournalEntry } from './journal.ts';
import type { RefundRecord, SaleRecord } from './reader.ts';

const paymentWords: Record<PaymentEvent['type'], string> = {
  saleRequested: 'the till asked for',
  foundAtService: 'found at the service, captured by another counter',
  refundsSeen: 'the service reports a different total of refunds that are not of this journal',
  createUnknown: 'whether the service created it is not known',
  pointOfSaleBlocked: 'another payment blocks the point of sale',
  createRepeated: 'asked to create it again',
  created: 'the service created it',
  statusSeen: 'the service said',
  stopRequested: 'cancellation requested',
  amountAgreed: 'the customer was found, the amount was agreed',
  captureIntended: 'reserved; decided to capture, the till is told "paid"',
  tillAcknowledged: 'the till accepted "paid"',
  cancelIntended: 'decided to cancel',
  attemptFailed: 'an attempt to settle it failed',
  captured: 'the service confirmed the capture',
  ended: 'ended without payment',
  foundLate: 'its request had arrived at the service after all; decided to cancel',
  personNeeded: 'needs attention',
  pollDelayNamed: 'the service asked for a pause between questions',
  holdIntended: 'reserved; decided to hold it, the till is told "reserved"',
  bookingRequested:
    'the till asked to capture or cancel the reservation, and is told so before anything is decided',
};

/** For manual payments: no till is involved. */
const paymentByHandWords: typeof paymentWords = {
  ...paymentWords,
  saleRequested: 'the cashier started it as a manual payment',
  captureIntended: 'reserved; decided to capture, the cashier is shown "paid"',
  holdIntended: 'reserved; decided to hold it, the cashier is shown "reserved"',
  tillAcknowledged: 'shown to the cashier',
};

const testPaymentWords: typeof paymentWords = {
  ...paymentByHandWords,
  saleRequested: 'setup started it as a test payment',
};

/** Who asked for a payment, and the words for what happened to it. */
function askedFor(sale: Sale): { readonly by: string; readonly words: typeof paymentWords } {
  if (sale.isTest === true) return { by: 'setup, as a test', words: testPaymentWords };
  return claimantOf(sale) === 'till'
    ? { by: tillText(sale), words: paymentWords }
    : { by: 'the cashier', words: paymentByHandWords };
}

const refundWords: Record<RefundEvent['type'], string> = {
  refundRequested: 'a refund was asked for',
  createUnknown: 'whether the service created the refund is not known',
  created: 'the service created the refund',
  captureIntended: 'reserved; decided to pay it out',
  tillAcknowledged: 'the till accepted "refunded"',
  cancelIntended: 'decided to cancel the refund',
  attemptFailed: 'an attempt to settle the refund failed',
  captured: 'the service confirmed that the money went back',
  ended: 'ended without a refund',
  foundLate: 'its request had arrived at the service after all; decided to cancel the refund',
  personNeeded: 'the refund needs attention',
  pollDelayNamed: 'the service asked for a pause between questions',
  foundInPortal: 'a manager said what the portal of the service shows of it',
};

const moneyText = ({
  amountMinor,
  currency,
}: {
  readonly amountMinor: number;
  readonly currency: string;
}): string => `${toMajorUnits(amountMinor).toFixed(2)} ${currency}`;

export const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** The state of a sale in one line. */
export function saleLine({ requestedAtMs, payment, refunds }: SaleRecord): string {
  const { sale } = payment;
  const back =
    refunds.length === 0 ? '' : `, ${refunds.length} refund${refunds.length === 1 ? '' : 's'}`;
  return `${timeText(requestedAtMs)}  lane ${sale.laneId}  receipt ${sale.receiptNumber}  ${moneyText(sale)}  ${standing(payment)}${back}  order ${sale.orderId}`;
}

/** Everything the journal holds about a sale: who, what, when, and each request with its answer. */
export function storyText(record: SaleRecord, story: readonly JournalEntry[]): string {
  const { payment, refunds } = record;
  const { sale } = payment;
  const { by, words } = askedFor(sale);
  const paymentId = 'paymentId' in payment ? payment.paymentId : null;
  return [
    `${moneyText(sale)}, ${standing(payment)}`,
    `  lane ${sale.laneId}, receipt ${sale.receiptNumber}, trace ${sale.traceNumber}, asked by ${by}`,
    `  order ${sale.orderId}`,
    `  payment at the service: ${paymentId ?? 'none'}`,
    `  sale ${sale.saleId}, the correlation id of its calls to the service`,
    ...refunds.flatMap(refundHead),
    '',
    ...story.map((entry) => entryLine(entry, words)),
    '',
  ].join('\n');
}

function refundHead({ refund }: RefundRecord): string[] {
  const { request } = refund;
  const refundId = 'refundId' in refund ? refund.refundId : null;
  return [
    `${moneyText(request)} back, ${refundStanding(refund)}`,
    `  receipt ${request.receiptNumber}, trace ${request.traceNumber}, asked by ${byText(refund)}${request.note === null ? '' : `: ${text(request.note)}`}`,
    `  order ${request.refundOrderId}`,
    `  refund at the service: ${refundId ?? 'none'}`,
  ];
}

function entryLine(
  { seq, atMs, refundOrderId, event }: JournalEntry,
  ofPayment: typeof paymentWords,
): string {
  const { type, ...details } = event;
  const words: Partial<Record<JournalEntry['event']['type'], string>> =
    refundOrderId === null ? ofPayment : refundWords;
  const entries = Object.entries(
    'sale' in details ? details.sale : 'request' in details ? details.request : details,
  ).filter(([, value]) => value !== null);
  return `${timeText(atMs)}  #${seq}  ${[words[type], ...entries.map(([name, value]) => `${name} ${text(value)}`)].join('; ')}`;
}

/** The value in one line, complete. */
const text = (value: unknown): string =>
  oneLine(typeof value === 'string' ? value : JSON.stringify(value));
const oneLine = (said: string): string => plainLines(said).replaceAll(/\r?\n/g, ' ');

function standing(payment: Payment): string {
  if (isWaitedFor(payment)) return 'under way';
  switch (payment.kind) {
    case 'paid':
      return `paid${lessText(payment)}`;
    case 'held':
      return 'reserved, to be captured or cancelled';
    case 'capturing':
      return `paid${lessText(payment)}, the capture is not confirmed yet`;
    case 'notPaid':
      return `not paid (${payment.reason})`;
    case 'cancelling':
      return `not paid (${payment.reason}), the cancellation is not confirmed yet`;
    case 'needsPerson':
      return `NEEDS ATTENTION: ${payment.problem}, the ${claimantOf(payment.sale)} was told ${payment.toldDone ? '"paid"' : '"not paid"'}`;
    case 'elsewhere':
      return "another counter's, captured as the service says";
  }
}

/** The words for a reservation that was captured in part. */
function lessText(payment: Payment): string {
  const amountMinor = capturedMinorOf(payment);
  return amountMinor === payment.sale.amountMinor
    ? ''
    : ` ${moneyText({ ...payment.sale, amountMinor })} of it`;
}

function refundStanding(refund: Refund): string {
  if (isWaitedFor(refund)) return 'under way';
  switch (refund.kind) {
    case 'refunded':
      return 'refunded';
    case 'capturing':
      return 'refunded, not confirmed yet';
    case 'notRefunded':
      return `not refunded (${refund.reason})`;
    case 'cancelling':
      return `not refunded (${refund.reason}), the cancellation is not confirmed yet`;
    case 'needsPerson':
      return `NEEDS ATTENTION: ${refund.problem}, it was told as ${refund.toldDone ? '"refunded"' : '"not refunded"'}`;
  }
}

const byText = ({ request: { by } }: Refund): string =>
  by.kind === 'till' ? tillText(by) : text(by.name);
const tillText = ({ from }: { readonly from?: string | undefined }): string =>
  from === undefined ? 'the till' : `the till at ${text(from)}`;
