import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { type CustomerTexts, en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const customerTexts: Readonly<Record<Language, CustomerTexts>> = { da, fi, sv, en };
