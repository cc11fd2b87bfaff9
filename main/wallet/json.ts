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

/** Of the service: undefined also where it is nested as no answer is. */
export function parseAnswer(text: string): unknown {
  return isDeeper(text) ? undefined : parseJson(text);
}

/** Of text that is no JSON it may be said too. */
function isDeeper(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (inString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > deepest) return true;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return false;
}
