import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { type CashierTexts, en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const cashierTexts: Readonly<Record<Language, CashierTexts>> = { da, fi, sv, en };
