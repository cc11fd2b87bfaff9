import { isLanguage, type Language } from '../../domain/languages.ts';
import type { Currency } from '../../domain/money.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { decodeText } from './text.ts';
import { parseTlv, TAG, type TlvObject } from './tlv.ts';

/** What a till agreed at registration. It belongs to its connection, so that another peer's registration does not change it. */
export interface Registration {
  /** The till wants 04 FF while it waits. */
  readonly wantsIntermediateStatus: boolean;
  /** The till prints the receipt, from lines that we send. */
  readonly wantsPrintLines: boolean;
  /** The same of reports: totals, closings. */
  readonly wantsReportLines: boolean;
  /** The till understands TLV containers. */
  readonly allowsTlv: boolean;
  /** null when the till named none; by the standard its amounts are then in euro. */
  readonly currency: Currency | null;
  /** Characters per line of the till's printer; null when unknown. */
  readonly printerWidth: number | null;
  readonly language: Language;
}

/** The defaults without a registration, which is legal: payments work, but nothing is sent that needs an agreement. */
export const notRegistered: Registration = {
  wantsIntermediateStatus: false,
  wantsPrintLines: false,
  wantsReportLines: false,
  allowsTlv: false,
  currency: null,
  printerWidth: null,
  language: 'en',
};

const CONFIG = { printsPaymentReceipts: 0x02, printsReports: 0x04, wantsIntermediateStatus: 0x08, receiptFromLines: 0x80 } as const;

/** null when the wallet does not support the currency. */
export function readRegistration(config: number, currencyBytes: Uint8Array | undefined, fields: Fields): Registration | null {
  const currency = currencyBytes === undefined ? null : decodeCurrency(currencyBytes);
  if (currencyBytes !== undefined && currency === null) return null;
  const container = fields.get(BMP.tlv);
  const agreed = container === undefined ? [] : parseTlv(container);
  const width = agreed.find(({ tag }) => tag === TAG.printerWidth)?.value;
  return {
    wantsIntermediateStatus: (config & CONFIG.wantsIntermediateStatus) !== 0,
    wantsPrintLines: (config & CONFIG.printsPaymentReceipts) !== 0 && (config & CONFIG.receiptFromLines) !== 0,
    wantsReportLines: (config & CONFIG.printsReports) !== 0 && (config & CONFIG.receiptFromLines) !== 0,
    allowsTlv: container !== undefined,
    currency,
    // One BCD byte, so at most 99.
    printerWidth: width?.length === 1 ? decodeBcd(width) : null,
    language: languageAmong(agreed) ?? notRegistered.language,
  };
}

/** The first supported language: tag 15, alone or in a list (tag 28). */
function languageAmong(objects: readonly TlvObject[]): Language | null {
  for (const { tag, value } of objects.flatMap((object) => (object.tag === TAG.languages ? parseTlv(object.value) : [object]))) {
    const code = tag === TAG.language ? decodeText(value).toLowerCase() : '';
    if (isLanguage(code)) return code;
  }
  return null;
}
