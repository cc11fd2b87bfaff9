import type { Currency } from '../../primitives/money.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { parseTlv, TAG } from './tlv.ts';

/** What a till agreed with us at registration; valid until it logs off, whichever connection it uses (ZVT PA00P015, section 2.1). */
export interface Registration {
  /** The till wants 04 FF while it waits. */
  readonly wantsIntermediateStatus: boolean;
  /** The till prints the receipt, from lines that we send. */
  readonly wantsPrintLines: boolean;
  /** The till understands TLV containers. */
  readonly allowsTlv: boolean;
  /** null: the till named none; by the standard its amounts are then euro. */
  readonly currency: Currency | null;
  /** Characters per line of the till's printer; null: it did not say. */
  readonly printerWidth: number | null;
}

/** Not registered is legal: payments work, nothing that needs an agreement is sent. */
export const notRegistered: Registration = { wantsIntermediateStatus: false, wantsPrintLines: false, allowsTlv: false, currency: null, printerWidth: null };

const CONFIG = { printsPaymentReceipts: 0x02, wantsIntermediateStatus: 0x08, receiptFromLines: 0x80 } as const;

/** null: the currency is one that the wallet does not have. */
export function readRegistration(config: number, currencyBytes: Uint8Array | undefined, fields: Fields): Registration | null {
  const currency = currencyBytes === undefined ? null : decodeCurrency(currencyBytes);
  if (currencyBytes !== undefined && currency === null) return null;
  const container = fields.get(BMP.tlv);
  const width = container && parseTlv(container).find(({ tag }) => tag === TAG.printerWidth)?.value;
  return {
    wantsIntermediateStatus: (config & CONFIG.wantsIntermediateStatus) !== 0,
    wantsPrintLines: (config & CONFIG.printsPaymentReceipts) !== 0 && (config & CONFIG.receiptFromLines) !== 0,
    allowsTlv: container !== undefined,
    currency,
    printerWidth: width === undefined ? null : decodeBcd(width),
  };
}
