import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { type DayTexts, en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const dayTexts: Readonly<Record<Language, DayTexts>> = { da, fi, sv, en };
