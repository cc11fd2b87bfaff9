import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en, type ReconciliationTexts } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export type { ReconciliationTexts } from './en.ts';
export const reconciliationTexts: Readonly<Record<Language, ReconciliationTexts>> = { da, fi, sv, en };
