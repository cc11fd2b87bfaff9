import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en, type ManagerTexts } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const managerTexts: Readonly<Record<Language, ManagerTexts>> = { da, fi, sv, en };
