/**
 * Removes secrets and personal data from what leaves this computer in a diagnostics bundle: by the
 * name of a field, by known secrets and names, and by patterns. It rather removes too much than too
 * little.
 */

const removed = '[removed]';

/** Names of fields that hold secrets; neither the log nor a bundle contains their values. */
const secretFields = [
  /secret|token|passw|authori[sz]ation|credential|cookie|signature|(api|subscription)[_-]?key|loyalt/i,
  /^pin$|pin(code|hash)?$|^salt$|^hash$|^onetimecode$/i,
];
/** Names of fields with personal data. Names of lanes and shops are removed with them. */
const personalFields = [
  /phone|msisdn|mobile(number)?$|e-?mail|address(line|street)|^cpr|ssn|birth/i,
  /bonus|member(ship)?(id|number|card)/i,
  /(^|[a-z_])name$|^manager$|^customer$|^user$|^who$|^note$|^text$|^says$|^message(text)?$/i,
];
/** Harmless fields whose names match. */
const harmlessFields: ReadonlySet<string> = new Set(['tokenFor', 'pinNeeded', 'profileName']);

/**
 * Bytes to and from a till may contain a receipt; the first three tell the kind of packet and are
 * kept.
 */
const hexBytes = /\b((?:[0-9A-F]{2} ){2}[0-9A-F]{2})(?: [0-9A-F]{2}){2,}\b/gi;

const patterns: readonly (readonly [look: RegExp, replacement: string])[] = [
  [/\b(Bearer|Basic)\s+[\w+/=.~-]+/gi, `$1 ${removed}`],
  /** JSON Web Tokens. */
  [/\beyJ[\w-]+\.[\w-]+\.?[\w-]*/g, removed],
  [
    /(\bpin|password|secret|token|phone(?:\s?number)?|loyalty\w*)(["']?\s*[:=]\s*["']?)[^\s"',;}]+/gi,
    `$1$2${removed}`,
  ],
  [/\b(pin\s+)\d{4,8}\b/gi, `$1${removed}`],
  /** User and password in a URL. */
  [/(:\/\/)[^\s/@]*@/g, `$1${removed}@`],
  /** Mail addresses. */
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, removed],
  [hexBytes, `$1 ${removed}`],
  /** Telephone numbers: with a plus, in pairs as they are written in Denmark, or just digits. */
  [/\+\d(?:[ -]?\d){6,14}/g, removed],
  [/(?<![\w.-])\d{2}(?: \d{2}){3}(?![\w-])/g, removed],
  [/(?<![\w.:-])\d{7,14}(?![\w-])/g, removed],
];

/** Deeper than any of our own objects. */
const deepest = 20;

/** @param secrets texts that are removed wherever they occur: secrets in use, names of people */
export function redact(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return removed;
  const within = (inner: unknown): unknown => redact(inner, secrets, depth + 1);
  if (Array.isArray(value)) return value.map(within);
  return Object.fromEntries(
    Object.entries(value).map(([field, held]) => [
      field,
      (isRemoved(field) && held !== null) || isPhoneNumber(field, held) ? removed : within(held),
    ]),
  );
}

export function redactText(text: string, secrets: readonly string[]): string {
  let left = text;
  for (const one of secrets)
    if (one !== '')
      left = left.replaceAll(
        new RegExp(String.raw`(?<![\p{L}\d])${RegExp.escape(one)}(?![\p{L}\d])`, 'giu'),
        removed,
      );
  for (const [look, replacement] of patterns) left = left.replaceAll(look, replacement);
  return left;
}

/** A line of the log; one that is not JSON is treated as text. */
export function redactLine(line: string, secrets: readonly string[]): string {
  try {
    const fields: unknown = JSON.parse(line);
    if (typeof fields === 'object' && fields !== null)
      return JSON.stringify(redact(fields, secrets));
  } catch {
    // A cut line, or one of another program.
  }
  return redactText(line, secrets);
}

export const isSecretField = (field: string): boolean =>
  !harmlessFields.has(field) && secretFields.some((look) => look.test(field));

const isRemoved = (field: string): boolean =>
  isSecretField(field) ||
  (!harmlessFields.has(field) && personalFields.some((look) => look.test(field)));

/**
 * A telephone number that is a JSON number. Amounts, times and sizes are recognised by their names.
 */
function isPhoneNumber(field: string, held: unknown): boolean {
  return (
    typeof held === 'number' &&
    Number.isInteger(held) &&
    held >= 10_000_000 &&
    held < 1e15 &&
    !/(ms|minor|bytes|seq|number)$/i.test(field)
  );
}
