// Made by `npm run locales` from assets/locales.

import type { Language } from '../../core/domain/languages.ts';
import { type Text, type Texts, textsOf } from '../../core/domain/texts.ts';
import da from '../../../assets/locales/da-DK/desktop.json' with { type: 'json' };
import fi from '../../../assets/locales/fi-FI/desktop.json' with { type: 'json' };
import nb from '../../../assets/locales/nb-NO/desktop.json' with { type: 'json' };
import sv from '../../../assets/locales/sv-SE/desktop.json' with { type: 'json' };
import en from '../../../assets/locales/en-GB/desktop.json' with { type: 'json' };

interface Arguments {
  'quit.line': { readonly lane: Text; readonly amount: Text; readonly ends: Text };
  'tray.lane': { readonly lane: Text; readonly why: Text };
}

export type DesktopTexts = Texts<typeof en, Arguments>;
export const desktopTexts: Readonly<Record<Language, DesktopTexts>> = {
  da: textsOf<typeof en, Arguments>('da-DK', da),
  fi: textsOf<typeof en, Arguments>('fi-FI', fi),
  nb: textsOf<typeof en, Arguments>('nb-NO', nb),
  sv: textsOf<typeof en, Arguments>('sv-SE', sv),
  en: textsOf<typeof en, Arguments>('en-GB', en),
};
