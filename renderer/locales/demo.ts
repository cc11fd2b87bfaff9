// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/demo.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  pay: { readonly amount: Text };
  'display.running': { readonly command: Text };
  'display.done': { readonly command: Text };
  'display.refused': { readonly command: Text; readonly code: Text };
  'display.notPossible': { readonly command: Text; readonly code: Text };
  'display.lost': { readonly command: Text };
  'display.copy': { readonly what: Text };
  'display.because': { readonly what: Text; readonly reason: Text };
  signIn: { readonly name: Text; readonly pin: Text };
}

export type DemoTexts = Texts<typeof en, Arguments>;
export const demoTexts = await catalogue<DemoTexts>(
  import.meta.glob('../../assets/locales/*/demo.json'),
);
