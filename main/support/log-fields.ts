/**
 * Prepares the fields of a log line: plain values, no secrets, and bounded in length and depth
 * whatever the caller passed. Nothing beyond the bounds is visited.
 */

import { isSecretField } from './redaction.ts';

const longestText = 2_000;
/** Limit for all texts and names of a line together. */
const mostCharacters = 3_000;
const mostValues = 150;
const mostElements = 50;
const deepest = 6;
const more = '…';

interface Budget {
  characters: number;
  values: number;
}

export function logFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return entries(fields, { characters: mostCharacters, values: mostValues }, 1);
}

function entries(object: object, budget: Budget, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    if (count === mostElements || budget.values <= 0) {
      kept[more] = more;
      break;
    }
    count += 1;
    const value: unknown = Reflect.get(object, name);
    kept[text(name, budget)] =
      isSecretField(name) && value != null ? '***' : plain(value, budget, depth);
  }
  return kept;
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
  if (depth === deepest || budget.values <= 0) return more;
  if (!Array.isArray(value)) return entries(value, budget, depth + 1);
  const kept = value
    .slice(0, Math.min(mostElements, budget.values))
    .map((one) => plain(one, budget, depth + 1));
  return kept.length < value.length
    ? [...kept, `${more} ${value.length - kept.length} more`]
    : kept;
}

function text(whole: string, budget: Budget): string {
  const longest = Math.max(0, Math.min(longestText, budget.characters));
  const kept = whole.length > longest ? `${whole.slice(0, longest)}${more}` : whole;
  budget.characters -= kept.length;
  return kept;
}
