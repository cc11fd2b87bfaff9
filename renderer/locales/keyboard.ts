// Made by `npm run locales` from assets/locales.

import type { Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/keyboard.json';
import { catalogue } from './catalogue.ts';

export type KeyboardTexts = Texts<typeof en, object>;
export const keyboardTexts = await catalogue<KeyboardTexts>(
  import.meta.glob('../../assets/locales/*/keyboard.json'),
);
