import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';
import type { SetupCustomersTexts } from './texts.ts';

export const setupCustomersTexts: Readonly<Record<Language, SetupCustomersTexts>> = { da, fi, sv, en };
