/** What a body may hold, judged before it is parsed: its bytes are looked at up to the first mistake, and nothing is built of them. */

export interface ShapeLimits {
  readonly records: number;
  /** Of a record; one without lists and objects in it is 1. */
  readonly depth: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** JSON's white space, and the bytes of a byte order mark. */
const nothing: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** null: within the limits, whether it is JSON or not. */
export function shapeMistake(body: Uint8Array, { records, depth }: ShapeLimits): string | null {
  let at = 0;
  while (nothing.has(body[at])) at += 1;
  if (body[at] !== openList && body[at] !== openObject) return null;
  const listDepth = body[at] === openList ? 1 : 0;
  let level = 0;
  let found = 0;
  for (; at < body.length; at += 1) {
    const byte = body[at];
    const isInList = listDepth === 1 && level === 1;
    if (isInList && byte !== openObject && byte !== comma && byte !== closeList && !nothing.has(byte))
      return found === 0 ? 'the record must be an object' : `record ${found + 1} must be an object`;
    if (byte === quote) at = endOfText(body, at);
    else if (byte === openObject || byte === openList) {
      if (level === listDepth && byte === openObject) found += 1;
      level += 1;
      if (found > records) return records === 1 ? 'the body must be one record' : `the body must hold at most ${records} records`;
      if (level - listDepth > depth) return `a record must not be nested deeper than ${depth} levels`;
    } else if (byte === closeObject || byte === closeList) level -= 1;
  }
  return null;
}

/** @returns where the quotation mark stands that ends the text which begins at `start`; the end of the body where there is none */
function endOfText(body: Uint8Array, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end !== -1; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}
