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
export const tokenTexts = await catalogue<TokenTexts>(
  import.meta.glob('../../assets/locales/*/tokens.json'),
);
