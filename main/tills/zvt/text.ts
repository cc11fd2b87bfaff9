/** Text for tills, in the character set that was agreed (ZVT PA00P015, character sets). */

import type { TillProfile } from '../../core/domain/till-profiles.ts';

/** As tag 14 names it: 00 ASCII, 01 to 10 ISO 8859-n, FE UTF-8, FF code page 437. */
export type Charset = number;
export const CHARSET = { ascii: 0x00, utf8: 0xfe, codePage437: 0xff } as const satisfies Record<
  string,
  Charset
>;

/** The character sets as a till's settings name them. */
export const charsets: Readonly<Record<TillProfile['charset'], Charset>> = {
  ASCII: CHARSET.ascii,
  'ISO-8859-1': 0x01,
  'ISO-8859-15': 0x0f,
  'UTF-8': CHARSET.utf8,
  CP437: CHARSET.codePage437,
};

/** ISO 8859-12 does not exist. */
const isOfIso8859 = (code: number): boolean => code >= 0x01 && code <= 0x10 && code !== 0x0c;
export const isCharset = (code: number | undefined): code is Charset =>
  code !== undefined &&
  (code === CHARSET.ascii ||
    code === CHARSET.utf8 ||
    code === CHARSET.codePage437 ||
    isOfIso8859(code));

/** The platform has all others, and not this one. */
const codePage437: Readonly<Record<string, number>> = {
  Ç: 0x80,
  ü: 0x81,
  é: 0x82,
  â: 0x83,
  ä: 0x84,
  à: 0x85,
  å: 0x86,
  ç: 0x87,
  ê: 0x88,
  ë: 0x89,
  è: 0x8a,
  ï: 0x8b,
  î: 0x8c,
  ì: 0x8d,
  Ä: 0x8e,
  Å: 0x8f,
  É: 0x90,
  æ: 0x91,
  Æ: 0x92,
  ô: 0x93,
  ö: 0x94,
  ò: 0x95,
  û: 0x96,
  ù: 0x97,
  ÿ: 0x98,
  Ö: 0x99,
  Ü: 0x9a,
  á: 0xa0,
  í: 0xa1,
  ó: 0xa2,
  ú: 0xa3,
  ñ: 0xa4,
  Ñ: 0xa5,
  ß: 0xe1,
};

/** Where a set lacks the letter. The others lose their accents. */
const replacements: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'O',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  '€': 'EUR',
  '–': '-',
  '—': '-',
  '…': '...',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '\u00a0': ' ',
};

interface Letters {
  readonly codes: ReadonlyMap<string, number>;
  readonly letters: ReadonlyMap<number, string>;
}
const lettersOf = (pairs: readonly (readonly [string, number])[]): Letters => ({
  codes: new Map(pairs),
  letters: new Map(pairs.map(([letter, code]) => [code, letter])),
});
const lettersByCharset = new Map<Charset, Letters>([
  [CHARSET.ascii, lettersOf([])],
  [CHARSET.codePage437, lettersOf(Object.entries(codePage437))],
]);

const isPrintable = (letter: string): boolean => !/\p{C}/u.test(letter);

/** Beside ASCII. */
function lettersIn(charset: Charset): Letters {
  const ready = lettersByCharset.get(charset);
  if (ready !== undefined) return ready;
  // From A0 on: what the platform decodes below that is of Windows.
  const upper = new TextDecoder(`iso-8859-${charset}`).decode(
    Uint8Array.from({ length: 0x60 }, (_, index) => 0xa0 + index),
  );
  const pairs = Array.from(upper, (letter, index) => [letter, 0xa0 + index] as const);
  // Leave out the gaps of a set, its soft hyphen and its no-break space: tills may not know them.
  const letters = lettersOf(
    pairs.filter(([letter]) => letter !== '\ufffd' && letter !== '\u00a0' && isPrintable(letter)),
  );
  lettersByCharset.set(charset, letters);
  return letters;
}

/** Nearly every text: it is the same in every set. */
const isAllOfAscii = (text: string): boolean => /^[ -~]*$/.test(text);
const isOfAscii = (letter: string): boolean => letter >= ' ' && letter <= '~';

/** The text as the set can write it: as long as it will be on paper. */
export function writable(text: string, charset: Charset): string {
  if (isAllOfAscii(text)) return text;
  const has =
    charset === CHARSET.utf8
      ? isPrintable
      : (letter: string): boolean => isOfAscii(letter) || lettersIn(charset).codes.has(letter);
  const plain = (letter: string): string => (isOfAscii(letter) ? letter : '?');
  return Array.from(text.normalize('NFC'), (letter) => {
    if (has(letter)) return letter;
    const replaced = replacements[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
    return Array.from(replaced, plain).join('');
  }).join('');
}

/** @param charset code page 437 unless agreed otherwise */
export function encodeText(text: string, charset: Charset = CHARSET.codePage437): Uint8Array {
  const written = writable(text, charset);
  if (charset === CHARSET.utf8 || isAllOfAscii(written)) return new TextEncoder().encode(written);
  const { codes } = lettersIn(charset);
  return Uint8Array.from(written, (letter) => codes.get(letter) ?? letter.charCodeAt(0));
}

/**
 * For the texts of bitmaps (3C, 8B): there, tills read ASCII reliably and nothing else, whatever
 * character set they agreed on for paper and display.
 */
export const encodeAscii = (text: string): Uint8Array => encodeText(text, CHARSET.ascii);

export function decodeText(bytes: Uint8Array, charset: Charset = CHARSET.codePage437): string {
  if (charset === CHARSET.utf8) return new TextDecoder().decode(bytes);
  const { letters } = lettersIn(charset);
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : (letters.get(byte) ?? '?'),
  ).join('');
}
