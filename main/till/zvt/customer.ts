import type { Language } from '../../domain/languages.ts';
import type { CustomerFacts } from '../../domain/sale.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { encodeText } from './text.ts';
import { tillTexts } from './texts.ts';
import { encodeTlv, TAG, type TlvObject } from './tlv.ts';

interface CustomerTerms {
  readonly language: Language;
  readonly allowsTlv: boolean;
}

/** External data: longer values are left out, so that they do not overflow a till's buffer. */
const mostLoyaltyIds = 5;
const longestIdCharacters = 60;
const longestTokenBytes = 512;

/**
 * The customer's data in the status information of a paid sale. ZVT has no field for loyalty: the ids are additional text
 * (bitmap 3C), which every till shows or prints, and for a till that reads TLV also objects of the private class, which others skip. The
 * receipt token is only there: it is for machines.
 */
export function customerFields({ loyaltyIds, receiptToken }: CustomerFacts, { language, allowsTlv }: CustomerTerms): Fields {
  const ids = (loyaltyIds ?? []).filter((id) => id.length > 0 && id.length <= longestIdCharacters).slice(0, mostLoyaltyIds);
  const token = encodeText(receiptToken ?? '');
  const fields = new Map<number, Uint8Array>();
  if (ids.length > 0) fields.set(BMP.additionalText, encodeText(`${tillTexts[language].loyalty}: ${ids.join(', ')}`));
  if (!allowsTlv) return fields;
  const objects: TlvObject[] = ids.map((id) => ({ tag: TAG.loyaltyId, value: encodeText(id) }));
  if (token.length > 0 && token.length <= longestTokenBytes) objects.push({ tag: TAG.receiptToken, value: token });
  if (objects.length > 0) fields.set(BMP.tlv, encodeTlv(objects));
  return fields;
}
