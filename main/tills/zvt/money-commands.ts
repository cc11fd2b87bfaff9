/**
 * Commands that move money: what is asked of the lane, and how its answer begins or declines a
 * transaction.
 */
import { openReservationsAnswer } from './answers.ts';
import { BMP, type Fields } from './bitmaps.ts';
import type { Handlers, Packet, ZvtConnection } from './connection.ts';
import { decodeCurrency } from './currency.ts';
import { type MoneyRequest, isOfReservations, readMoneyCommand } from './money-packets.ts';
import { patienceOf } from './offer.ts';
import { groupOf, type MoneyCommand, type PacketName } from './packet-table.ts';
import { positiveAnswer } from './packets.ts';
import { barredFromRefunds, type RefundBar, refundLimitMinor } from './permissions.ts';
import { servedWith } from './registration.ts';
import { tellWhollyAgain } from './report-commands.ts';
import {
  bookingRefusal,
  type ZvtRefusal,
  RESULT,
  refundRefusal,
  saleRefusal,
} from './result-codes.ts';
import { unacknowledgedRefund } from './retransmission.ts';
import { tellBooking, Telling } from './telling.ts';
import { tillTexts } from './texts.ts';
import type { Ticket } from './ticket.ts';
import { Transaction } from './transaction.ts';

const isMoneyCommandName = (name: PacketName): name is MoneyCommand => groupOf(name).movesMoney;

function moveMoney(connection: ZvtConnection, packet: Packet): void {
  const { name: command } = packet;
  if (!isMoneyCommandName(command)) throw new Error(`the row of ${command} names a wrong handler`);
  const { terminal, peer } = connection;
  const { commands, log } = terminal;
  // Refuse what the lane does not offer before anything else about the command.
  if (isOfReservations(command) && commands.openReservations() === null)
    return connection.refuse(RESULT.functionNotPossible);
  const moneyRequest = read(connection, command, packet);
  switch (moneyRequest.kind) {
    case 'unreadable':
      log.warn(
        { command, reason: moneyRequest.reason },
        'the till sent a packet that cannot be read',
      );
      return connection.refuse(RESULT.parseError);
    case 'refused':
      return connection.decline(moneyRequest.refusal);
    case 'sale': {
      const answer = commands.requestSale({ ...moneyRequest.request, from: peer.name });
      if (answer.accepted)
        return begin(connection, answer.sale, packet.fields, moneyRequest.namesCurrency);
      if (answer.reason === 'busy') return connection.refuse(RESULT.pleaseWait);
      if (answer.reason === 'noReservations') return connection.refuse(RESULT.functionNotPossible);
      return connection.decline(saleRefusal(answer.reason));
    }
    case 'booking':
      if (connection.isBarredFromBookings)
        return connection.decline(bookingRefusal('notRegistered'));
      return whenMayAsk(connection, moneyRequest.request.receiptNumber, () =>
        book(connection, packet, moneyRequest),
      );
    case 'openOnes': {
      if (connection.isBarredFromBookings)
        return connection.decline(bookingRefusal('notRegistered'));
      const { allowsTlv: withTlv, language } = servedWith(connection.registration, packet.fields);
      return connection.answerAndSend(
        openReservationsAnswer(commands.openReservations() ?? [], { withTlv, language }),
      );
    }
    case 'refund': {
      const bar = barredFromRefunds(terminal.permissions, connection);
      if (bar !== null) return refuseRefund(connection, bar);
      return whenMayAsk(connection, moneyRequest.request.receiptNumber, () =>
        refund(connection, packet, moneyRequest),
      );
    }
  }
}

/** Shows the cashier what the till wanted, when it was not begun. */
export function tellTried(connection: ZvtConnection, packet: Packet): void {
  const moneyRequest = read(connection, 'authorisation', packet);
  if (moneyRequest.kind === 'sale')
    connection.terminal.commands.saleTried({ ...moneyRequest.request, from: connection.peer.name });
}

function read(
  { terminal, peer: { address }, registration }: ZvtConnection,
  command: MoneyCommand,
  packet: Packet,
): MoneyRequest {
  const { currency: laneCurrency, profile, otherCurrencies } = terminal;
  const currencyBytes = packet.fields.get(BMP.currency);
  if (currencyBytes !== undefined && decodeCurrency(currencyBytes) !== laneCurrency)
    otherCurrencies.named(address, true);
  const missingCurrency =
    profile.missingCurrency === 'euro' ? 'EUR' : otherCurrencies.has(address) ? null : laneCurrency;
  return readMoneyCommand(command, packet, { registration, laneCurrency, missingCurrency });
}

function begin(
  connection: ZvtConnection,
  ticket: Ticket,
  fields: Fields,
  namesCurrency: boolean,
): void {
  connection.answer(positiveAnswer);
  const registration = servedWith(connection.registration, fields);
  const transaction = new Transaction(connection.terminal, connection.exchange, {
    ticket,
    registration,
    namesCurrency,
    ...patienceOf(fields),
  });
  connection.running = { is: 'transaction', transaction };
  transaction.begin();
}

function refund(
  connection: ZvtConnection,
  packet: Packet,
  { request, namesCurrency }: Extract<MoneyRequest, { kind: 'refund' }>,
): void {
  const { terminal, peer } = connection;
  const { commands, permissions, log } = terminal;
  const done = unacknowledgedRefund(request, terminal);
  if (done !== null) {
    log.warn(
      { refundOrderId: done.refund.refundOrderId },
      'the till asks again for a refund whose end it did not hear: told, not repeated',
    );
    return tellWhollyAgain(connection, done, packet.fields);
  }
  const wholeOnly = packet.name === 'reversal' && permissions.partialReversals !== true;
  const answer = commands.requestRefund({
    ...request,
    wholeOnly,
    limitMinor: refundLimitMinor(permissions),
    from: peer.name,
  });
  if (answer.accepted) return begin(connection, answer.refund, packet.fields, namesCurrency);
  switch (answer.reason) {
    case 'busy':
      return connection.refuse(RESULT.pleaseWait);
    case 'overTillLimit':
      return refuseRefund(connection, answer.reason);
    case 'unknownReceipt':
      return declineGuess(
        connection,
        `receipt ${request.receiptNumber}`,
        refundRefusal('unknownReceipt'),
      );
    default:
      return connection.decline(
        refundRefusal(answer.reason, 'askAgainMinutes' in answer ? answer.askAgainMinutes : null),
      );
  }
}

function book(
  connection: ZvtConnection,
  packet: Packet,
  { request, namesCurrency }: Extract<MoneyRequest, { kind: 'booking' }>,
): void {
  const { terminal, peer, exchange } = connection;
  const { commands, log } = terminal;
  const answer = commands.requestBooking({ ...request, from: peer.name });
  if (answer.accepted) {
    connection.answer(positiveAnswer);
    const registration = servedWith(connection.registration, packet.fields);
    const telling = new Telling(terminal, exchange, patienceOf(packet.fields));
    connection.running = { is: 'booking', telling };
    return void tellBooking(telling, { booking: answer.booking, registration, namesCurrency }, () =>
      connection.ended(telling),
    );
  }
  switch (answer.reason) {
    case 'busy':
      return connection.refuse(RESULT.pleaseWait);
    case 'done':
      log.warn(
        { ...answer.finished.booking },
        'the till asks again for what it has decided about a reservation: told, not repeated',
      );
      return tellWhollyAgain(connection, answer.finished, packet.fields);
    case 'unknownReservation':
      return declineGuess(
        connection,
        `reservation ${request.receiptNumber ?? request.traceNumber}`,
        bookingRefusal('unknownReservation'),
      );
    default:
      return connection.decline(bookingRefusal(answer.reason));
  }
}

/** A connection that was sent the receipt number does not guess it. */
function whenMayAsk(
  connection: ZvtConnection,
  receiptNumber: number | null,
  ask: () => void,
): void {
  if (receiptNumber !== null && connection.toldReceipts.has(receiptNumber)) ask();
  else connection.whenMayTry(connection.receiptTries, ask);
}

/** Declines an unknown number. */
function declineGuess(connection: ZvtConnection, guessed: string, refusal: ZvtRefusal): void {
  const { terminal, peer, receiptTries } = connection;
  if (receiptTries.missed())
    terminal.incidents.tell('tillReceiptsGuessed', peer, `${terminal.laneName}, ${guessed}`);
  connection.decline(refusal);
}

/** Refuses a refund that the till's settings do not allow. */
function refuseRefund(connection: ZvtConnection, reason: RefundBar | 'overTillLimit'): void {
  const refusal = refundRefusal(reason);
  connection.terminal.incidents.tell(
    'tillRefundRefused',
    connection.peer,
    refusal.words(tillTexts.en),
  );
  connection.decline(refusal);
}

export const moneyHandlers = { moveMoney } as const satisfies Handlers;
