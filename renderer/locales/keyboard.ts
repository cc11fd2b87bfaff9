// Made by `npm run locales` from assets/locales.

import type { Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/keyboard.json';
import { catalogue } from './catalogue.ts';

export type KeyboardTexts = Texts<typeof en, object>;
export const keyboardTexts = await catalogue<KeyboardTexts>({
  da: () => import('../../assets/locales/da-DK/keyboard.json', { with: { type: 'json' } }),
  fi: () => import('../../assets/locales/fi-FI/keyboard.json', { with: { type: 'json' } }),
  nb: () => import('../../assets/locales/nb-NO/keyboard.json', { with: { type: 'json' } }),
  sv: () => import('../../assets/locales/sv-SE/keyboard.json', { with: { type: 'json' } }),
  en: () => import('../../assets/locales/en-GB/keyboard.json', { with: { type: 'json' } }),
});
