import type { Currency } from '../../domain/money.ts';
import type { RefundRequest, SaleRequest } from '../port.ts';
import { decodeBcd } from './bcd.ts';
import { BMP } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import type { ParsedPacket } from './packets.ts';
import type { Registration } from './registration.ts';
import { type Refusal, refundRefusal, saleRefusal } from './result-codes.ts';

/** The commands that move money. */
export type MoneyCommand = 'authorisation' | 'reversal' | 'refund';

/** What the connection adds to a request: the peer and its limit. */
type Till = 'from' | 'limitMinor';

/** Parses the request of such a packet. Neither an amount nor a payment is ever guessed. */
export type Asked =
  | { readonly kind: 'sale'; readonly request: Omit<SaleRequest, Till>; readonly namesCurrency: boolean }
  | { readonly kind: 'refund'; readonly request: Omit<RefundRequest, Till>; readonly namesCurrency: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unreadable'; readonly reason: string };

type Packet = Extract<ParsedPacket, { kind: 'packet' }>;

export function readMoneyCommand(command: MoneyCommand, packet: Packet, context: { registration: Registration; laneCurrency: Currency }): Asked {
  const amountMinor = amountOf(packet);
  if (amountMinor === 'unreadable') return unreadable('the amount');
  switch (command) {
    case 'authorisation':
      return readSale(packet, amountMinor, context.registration);
    case 'reversal':
      return readRefund(packet, amountMinor, context);
    case 'refund':
      if (!packet.fields.has(BMP.receiptNumber)) return { kind: 'refused', refusal: refundRefusal('receiptNumberMissing') };
      // Only a reversal may omit the amount.
      return amountMinor === null ? unreadable('the amount') : readRefund(packet, amountMinor, context);
  }
}

function readSale(packet: Packet, amountMinor: number | null, registration: Registration): Asked {
  if (amountMinor === null) return unreadable('the amount');
  const currency = currencyOf(packet, registration);
  if (currency === null) return { kind: 'refused', refusal: saleRefusal('wrongCurrency') };
  return { kind: 'sale', request: { amountMinor, currency }, namesCurrency: namesCurrency(packet, registration) };
}

function readRefund(packet: Packet, amountMinor: number | null, { registration, laneCurrency }: { registration: Registration; laneCurrency: Currency }): Asked {
  const digits = packet.fields.get(BMP.receiptNumber);
  const receiptNumber = digits === undefined ? null : decodeBcd(digits);
  if (receiptNumber === null || packet.unknown?.after === BMP.receiptNumber) return unreadable('the receipt number');
  // The unread part may contain an amount, so this could be a partial refund.
  if (amountMinor === null && packet.unknown !== null) return unreadable('what follows an unknown bitmap');
  // Without an amount the currency does not matter: the refund is in the sale's.
  const currency = amountMinor === null && !packet.fields.has(BMP.currency) ? laneCurrency : currencyOf(packet, registration);
  if (currency === null) return { kind: 'refused', refusal: refundRefusal('wrongCurrency') };
  return { kind: 'refund', request: { receiptNumber, amountMinor, currency }, namesCurrency: namesCurrency(packet, registration) };
}

/** null when none was sent. */
function amountOf({ fields, unknown }: Packet): number | null | 'unreadable' {
  const digits = fields.get(BMP.amount);
  if (digits === undefined) return null;
  // The bytes after the amount are not a bitmap, perhaps a seventh byte of the amount. Refuse rather than move a hundred times the money.
  return unknown?.after === BMP.amount ? 'unreadable' : (decodeBcd(digits) ?? 'unreadable');
}

/** A till that names no currency, now or at registration, means euro by the standard. Never guessed from the lane. */
function currencyOf({ fields }: Packet, registration: Registration): Currency | null {
  const named = fields.get(BMP.currency);
  return named === undefined ? (registration.currency ?? 'EUR') : decodeCurrency(named);
}

const namesCurrency = ({ fields }: Packet, registration: Registration): boolean => fields.has(BMP.currency) || registration.currency !== null;
const unreadable = (what: string): Asked => ({ kind: 'unreadable', reason: `${what} cannot be read` });
