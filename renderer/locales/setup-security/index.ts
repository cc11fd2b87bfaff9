import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';
import type { SetupSecurityTexts } from './texts.ts';

export const setupSecurityTexts: Readonly<Record<Language, SetupSecurityTexts>> = { da, fi, sv, en };
