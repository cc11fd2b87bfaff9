/** The packets that we send to a till, filled in. */
import type { SaleOutcome, SaleTicket } from '../../primitives/sale.ts';
import type { SaleProgress } from '../port.ts';
import { encodeBcd } from './bcd.ts';
import { BMP, encodeFields, lengthDigits } from './bitmaps.ts';
import { encodeCurrency } from './currency.ts';
import { encodePacket } from './packets.ts';
import { notPaidResults, RESULT } from './result-codes.ts';
import { encodeText } from './text.ts';
import { encodeTlv, TAG } from './tlv.ts';

const byte = (value: number): Uint8Array => Uint8Array.of(value);
/** Terminal id, eight digits. One daemon, one terminal. */
const terminalId = encodeBcd(1, 4);
/** Status byte of a status information: online (ZVT PA00P015, payment type). */
const paidOnline = 0x60;
const cardName = 'Mobile wallet';

/** 04 0F. `currency`: only for a till that named one itself (some cannot read the bitmap). */
export function statusInformation(sale: SaleTicket, outcome: SaleOutcome, { namesCurrency }: { namesCurrency: boolean }): Uint8Array {
  const at = new Date(sale.startedAtMs);
  const result = outcome.paid ? { code: RESULT.ok, text: null } : notPaidResults[outcome.reason];
  const fields = new Map<number, Uint8Array>([
    [BMP.resultCode, byte(result.code)],
    [BMP.amount, encodeBcd(sale.amountMinor, 6)],
    [BMP.traceNumber, encodeBcd(sale.traceNumber, 3)],
    [BMP.time, encodeBcd(at.getHours() * 10_000 + at.getMinutes() * 100 + at.getSeconds(), 3)],
    [BMP.date, encodeBcd((at.getMonth() + 1) * 100 + at.getDate(), 2)],
    [BMP.statusByte, byte(paidOnline)],
    [BMP.terminalId, terminalId],
    [BMP.receiptNumber, encodeBcd(sale.receiptNumber, 2)],
    [BMP.cardName, Uint8Array.of(...encodeText(cardName), 0)],
  ]);
  if (namesCurrency) fields.set(BMP.currency, encodeCurrency(sale.currency));
  if (result.text !== null) fields.set(BMP.additionalText, encodeText(result.text));
  return encodePacket('statusInformation', { fields });
}

/** 04 0F for a sale that never began: a result code and no numbers. */
export function refusalInformation(code: number, text: string): Uint8Array {
  return encodePacket('statusInformation', {
    fields: new Map([
      [BMP.resultCode, byte(code)],
      [BMP.additionalText, encodeText(text)],
    ]),
  });
}

/** Intermediate status codes (ZVT PA00P015, table 17) for tills that take no text, and the text for those that do. */
const progressStatus: Readonly<Record<SaleProgress, { readonly code: number; readonly text: string }>> = {
  contactingService: { code: 0x0e, text: 'Please wait' },
  waitingForCustomer: { code: 0x0a, text: 'Scan the QR code' },
  customerFound: { code: 0x0e, text: 'Customer found' },
  approveInApp: { code: 0x04, text: 'Approve in the app' },
  cancelling: { code: 0x0e, text: 'Cancelling' },
};
const seeText = 0xff;
/** T4 anew, in minutes. */
const timeoutMinutes = encodeBcd(3, 1);

export function intermediateStatus(progress: SaleProgress, { allowsTlv }: { allowsTlv: boolean }): Uint8Array {
  const { code, text } = progressStatus[progress];
  if (!allowsTlv) return encodePacket('intermediateStatus', { parts: [byte(code)] });
  const lines = encodeTlv([{ tag: TAG.displayTexts, value: encodeTlv([{ tag: TAG.textLine, value: encodeText(text) }]) }]);
  return encodePacket('intermediateStatus', { parts: [byte(seeText), timeoutMinutes], fields: new Map([[BMP.tlv, lines]]) });
}

export const completion: Uint8Array = encodePacket('completion');

export function registrationCompletion(currency: SaleTicket['currency'] | null): Uint8Array {
  const fields = new Map<number, Uint8Array>([
    [BMP.statusByte, byte(0x00)],
    [BMP.terminalId, terminalId],
  ]);
  if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
  return encodePacket('completion', { rest: encodeFields(fields) });
}

/** The answer to a status enquiry: LLLVAR version, then the status, both untagged (ZVT PA00P015, 05 01). */
export function statusCompletion(status: number, softwareVersion: string | null): Uint8Array {
  const text = encodeText(softwareVersion ?? '');
  const version = softwareVersion === null ? [] : [...lengthDigits(text.length, 3), ...text];
  return encodePacket('completion', { rest: Uint8Array.of(...version, status) });
}

export const abort = (code: number): Uint8Array => encodePacket('abort', { parts: [byte(code)] });

/** A registration in a currency that this counter does not take: 84 1E with the code and our currency. */
export function wrongCurrencyAnswer(ours: SaleTicket['currency']): Uint8Array {
  return Uint8Array.of(0x84, 0x1e, 0x03, RESULT.wrongCurrency, ...encodeCurrency(ours));
}

const lastLine = 0x81;
export function printLines(lines: readonly string[]): Uint8Array[] {
  return lines.map((line, index) => encodePacket('printLine', { parts: [byte(index === lines.length - 1 ? lastLine : 0x00)], rest: encodeText(line) }));
}
