import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en, type HealthTexts } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const healthTexts: Readonly<Record<Language, HealthTexts>> = { da, fi, sv, en };
