import type { Language } from '../../core/domain/languages.ts';
import type { CustomerFacts } from '../../core/domain/sale.ts';
import { encodeAscii } from './text.ts';
import { tillTexts } from './texts.ts';
import { encodeTlv, TAG, type TlvObject } from './tlv.ts';

/** What a till is told about who paid. */
export interface CustomerSaid {
  /** Text for bitmap 3C, which every till shows or prints; null for none. */
  readonly text: string | null;
  /** Objects for a till that has sent the container of value-added services. */
  readonly objects: readonly TlvObject[];
}

/**
 * The data comes from outside: more or longer values are left out, so that they do not overflow a
 * till's buffer.
 */
const mostLoyaltyIds = 5;
const longestIdCharacters = 60;
const longestTokenBytes = 512;
/** The receipt token is no loyalty id, so it has a name of its own. */
const receiptTokenProgramme = 'receipt-token';

/**
 * The customer's data in the status information of a paid sale. The standard's place for it is the
 * container of value-added services (E8), with an object for each loyalty card (FF02), as the
 * answer to a till that sent one: some tills stop at the first tag that they do not know. The
 * receipt token is only there: it is for machines.
 */
export function customerSaid(
  { loyaltyIds, receiptToken }: CustomerFacts,
  language: Language,
): CustomerSaid {
  const ids = (loyaltyIds ?? [])
    .filter((id) => id.length > 0 && id.length <= longestIdCharacters)
    .slice(0, mostLoyaltyIds);
  const token = encodeAscii(receiptToken ?? '');
  const cards: TlvObject[] = ids.map((id) =>
    card([{ tag: TAG.valueAddedData, value: encodeAscii(id) }]),
  );
  if (token.length > 0 && token.length <= longestTokenBytes)
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
