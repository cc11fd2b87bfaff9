import type { Language } from '../../locales/i18n.ts';

export type Layer = 'letters' | 'digits' | 'signs';
/** A character for each key, from the top. */
export type Rows = readonly [string, string, string];

/**
 * Where a language has its own letters; those of its neighbours are in the last row, because names
 * of people cross borders.
 */
const nordic: Rows = ['qwertyuiopå', 'asdfghjklæø', 'zxcvbnmäö'];
const eastern: Rows = ['qwertyuiopå', 'asdfghjklöä', 'zxcvbnmæø'];
const norwegian: Rows = ['qwertyuiopå', 'asdfghjkløæ', 'zxcvbnmäö'];
const letters: Readonly<Record<Language, Rows>> = {
  da: nordic,
  en: nordic,
  fi: eastern,
  nb: norwegian,
  sv: eastern,
};

const digits: Rows = ['1234567890', '#%&/()=+*"', "_:;'!?<>"];
const signs: Rows = ['1234567890', '[]{}\\|^~`$', '€£§°éüßñ'];

export function rowsOf(layer: Layer, language: Language): Rows {
  if (layer !== 'letters') return layer === 'digits' ? digits : signs;
  return letters[language];
}

/** The characters beside the space, the same on every layer. */
export function besideSpace(mode: string): readonly [before: string, after: string] {
  return mode === 'url' || mode === 'email' ? [':/@-', '.'] : ['@-', ',.'];
}

/** The layer that a field begins with. */
export function layerFor(mode: string): Layer {
  return mode === 'numeric' || mode === 'decimal' || mode === 'tel' ? 'digits' : 'letters';
}
