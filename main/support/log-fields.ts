/**
 * Prepares the fields of a log line: plain values, no secrets, and bounded in length and depth for
 * any input. Nothing beyond the bounds is visited.
 */

import { isSecretField } from './redaction.ts';

const maxText = 2_000;
/** Limit for all texts and names of a line together. */
const maxCharacters = 3_000;
const maxValues = 150;
const maxElements = 50;
const maxDepth = 6;
const more = '…';

interface Budget {
  characters: number;
  values: number;
}

export function logFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return entries(fields, { characters: maxCharacters, values: maxValues }, 1);
}

function entries(object: object, budget: Budget, depth: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  let count = 0;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    if (count === maxElements || budget.values <= 0) {
      fields[more] = more;
      break;
    }
    count += 1;
    const value: unknown = Reflect.get(object, name);
    fields[text(name, budget)] =
      isSecretField(name) && value != null ? '***' : plain(value, budget, depth);
  }
  return fields;
}

function plain(value: unknown, budget: Budget, depth: number): unknown {
  budget.values -= 1;
  switch (typeof value) {
    case 'string':
      return text(value, budget);
    case 'bigint':
      return text(String(value), budget);
    case 'function':
    case 'symbol':
      return undefined;
    case 'object':
      return value === null ? null : ofObject(value, budget, depth);
    default:
      return value;
  }
}

function ofObject(value: object, budget: Budget, depth: number): unknown {
  if (value instanceof Error) return text(value.stack ?? value.message, budget);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Date || value instanceof URL) return text(String(value.toJSON()), budget);
  if (depth === maxDepth || budget.values <= 0) return more;
  if (!Array.isArray(value)) return entries(value, budget, depth + 1);
  const elements = value
    .slice(0, Math.min(maxElements, budget.values))
    .map((one) => plain(one, budget, depth + 1));
  return elements.length < value.length
    ? [...elements, `${more} ${value.length - elements.length} more`]
    : elements;
}

function text(whole: string, budget: Budget): string {
  const maxLength = Math.max(0, Math.min(maxText, budget.characters));
  const cut = whole.length > maxLength ? `${whole.slice(0, maxLength)}${more}` : whole;
  budget.characters -= cut.length;
  return cut;
}
