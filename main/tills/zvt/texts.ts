// Made by `npm run locales` from assets/locales.

import type { Language } from '../../core/domain/languages.ts';
import { type Text, type Texts, textsOf } from '../../core/domain/texts.ts';
import da from '../../../assets/locales/da-DK/till.json' with { type: 'json' };
import fi from '../../../assets/locales/fi-FI/till.json' with { type: 'json' };
import nb from '../../../assets/locales/nb-NO/till.json' with { type: 'json' };
import sv from '../../../assets/locales/sv-SE/till.json' with { type: 'json' };
import en from '../../../assets/locales/en-GB/till.json' with { type: 'json' };

interface Arguments {
  heldUntil: { readonly time: Text };
  endingSoon: { readonly receipts: Text };
  'notRefunded.tooOld': { readonly days: Text };
  'refundRefused.refundOpen': { readonly minutes: Text };
}

export type TillTexts = Texts<typeof en, Arguments>;
export const tillTexts: Readonly<Record<Language, TillTexts>> = {
  da: textsOf<typeof en, Arguments>('da-DK', da),
  fi: textsOf<typeof en, Arguments>('fi-FI', fi),
  nb: textsOf<typeof en, Arguments>('nb-NO', nb),
  sv: textsOf<typeof en, Arguments>('sv-SE', sv),
  en: textsOf<typeof en, Arguments>('en-GB', en),
};
