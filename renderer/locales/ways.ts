// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/ways.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  flow: { readonly lane: Text };
  read: { readonly code: Text };
  'reads.customer': { readonly count: Text };
  'reads.other': { readonly count: Text };
  inUse: { readonly lane: Text };
}

export type WaysTexts = Texts<typeof en, Arguments>;
export const waysTexts = await catalogue<WaysTexts>(
  import.meta.glob('../../assets/locales/*/ways.json'),
);
