/** Parses JSON; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const mark = {
  comma: 0x2c,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
const quote = 0x22;
const backslash = 0x5c;

/** JSON's white space, and the bytes of a byte order mark. */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 ||
  byte === 0x09 ||
  byte === 0x0a ||
  byte === 0x0d ||
  byte === 0xef ||
  byte === 0xbb ||
  byte === 0xbf;

/**
 * Looks at JSON before it is parsed, up to the first mistake, and builds nothing of it. Whether it
 * is JSON at all is for the parser to say.
 * @param judge is given each byte that is neither blank nor inside a string, and how many lists and
 * objects are open before it
 * @returns the first mistake that `judge` names; null when it names none
 */
export function firstMistake(
  json: Uint8Array,
  judge: (byte: number, level: number) => string | null,
): string | null {
  let level = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (isBlank(byte)) continue;
    const mistake = judge(byte, level);
    if (mistake !== null) return mistake;
    if (byte === quote) at = endOfString(json, at);
    else if (byte === mark.openObject || byte === mark.openList) level += 1;
    else if (byte === mark.closeObject || byte === mark.closeList) level -= 1;
  }
  return null;
}

/**
 * Returns the position of the closing quotation mark of the string that begins at `start`, or the
 * end of the bytes for an unclosed string.
 */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

/**
 * The documented answers have a few levels. Recursive code over an answer calls itself this often
 * at most.
 */
const deepest = 32;
/**
 * A page of 1,000 transactions has a quarter of so many values. Each one may be a mistake that a
 * schema reports and holds in memory.
 */
const maxValues = 100_000;

/**
 * Parses an answer of the service; undefined also when it is deeper or wider than any documented
 * one.
 */
export function parseAnswer(text: string): unknown {
  let values = 0;
  const mistake = firstMistake(Buffer.from(text), (byte, level) => {
    const opens = byte === mark.openObject || byte === mark.openList;
    if (opens || byte === mark.comma) values += 1;
    return (opens && level >= deepest) || values > maxValues ? 'larger than any answer' : null;
  });
  return mistake === null ? parseJson(text) : undefined;
}
