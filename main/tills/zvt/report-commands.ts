/**
 * Commands that tell or print what was decided before: the day and its totals, and receipts again.
 * Only the end of day writes anything.
 */
import type { ClosingTold } from '../../core/domain/day.ts';
import type {
  BookingTicket,
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
} from '../../core/domain/sale.ts';
import { abort, completion, dayInformation, statusInformation } from './answers.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import type { Handlers, Packet, ZvtConnection } from './connection.ts';
import { defaultGoodsTerms } from './offer.ts';
import { fieldByte, positiveAnswer } from './packets.ts';
import { receiptPackets } from './receipt.ts';
import { type Copy, type Registration, servedWith } from './registration.ts';
import { repeatedReceiptIn } from './repeat-receipt.ts';
import { reportPackets } from './report.ts';
import { closingRefusal, reportRefusal, RESULT, resultToldAgain } from './result-codes.ts';
import { unacknowledgedClosing } from './retransmission.ts';
import { tellClosing, Telling } from './telling.ts';
import type { Ticket } from './ticket.ts';

type Finished = FinishedPayment | FinishedRefund | FinishedBooking;

/** Limit of 06 12: with a mistyped range a till would print for hours. */
const maxRepeatedReceipts = 50;
const noBytes = new Uint8Array(0);

interface TellAgain {
  readonly withStatus: boolean;
  readonly withReceipt: boolean;
  /** The only copy to print; null for those that the till wants of receipts. */
  readonly only: Copy | null;
  readonly registration: Registration;
}

/** The ticket with the amount that moved. */
function ticketOf(last: Finished): Ticket | BookingTicket {
  if ('booking' in last) return last.booking;
  return 'refund' in last
    ? last.refund
    : { ...last.sale, amountMinor: last.capturedMinor ?? last.sale.amountMinor };
}

/** Payments that failed, are contested or only reserved have no receipt. */
function hasReceipt(last: Finished): boolean {
  const result = resultToldAgain(last);
  return (
    result.code === RESULT.ok && result.words === null && !('sale' in last && !last.outcome.paid)
  );
}

function closeDay(connection: ZvtConnection): void {
  const { terminal, peer } = connection;
  const { commands, log } = terminal;
  if (connection.isBarredFromClosings) return connection.decline(closingRefusal('notRegistered'));
  const closing = commands.readiness() === 'busy' ? null : unacknowledgedClosing(terminal);
  if (closing !== null) {
    log.warn(
      { number: closing.number },
      'the till asks again for an end of day whose end it did not hear: told, not closed twice',
    );
    return tellOf(connection, closing);
  }
  const answer = commands.closeDay(peer.name);
  if (answer.closed) return tellOf(connection, answer.closing);
  switch (answer.reason) {
    case 'busy':
      return connection.refuse(RESULT.pleaseWait);
    case 'noClosings':
      return connection.refuse(RESULT.functionNotPossible);
    case 'notReady':
    case 'storageFailed':
      return connection.decline(closingRefusal(answer.reason));
  }
}

function tellOf(connection: ZvtConnection, closing: ClosingTold): void {
  const { terminal, exchange, registration } = connection;
  connection.answer(positiveAnswer);
  const telling = new Telling(terminal, exchange, defaultGoodsTerms);
  connection.running = { is: 'closing', telling };
  void tellClosing(telling, { closing, registration }, () => connection.ended(telling));
}

/** Tells the totals; closes nothing. */
function tellTotals(connection: ZvtConnection, how: 'asStatus' | 'inPrint'): void {
  const { terminal, registration } = connection;
  if (connection.isBarredFromClosings) return connection.decline(reportRefusal);
  const totals = terminal.commands.dayTotals();
  if (totals === null) return connection.refuse(RESULT.functionNotPossible);
  if (how === 'asStatus')
    return void connection.answerAndCarryOut(dayInformation(totals, terminal.currency), completion);
  const report = registration.wantsAdministrationLines
    ? reportPackets(totals, terminal, registration)
    : [];
  void connection.answerAndCarryOut(...report, completion);
}

/**
 * Prints the copies that 06 20 would print, of each number. By the standard it is a report, so that
 * it depends on how the till prints those.
 */
function repeatReceipts(connection: ZvtConnection, { parts, fields }: Packet): void {
  const { terminal } = connection;
  const { commands, log } = terminal;
  const first = decodeBcd(parts.get('first') ?? noBytes);
  const last = decodeBcd(parts.get('last') ?? parts.get('first') ?? noBytes);
  if (first === null || last === null) return connection.refuse(RESULT.parseError);
  if (connection.isBarredFromClosings) return connection.decline(reportRefusal);
  if (last - first >= maxRepeatedReceipts)
    log.warn(
      { first, last, most: maxRepeatedReceipts },
      'the till asked for more receipts than are printed at once: refused',
    );
  const finished = last - first >= maxRepeatedReceipts ? [] : commands.finishedBetween(first, last);
  if (finished === null) return connection.refuse(RESULT.functionNotPossible);
  const tickets = finished.filter(hasReceipt).map(ticketOf);
  if (tickets.length === 0) return connection.answerAndSend(abort(RESULT.functionNotPossible));
  const registration = servedWith(
    {
      ...connection.registration,
      wantsPrintLines: connection.registration.wantsAdministrationLines,
    },
    fields,
  );
  const receipts = tickets.flatMap((ticket) =>
    receiptPackets(ticket, terminal, registration, { isReprint: true }),
  );
  void connection.answerAndCarryOut(...receipts, completion);
}

function repeatReceipt(connection: ZvtConnection, { fields }: Packet): void {
  const { commands } = connection.terminal;
  // The last payment, of another connection or of this one before it broke, is just being decided.
  if (commands.readiness() === 'busy') return connection.refuse(RESULT.pleaseWait);
  const service = fieldByte(fields, BMP.serviceByte) ?? 0;
  const registration = servedWith(connection.registration, fields);
  const which = repeatedReceiptIn(fields);
  if (which === 'closing') return repeatClosing(connection, registration, (service & 0x01) !== 0);
  const last = commands.lastFinished();
  if (last === null || which === 'none')
    return connection.answerAndSend(abort(RESULT.functionNotPossible));
  void tellAgain(connection, last, {
    withStatus: (service & 0x01) !== 0,
    withReceipt: (service & 0x02) === 0,
    only: which,
    registration,
  });
}

/** @param withStatus for a till that writes the report itself */
function repeatClosing(
  connection: ZvtConnection,
  registration: Registration,
  withStatus: boolean,
): void {
  const { terminal } = connection;
  if (connection.isBarredFromClosings) return connection.decline(reportRefusal);
  const closing = terminal.commands.lastClosing();
  if (closing === null) return connection.answerAndSend(abort(RESULT.functionNotPossible));
  // The rule for receipts holds for reports too (ZVT PA00P015, 06 20).
  if (registration.wantsPrintLines)
    return void connection.answerAndCarryOut(
      ...reportPackets(closing, terminal, registration),
      completion,
    );
  void connection.answerAndCarryOut(
    ...(withStatus ? [dayInformation(closing, terminal.currency)] : []),
    completion,
  );
}

/** Repeats everything to a till that asks again because it has not received the end. */
export function tellWhollyAgain(connection: ZvtConnection, last: Finished, fields: Fields): void {
  const registration = servedWith(connection.registration, fields);
  void connection.untilMoneyIsTold(
    tellAgain(connection, last, { withStatus: true, withReceipt: true, only: null, registration }),
  );
}

/** Tells again what was decided before: nothing follows from how the till takes it. */
function tellAgain(
  connection: ZvtConnection,
  last: Finished,
  { withStatus, withReceipt, only, registration }: TellAgain,
): Promise<void> {
  const { terminal } = connection;
  const ticket = ticketOf(last);
  const result = resultToldAgain(last);
  const options = {
    namesCurrency: registration.currency !== null,
    terminalId: terminal.terminalId,
    isTest: terminal.shop.isTest === true,
    ...registration,
  };
  const status = withStatus ? [statusInformation(ticket, result, options)] : [];
  const about = { isReprint: true, ...(only !== null && { only }) };
  const receipts =
    withReceipt && hasReceipt(last) ? receiptPackets(ticket, terminal, registration, about) : [];
  return connection.answerAndCarryOut(...status, ...receipts, completion).then((heard) => {
    if (heard && withStatus && 'refund' in last) terminal.heardRefund = last.refund.refundOrderId;
  });
}

export const reportHandlers = {
  closeDay,
  tellTotals: (connection) => tellTotals(connection, 'asStatus'),
  printTotals: (connection) => tellTotals(connection, 'inPrint'),
  repeatReceipts,
  repeatReceipt,
} as const satisfies Handlers;
