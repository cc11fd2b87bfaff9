/** undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The documents go to some levels. Whoever walks what comes of it may call itself for each. */
const deepest = 32;
/** A page of 1,000 has a quarter of it. Each of them may be a mistake that a schema tells of, and keeps in memory. */
const mostValues = 100_000;

/** Of the service: undefined also where it is deeper or wider than any of its answers. */
export function parseAnswer(text: string): unknown {
  return isOfUsualSize(text) ? parseJson(text) : undefined;
}

/** Looks at the text alone, and no further than it must; whether it is JSON is somebody else's question. */
function isOfUsualSize(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth += 1;
        values += 1;
        break;
      case ',':
        values += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      default:
    }
    if (depth > deepest || values > mostValues) return false;
  }
  return true;
}

/** Where the quotation mark is that ends it. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
