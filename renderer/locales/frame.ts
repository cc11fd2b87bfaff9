// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/frame.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  signedInAs: { readonly name: Text };
  atLane: { readonly name: Text };
  'restored.what': { readonly time: Text; readonly from: Text };
  'restored.unsettled': { readonly count: number };
  'restored.copied.what': { readonly from: Text; readonly time: Text };
  'restored.looked': { readonly from: Text };
  'signIn.pin': { readonly name: Text };
  'signIn.wrongPin': { readonly triesLeft: number };
  'signIn.locked': { readonly inTime: Text };
  'first.code.where': { readonly path: Text };
  'first.code.wrong': { readonly triesLeft: number };
  'setup.stepOf': { readonly number: Text; readonly of: Text };
  'setup.file.refused': { readonly at: Text };
  'setup.file.lockedKeyStore': { readonly name: Text };
}

export type FrameTexts = Texts<typeof en, Arguments>;
export const frameTexts = await catalogue<FrameTexts>(
  import.meta.glob('../../assets/locales/*/frame.json'),
);
