/** The journal as a table, for bookkeeping. */
import { certaintyOf, isHeld, outcomeOf, refundOutcomeOf } from '../settlement/outcome.ts';
import { claimantOf, type Payment, type Sale } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import { toMajorUnits } from '../domain/money.ts';
import { type CsvCell, csvParts, plainCsv } from '../../support/csv.ts';
import { timeText } from './history-text.ts';

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
  'test',
] as const;
type Row = Record<(typeof columns)[number], CsvCell>;

/** A sale, or a refund of it, as `JournalReader.between` finds them. */
export interface Exported {
  readonly requestedAtMs: number;
  readonly sale: Sale;
  readonly of: Payment | Refund;
}

/** The file, in parts; its first line names the columns. */
export const exportCsv = (exported: Iterable<Exported>): AsyncGenerator<string> =>
  csvParts(lines(exported), plainCsv);

function* lines(exported: Iterable<Exported>): Generator<readonly CsvCell[]> {
  yield columns;
  for (const one of exported) {
    const row = exportRow(one);
    yield columns.map((column) => row[column]);
  }
}

/**
 * The line of a sale or a refund. `amount` is what was asked for; `booked` is what moves, of a
 * reservation what is captured: below zero for a refund, 0 when nothing does, empty while that is
 * not sure: under way, held as a reservation, being cancelled, or contested by the service. `by` is
 * who asked: the till, the cashier by hand (cashiers do not sign in, so that is all that is known),
 * or a manager by name.
 */
export function exportRow({ requestedAtMs, sale, of }: Exported): Row {
  return {
    time: timeText(requestedAtMs),
    ...('request' in of ? refundRow(of, sale) : saleRow(of)),
  };
}

function saleRow(payment: Payment): Omit<Row, 'time'> {
  const { sale } = payment;
  const outcome = outcomeOf(payment);
  return {
    kind: 'sale',
    lane: sale.laneId,
    receipt: String(sale.receiptNumber),
    trace: String(sale.traceNumber),
    ...amounts(
      sale.amountMinor,
      isSure(payment) && !isHeld(payment) ? outcome && outcome.paid : null,
      1,
      capturedMinorOf(payment),
    ),
    currency: sale.currency,
    state: payment.kind,
    reason:
      payment.kind === 'needsPerson'
        ? payment.problem
        : outcome !== null && !outcome.paid
          ? outcome.reason
          : '',
    order: sale.orderId,
    id: ('paymentId' in payment ? payment.paymentId : null) ?? '',
    refund_of: '',
    by: claimantOf(sale),
    note: '',
    test: testOf(sale),
  };
}

function refundRow(refund: Refund, sale: Sale): Omit<Row, 'time'> {
  const { request } = refund;
  const outcome = refundOutcomeOf(refund);
  return {
    kind: 'refund',
    lane: request.laneId,
    receipt: String(request.receiptNumber),
    trace: String(request.traceNumber),
    ...amounts(request.amountMinor, isSure(refund) ? outcome && outcome.refunded : null, -1),
    currency: request.currency,
    state: refund.kind,
    reason:
      refund.kind === 'needsPerson'
        ? refund.problem
        : outcome !== null && !outcome.refunded
          ? outcome.reason
          : '',
    order: request.refundOrderId,
    id: ('refundId' in refund ? refund.refundId : null) ?? '',
    refund_of: sale.orderId,
    by: request.by.kind === 'till' ? 'till' : request.by.name,
    note: request.note ?? '',
    test: testOf(sale),
  };
}

/** Said of a test payment of setup, and of a refund of one. */
const testOf = ({ isTest }: Sale): string => (isTest ? 'yes' : '');

/**
 * A decided capture is always carried through; a cancellation is only certain once the service has
 * confirmed it.
 */
const isSure = (money: Payment | Refund): boolean =>
  money.kind === 'capturing' || certaintyOf(money) === 'confirmed';

function amounts(
  amountMinor: number,
  moves: boolean | null,
  sign: 1 | -1,
  movesMinor = amountMinor,
): Pick<Row, 'amount' | 'booked'> {
  const amount = toMajorUnits(amountMinor);
  return { amount, booked: moves === null ? null : moves ? sign * toMajorUnits(movesMinor) : 0 };
}
