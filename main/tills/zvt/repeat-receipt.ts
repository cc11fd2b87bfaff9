import { BMP, type Fields } from './bitmaps.ts';
import type { Copy } from './registration.ts';
import { parseTlv, TAG } from './tlv.ts';

/** Tag 1F01 of 06 20; other receipts (such as the journal) are not available for it. */
const LAST = { any: 0x01, merchant: 0x02, customer: 0x03, closing: 0x04 } as const;

/**
 * Which receipt is to be repeated: one copy of the last one, null for all of its copies, or
 * `closing` for the last closing report.
 */
export function repeatedReceiptIn(fields: Fields): Copy | 'closing' | null | 'none' {
  const container = fields.get(BMP.tlv);
  const parameter =
    container === undefined
      ? undefined
      : parseTlv(container)
          .find(({ tag }) => tag === TAG.repeatedReceipt)
          ?.value.at(-1);
  switch (parameter) {
    case undefined:
    case LAST.any:
      return null;
    case LAST.merchant:
      return 'merchant';
    case LAST.customer:
      return 'customer';
    case LAST.closing:
      return 'closing';
    default:
      return 'none';
  }
}
