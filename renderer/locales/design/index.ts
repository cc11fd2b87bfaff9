import type { Language } from '../i18n.ts';
import { da } from './da.ts';
import { type DesignTexts, en } from './en.ts';
import { fi } from './fi.ts';
import { sv } from './sv.ts';

export const designTexts: Readonly<Record<Language, DesignTexts>> = { da, fi, sv, en };
