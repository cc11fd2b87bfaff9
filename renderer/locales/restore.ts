// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/restore.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  tooLong: { readonly most: Text };
  restored: { readonly time: Text; readonly from: Text };
}

export type RestoreTexts = Texts<typeof en, Arguments>;
export const restoreTexts = await catalogue<RestoreTexts>({
  da: () => import('../../assets/locales/da-DK/restore.json', { with: { type: 'json' } }),
  fi: () => import('../../assets/locales/fi-FI/restore.json', { with: { type: 'json' } }),
  nb: () => import('../../assets/locales/nb-NO/restore.json', { with: { type: 'json' } }),
  sv: () => import('../../assets/locales/sv-SE/restore.json', { with: { type: 'json' } }),
  en: () => import('../../assets/locales/en-GB/restore.json', { with: { type: 'json' } }),
});
