import type { Currency } from '../../core/domain/money.ts';
import type { BookingRequest, RefundRequest, PaymentRequest } from '../../core/lane/till-port.ts';
import { decodeBcd } from './bcd.ts';
import { noReceipt } from './answers.ts';
import { BMP, type Fields, parseFields, sameBytes } from './bitmaps.ts';
import { hiddenFact } from './hidden-facts.ts';
import { decodeCurrency } from './currency.ts';
import { type MoneyCommand, packets } from './packet-table.ts';
import type { ParsedPacket } from './packets.ts';
import type { Registration } from './registration.ts';
import {
  bookingRefusal,
  cashbackRefusal,
  raiseRefusal,
  type ZvtRefusal,
  refundRefusal,
  saleRefusal,
} from './result-codes.ts';
import { nestedTlv, TAG, type TlvObject } from './tlv.ts';

export function isOfReservations(command: MoneyCommand): boolean {
  const { group } = packets[command];
  return group === 'reservation' || group === 'booking';
}

/** What the connection adds to a request: the peer and its limit. */
type Till = 'from' | 'limitMinor';

/** Parses the request of such a packet. Neither an amount nor a payment is ever guessed. */
export type MoneyRequest =
  | {
      readonly kind: 'sale';
      readonly request: Omit<PaymentRequest, Till>;
      readonly namesCurrency: boolean;
    }
  | {
      readonly kind: 'refund';
      readonly request: Omit<RefundRequest, Till>;
      readonly namesCurrency: boolean;
    }
  | {
      readonly kind: 'booking';
      readonly request: Omit<BookingRequest, Till>;
      readonly namesCurrency: boolean;
    }
  /** 06 23 with receipt number FFFF: which reservations are open? */
  | { readonly kind: 'openOnes' }
  | { readonly kind: 'refused'; readonly refusal: ZvtRefusal }
  | { readonly kind: 'unreadable'; readonly reason: string };

type Packet = Extract<ParsedPacket, { kind: 'packet' }>;

interface Context {
  readonly registration: Registration;
  readonly laneCurrency: Currency;
  /**
   * The currency of an amount that names none, neither in the command nor at registration; null
   * when such amounts are refused.
   */
  readonly missingCurrency: Currency | null;
}

export function readMoneyCommand(
  command: MoneyCommand,
  packet: Packet,
  context: Context,
): MoneyRequest {
  if (
    command === 'partialReversal' &&
    sameBytes(packet.fields.get(BMP.receiptNumber) ?? nothing, noReceipt)
  )
    return { kind: 'openOnes' };
  const amountMinor = amountOf(packet);
  if (amountMinor === 'unreadable') return unreadable('the amount');
  const hidden = hiddenFact(command, packet);
  if (hidden !== null) return unreadable(`${hidden}, which may stand in the unread rest,`);
  switch (command) {
    case 'authorisation':
      return readSale(packet, amountMinor, context);
    case 'preauthorisation':
      // A reservation that is to be raised must not be taken for a new one, which would block the
      // customer's money twice.
      if (isToBeRaised(packet)) return { kind: 'refused', refusal: raiseRefusal };
      return readSale(packet, amountMinor, context, true);
    case 'partialReversal':
      return readBooking(packet, { kind: 'unused', amountMinor }, context);
    case 'bookTotal':
      return readBooking(packet, { kind: 'used', amountMinor }, context);
    case 'preauthorisationReversal':
      return readBooking(packet, { kind: 'back', amountMinor }, context);
    case 'preauthorisationReversalByTrace':
      return amountMinor === null || traceOf(packet) === null
        ? unreadable('the amount, or the trace number,')
        : readBooking(packet, { kind: 'back', amountMinor }, context);
    case 'reversal':
      return readRefund(packet, amountMinor, context);
    case 'refund':
      if (!packet.fields.has(BMP.receiptNumber))
        return { kind: 'refused', refusal: refundRefusal('receiptNumberMissing') };
      // Only a reversal may omit the amount.
      return amountMinor === null
        ? unreadable('the amount')
        : readRefund(packet, amountMinor, context);
  }
}

function readSale(
  packet: Packet,
  amountMinor: number | null,
  context: Context,
  reserve = false,
): MoneyRequest {
  if (amountMinor === null) return unreadable('the amount');
  if (wantsCashback(packet.fields)) return { kind: 'refused', refusal: cashbackRefusal };
  const currency = currencyOf(packet, context);
  if (currency === null) return { kind: 'refused', refusal: saleRefusal('wrongCurrency') };
  return {
    kind: 'sale',
    request: { amountMinor, currency, ...(reserve && { reserve }) },
    namesCurrency: namesCurrency(packet, context),
  };
}

function readRefund(packet: Packet, amountMinor: number | null, context: Context): MoneyRequest {
  const digits = packet.fields.get(BMP.receiptNumber);
  const receiptNumber = digits === undefined ? null : decodeBcd(digits);
  // A till that leaves the password out has its receipt number read as one.
  if (digits === undefined)
    return unreadable('the receipt number is missing, or the password before it, and the command');
  if (receiptNumber === null || packet.unknown?.after === BMP.receiptNumber)
    return unreadable('the receipt number');
  // Without an amount the currency does not matter: the refund is in the sale's.
  const currency =
    amountMinor === null && !packet.fields.has(BMP.currency)
      ? context.laneCurrency
      : currencyOf(packet, context);
  if (currency === null) return { kind: 'refused', refusal: refundRefusal('wrongCurrency') };
  return {
    kind: 'refund',
    request: { receiptNumber, amountMinor, currency },
    namesCurrency: namesCurrency(packet, context),
  };
}

function readBooking(packet: Packet, what: BookingRequest['what'], context: Context): MoneyRequest {
  const { fields, unknown } = packet;
  const digits = fields.get(BMP.receiptNumber);
  const receiptNumber = digits === undefined ? null : (decodeBcd(digits) ?? 'unreadable');
  const traceNumber = traceOf(packet);
  if (receiptNumber === 'unreadable' || unknown?.after === BMP.receiptNumber)
    return unreadable('the receipt number');
  if (traceNumber === 'unreadable' || unknown?.after === BMP.traceNumber)
    return unreadable('the trace number');
  if (receiptNumber === null && traceNumber === null) return unreadable('the receipt number');
  const isCurrencyNamed = fields.has(BMP.currency) || what.amountMinor !== null;
  const currency = isCurrencyNamed ? currencyOf(packet, context) : null;
  if (isCurrencyNamed && currency === null)
    return { kind: 'refused', refusal: bookingRefusal('wrongCurrency') };
  return {
    kind: 'booking',
    request: { receiptNumber, traceNumber, what, currency },
    namesCurrency: namesCurrency(packet, context),
  };
}

/** Trace number: 0B, or the long one of the container where that is 0; null when none was sent. */
function traceOf({ fields }: Packet): number | null | 'unreadable' {
  const digits = fields.get(BMP.traceNumber);
  const short = digits === undefined ? 0 : (decodeBcd(digits) ?? 'unreadable');
  if (short !== 0) return short;
  const [long, ...others] = objectsOf(fields).flatMap(({ tag, value }) =>
    tag === TAG.longTraceNumber ? [value] : [],
  );
  if (long === undefined) return null;
  return long.length > 6 || others.some((other) => !sameBytes(long, other))
    ? 'unreadable'
    : (decodeBcd(long) ?? 'unreadable');
}

/**
 * Whether a part of the amount is to be given to the customer in cash. A tip (1F36) is a part too,
 * and stays with the shop. A part that is not 0, or unreadable, counts as cash.
 */
const wantsCashback = (fields: Fields): boolean =>
  objectsOf(fields).some(({ tag, value }) => tag === TAG.cashback && decodeBcd(value) !== 0);

const raise = 0x03;
const isToBeRaised = (packet: Packet): boolean =>
  traceOf(packet) !== null ||
  objectsOf(packet.fields).some(
    ({ tag, value }) => tag === TAG.transactionType && value.at(-1) === raise,
  );
const objectsOf = (fields: Fields): readonly TlvObject[] =>
  nestedTlv(fields.get(BMP.tlv) ?? nothing);
const nothing = new Uint8Array(0);

/** The amount in the answer 84 9D; null unless there is exactly one that can be read. */
export function amountIn(data: Uint8Array): number | null {
  const parsed = parseFields(data);
  if (!parsed.ok || parsed.unknown !== null) return null;
  const digits = parsed.fields.get(BMP.amount);
  return digits === undefined ? null : decodeBcd(digits);
}

/** The amount; null when none was sent. */
function amountOf({
  fields,
  unknown,
}: Pick<Packet, 'fields' | 'unknown'>): number | null | 'unreadable' {
  const digits = fields.get(BMP.amount);
  if (digits === undefined) return null;
  // The bytes after the amount are not a bitmap, perhaps a seventh byte of the amount. Refuse
  // rather than move a hundred times the money.
  return unknown?.after === BMP.amount ? 'unreadable' : (decodeBcd(digits) ?? 'unreadable');
}

/**
 * The currency of an amount; the till's profile decides when none is named, now or at registration.
 */
function currencyOf(
  { fields }: Packet,
  { registration, missingCurrency }: Context,
): Currency | null {
  const currencyBytes = fields.get(BMP.currency);
  return currencyBytes === undefined
    ? (registration.currency ?? missingCurrency)
    : decodeCurrency(currencyBytes);
}

const namesCurrency = ({ fields }: Packet, { registration }: Context): boolean =>
  fields.has(BMP.currency) || registration.currency !== null;
const unreadable = (what: string): MoneyRequest => ({
  kind: 'unreadable',
  reason: `${what} cannot be read`,
});
