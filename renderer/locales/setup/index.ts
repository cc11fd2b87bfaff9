import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';
import type { SetupTexts } from './texts.ts';

export const setupTexts: Readonly<Record<Language, SetupTexts>> = { da, fi, sv, en };
