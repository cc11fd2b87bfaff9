import type { KeyboardTexts } from '../../locales/keyboard.ts';

export type Layer = 'letters' | 'digits' | 'signs';
/** A character for each key, from the top. */
export type Rows = readonly [string, string, string];

const digits: Rows = ['1234567890', '#%&/()=+*"', "_:;'!?<>"];
const signs: Rows = ['1234567890', '[]{}\\|^~`$', '€£§°éüßñ'];

/** `rows`: the letters of the language, and in its last row those of its neighbours */
export function rowsOf(layer: Layer, { rows: letters }: Pick<KeyboardTexts, 'rows'>): Rows {
  if (layer === 'letters') return [letters.top, letters.middle, letters.bottom];
  return layer === 'digits' ? digits : signs;
}

/** The characters beside the space, the same on every layer. */
export function besideSpace(mode: string): readonly [before: string, after: string] {
  return mode === 'url' || mode === 'email' ? [':/@-', '.'] : ['@-', ',.'];
}

/** The layer that a field begins with. */
export function layerFor(mode: string): Layer {
  return mode === 'numeric' || mode === 'decimal' || mode === 'tel' ? 'digits' : 'letters';
}
