// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/restore.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  tooLong: { readonly most: Text };
  restored: { readonly time: Text; readonly from: Text };
}

export type RestoreTexts = Texts<typeof en, Arguments>;
export const restoreTexts = await catalogue<RestoreTexts>(
  import.meta.glob('../../assets/locales/*/restore.json'),
);
