/** A number with its text, because a double holds most amounts of money only approximately. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
/**
 * Returning undefined removes a member from its object, and leaves a hole in its list, which the
 * list's own turn closes.
 */
const read: Reviver = (_key, value, { source }) => {
  if (value === null) return undefined;
  if (typeof value === 'number') return new WrittenNumber(source ?? '');
  return Array.isArray(value) ? value.filter((item) => item !== undefined) : value;
};

/**
 * Parses JSON. Each number becomes a `WrittenNumber`. What is null is left out, at any depth,
 * because many tills write the fields that they do not use as null.
 * @returns undefined when the text is not JSON
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, read as (key: string, value: unknown) => unknown);
  } catch {
    // Also when it is nested too deeply for the stack.
    return undefined;
  }
}

/** Whether the written number is zero. A double would round 1e-400 to zero. */
export const isZero = ({ text }: WrittenNumber): boolean => !/[1-9]/.test(text.replace(/e.*/i, ''));

/** At most 99,999,999.99. */
const amountForm = /^(\d{1,8})(?:\.(\d{1,2})0*)?$/;

/**
 * @returns minor units; null for what is not an amount to the cent: a third decimal, a sign, an
 * exponent
 */
export function minorIn({ text }: WrittenNumber): number | null {
  const [, whole, cents = ''] = amountForm.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/**
 * An amount as JSON has it. The quotient is the double nearest to the decimal, so that JSON writes
 * exactly that decimal, up to fifteen digits.
 */
export const amountOf = (minor: number): number => minor / 100;
