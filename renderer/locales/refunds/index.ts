import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en, type RefundsTexts } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const refundsTexts: Readonly<Record<Language, RefundsTexts>> = { da, fi, sv, en };
export type { StoryEvent } from './en.ts';
