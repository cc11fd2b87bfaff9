import type { Language } from '../../core/domain/languages.ts';
import { type CustomerFacts, loyaltyIdsForTill } from '../../core/domain/sale.ts';
import { encodeAscii } from './text.ts';
import { tillTexts } from './texts.ts';
import { encodeTlv, TAG, type TlvObject } from './tlv.ts';

/** What a till is told about who paid. */
export interface CustomerData {
  /** Text for bitmap 3C, which every till shows or prints; null for none. */
  readonly text: string | null;
  /** Objects for a till that has sent the container of value-added services. */
  readonly objects: readonly TlvObject[];
}

/** A longer one is left out, so that it does not overflow a till's buffer. */
const maxTokenBytes = 512;
/** Distinguishes the receipt token from loyalty ids. */
const receiptTokenProgramme = 'receipt-token';

/**
 * The customer's data in the status information of a paid sale. The standard's place for it is the
 * container of value-added services (E8), with an object for each loyalty card (FF02), as the
 * answer to a till that sent one: some tills stop at the first tag that they do not know. The
 * receipt token is only there: it is for machines.
 */
export function customerData(customer: CustomerFacts, language: Language): CustomerData {
  const ids = loyaltyIdsForTill(customer);
  const token = encodeAscii(customer.receiptToken ?? '');
  const cards: TlvObject[] = ids.map((id) =>
    card([{ tag: TAG.valueAddedData, value: encodeAscii(id) }]),
  );
  if (token.length > 0 && token.length <= maxTokenBytes)
    cards.push(
      card([
        { tag: TAG.valueAddedProgramme, value: encodeAscii(receiptTokenProgramme) },
        { tag: TAG.valueAddedData, value: token },
      ]),
    );
  return {
    text: ids.length === 0 ? null : `${tillTexts[language].loyalty}: ${ids.join(', ')}`,
    objects: cards.length === 0 ? [] : [{ tag: TAG.valueAdded, value: encodeTlv(cards) }],
  };
}

const card = (objects: readonly TlvObject[]): TlvObject => ({
  tag: TAG.loyalty,
  value: encodeTlv(objects),
});
