/** The journal in words, for support and bookkeeping. */
import { certaintyOf, outcomeOf } from '../domain/settlement/outcome.ts';
import { type Claimant, claimantOf, type Payment, type PaymentEvent, type Sale } from '../domain/settlement/payment.ts';
import type { Refund, RefundEvent } from '../domain/settlement/refund.ts';
import { toMajorUnits } from '../domain/money.ts';
import type { JournalEntry } from './journal.ts';
import type { RefundRecord, SaleRecord } from './reader.ts';

const paymentWords: Record<PaymentEvent['type'], string> = {
  saleRequested: 'the till asked for',
  createUnknown: 'whether the service created it is not known',
  pointOfSaleBlocked: 'another payment blocks the point of sale',
  createRepeated: 'asked to create it again',
  created: 'the service created it',
  statusSeen: 'the service said',
  stopRequested: 'to be stopped',
  captureIntended: 'reserved; decided to capture, the till is told "paid"',
  tillAcknowledged: 'the till took "paid" over',
  cancelIntended: 'decided to cancel',
  attemptFailed: 'an attempt to settle it failed',
  captured: 'the service confirmed the capture',
  ended: 'ended without payment',
  foundLate: 'its request had arrived at the service after all; decided to cancel',
  personNeeded: 'a person must look after it',
};

/** In their place where no till hears of it. */
const paymentByHandWords: Partial<typeof paymentWords> = {
  saleRequested: 'the cashier asked for it by hand',
  captureIntended: 'reserved; decided to capture, the cashier is shown "paid"',
  tillAcknowledged: 'shown to the cashier',
};

const refundWords: Record<RefundEvent['type'], string> = {
  refundRequested: 'a refund was asked for',
  createUnknown: 'whether the service created the refund is not known',
  created: 'the service created the refund',
  captureIntended: 'reserved; decided to pay it out',
  tillAcknowledged: 'the till took "refunded" over',
  cancelIntended: 'decided to cancel the refund',
  attemptFailed: 'an attempt to settle the refund failed',
  captured: 'the service confirmed that the money went back',
  ended: 'ended without a refund',
  foundLate: 'its request had arrived at the service after all; decided to cancel the refund',
  personNeeded: 'a person must look after the refund',
};

const moneyText = ({ amountMinor, currency }: { readonly amountMinor: number; readonly currency: string }): string =>
  `${toMajorUnits(amountMinor).toFixed(2)} ${currency}`;

export const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** Where it stands, in one line. */
export function saleLine({ askedAtMs, payment, refunds }: SaleRecord): string {
  const { sale } = payment;
  const back = refunds.length === 0 ? '' : `, ${refunds.length} refund${refunds.length === 1 ? '' : 's'}`;
  return `${timeText(askedAtMs)}  lane ${sale.laneId}  receipt ${sale.receiptNumber}  ${moneyText(sale)}  ${standing(payment)}${back}  order ${sale.orderId}`;
}

/** Everything that the journal knows of a sale: who, what, when, what was asked and answered. */
export function storyText(record: SaleRecord, story: readonly JournalEntry[]): string {
  const { payment, refunds } = record;
  const { sale } = payment;
  const paymentId = 'paymentId' in payment ? payment.paymentId : null;
  return [
    `${moneyText(sale)}, ${standing(payment)}`,
    `  lane ${sale.laneId}, receipt ${sale.receiptNumber}, trace ${sale.traceNumber}, asked by ${claimantOf(sale) === 'till' ? tillText(sale) : 'the cashier'}`,
    `  order ${sale.orderId}`,
    `  payment at the service: ${paymentId ?? 'none'}`,
    `  sale ${sale.saleId}`,
    ...refunds.flatMap(refundHead),
    '',
    ...story.map((entry) => entryLine(entry, claimantOf(sale))),
    '',
  ].join('\n');
}

function refundHead({ refund }: RefundRecord): string[] {
  const { request } = refund;
  const refundId = 'refundId' in refund ? refund.refundId : null;
  return [
    `${moneyText(request)} back, ${refundStanding(refund)}`,
    `  receipt ${request.receiptNumber}, trace ${request.traceNumber}, asked by ${byText(refund)}${request.note === null ? '' : `: ${request.note}`}`,
    `  order ${request.refundOrderId}`,
    `  refund at the service: ${refundId ?? 'none'}`,
  ];
}

function entryLine({ seq, atMs, refundOrderId, event }: JournalEntry, by: Claimant): string {
  const { type, ...details } = event;
  const words = refundOrderId === null ? wordsOfPayment(type as PaymentEvent['type'], by) : refundWords[type as RefundEvent['type']];
  const told = Object.entries('sale' in details ? details.sale : 'request' in details ? details.request : details).filter(([, value]) => value !== null);
  return `${timeText(atMs)}  #${seq}  ${[words, ...told.map(([name, value]) => `${name} ${text(value)}`)].join('; ')}`;
}

const wordsOfPayment = (type: PaymentEvent['type'], by: Claimant): string => (by === 'cashier' ? paymentByHandWords[type] : undefined) ?? paymentWords[type];
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function standing(payment: Payment): string {
  switch (payment.kind) {
    case 'paid':
      return 'paid';
    case 'capturing':
      return 'paid, the capture is not confirmed yet';
    case 'notPaid':
      return `not paid (${payment.reason})`;
    case 'cancelling':
      return `not paid (${payment.reason}), the cancellation is not confirmed yet`;
    case 'needsPerson':
      return `NEEDS A PERSON: ${payment.problem}, the ${claimantOf(payment.sale)} was told ${payment.toldDone ? '"paid"' : '"not paid"'}`;
    case 'creating':
    case 'resolving':
    case 'clearing':
    case 'awaiting':
    case 'offering':
      return 'under way';
  }
}

function refundStanding(refund: Refund): string {
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
      return `NEEDS A PERSON: ${refund.problem}, it was told as ${refund.toldDone ? '"refunded"' : '"not refunded"'}`;
    case 'creating':
    case 'resolving':
    case 'awaiting':
    case 'offering':
      return 'under way';
  }
}

const byText = ({ request: { by } }: Refund): string => (by.kind === 'till' ? tillText(by) : by.name);
const tillText = ({ from }: { readonly from?: string | undefined }): string => (from === undefined ? 'the till' : `the till at ${from}`);

const columns = [
  'time',
  'kind',
  'lane',
  'receipt',
  'trace',
  'amount',
  'booked',
  'currency',
  'state',
  'reason',
  'order',
  'id',
  'refund_of',
  'by',
  'note',
] as const;
type Row = Record<(typeof columns)[number], string | number>;

export const csvHead = `${columns.join(',')}\r\n`;

/**
 * One line for a sale or a refund. `amount` is what was asked for; `booked` is what moves: below zero for a refund, 0 when nothing does, empty
 * while that is not sure: under way, being cancelled, or contested by the service. `by` is who asked: the till, the cashier by hand (cashiers do
 * not sign in, so that is all that is known), or a manager by name.
 */
export function csvLine({ askedAtMs, sale, of }: { readonly askedAtMs: number; readonly sale: Sale; readonly of: Payment | Refund }): string {
  const row = 'request' in of ? refundRow(of, sale) : saleRow(of);
  return `${columns.map((column) => csvField(column === 'time' ? timeText(askedAtMs) : row[column])).join(',')}\r\n`;
}

function saleRow(payment: Payment): Omit<Row, 'time'> {
  const { sale } = payment;
  const outcome = outcomeOf(payment);
  return {
    kind: 'sale',
    lane: sale.laneId,
    receipt: sale.receiptNumber,
    trace: sale.traceNumber,
    ...amounts(sale.amountMinor, isSure(payment) ? outcome && outcome.paid : null, 1),
    currency: sale.currency,
    state: payment.kind,
    reason: payment.kind === 'needsPerson' ? payment.problem : outcome !== null && !outcome.paid ? outcome.reason : '',
    order: sale.orderId,
    id: ('paymentId' in payment ? payment.paymentId : null) ?? '',
    refund_of: '',
    by: claimantOf(sale),
    note: '',
  };
}

function refundRow(refund: Refund, sale: Sale): Omit<Row, 'time'> {
  const { request } = refund;
  const outcome = outcomeOf(refund);
  return {
    kind: 'refund',
    lane: request.laneId,
    receipt: request.receiptNumber,
    trace: request.traceNumber,
    ...amounts(request.amountMinor, isSure(refund) ? outcome && outcome.refunded : null, -1),
    currency: request.currency,
    state: refund.kind,
    reason: refund.kind === 'needsPerson' ? refund.problem : outcome !== null && !outcome.refunded ? outcome.reason : '',
    order: request.refundOrderId,
    id: ('refundId' in refund ? refund.refundId : null) ?? '',
    refund_of: sale.orderId,
    by: request.by.kind === 'till' ? 'till' : request.by.name,
    note: request.note ?? '',
  };
}

/** Decided for is carried through; decided against is not so before the service has confirmed it. */
const isSure = (money: Payment | Refund): boolean => money.kind === 'capturing' || certaintyOf(money) === 'confirmed';

function amounts(amountMinor: number, moves: boolean | null, sign: 1 | -1): Pick<Row, 'amount' | 'booked'> {
  const amount = toMajorUnits(amountMinor).toFixed(2);
  return { amount, booked: moves === null ? '' : moves ? `${sign < 0 ? '-' : ''}${amount}` : '0.00' };
}

/** Nothing that a person wrote may be taken for a formula by a spreadsheet. */
function csvField(value: string | number): string {
  const field = String(value);
  const safe = /^[=+@\t\r]/.test(field) || (field.startsWith('-') && !/^-\d/.test(field)) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
