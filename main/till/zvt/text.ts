/** Text for tills: code page 437 unless agreed otherwise (ZVT PA00P015, character sets). It has no ø, so that becomes o. */
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
const replacements: Readonly<Record<string, string>> = { ø: 'o', Ø: 'O', '–': '-', '…': '...', '€': 'EUR' };
const letterByCode = new Map(Object.entries(codePage437).map(([letter, code]) => [code, letter]));

export function encodeText(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of text) {
    for (const sent of replacements[letter] ?? letter) {
      const code = sent.charCodeAt(0);
      bytes.push(code >= 0x20 && code < 0x7f ? code : (codePage437[sent] ?? 0x3f));
    }
  }
  return new Uint8Array(bytes);
}

export function decodeText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : (letterByCode.get(byte) ?? '?'))).join('');
}
