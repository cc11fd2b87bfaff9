// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/tokens.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  at: { readonly address: Text };
  madeTitle: { readonly name: Text };
  revokeTitle: { readonly name: Text };
}

export type TokenTexts = Texts<typeof en, Arguments>;
export const tokenTexts = await catalogue<TokenTexts>({
  da: () => import('../../assets/locales/da-DK/tokens.json', { with: { type: 'json' } }),
  fi: () => import('../../assets/locales/fi-FI/tokens.json', { with: { type: 'json' } }),
  nb: () => import('../../assets/locales/nb-NO/tokens.json', { with: { type: 'json' } }),
  sv: () => import('../../assets/locales/sv-SE/tokens.json', { with: { type: 'json' } }),
  en: () => import('../../assets/locales/en-GB/tokens.json', { with: { type: 'json' } }),
});
