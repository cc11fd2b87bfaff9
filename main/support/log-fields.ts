/**
 * Prepares the fields of a log line: plain values, no secrets, and bounded in length and depth whatever the caller passed. Nothing beyond the
 * bounds is visited.
 */

import { isSecretField } from './redaction.ts';

const longestText = 2_000;
/** Limit for all texts and names of a line together. */
const mostCharacters = 3_000;
const mostValues = 150;
const mostElements = 50;
const deepest = 6;
const more = '…';

interface Room {
  characters: number;
  values: number;
}

export function logFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return entries(fields, { characters: mostCharacters, values: mostValues }, 1);
}

function entries(object: object, room: Room, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    if (count === mostElements || room.values <= 0) {
      kept[more] = more;
      break;
    }
    count += 1;
    const value: unknown = Reflect.get(object, name);
    kept[text(name, room)] = isSecretField(name) && value != null ? '***' : plain(value, room, depth);
  }
  return kept;
}

function plain(value: unknown, room: Room, depth: number): unknown {
  room.values -= 1;
  switch (typeof value) {
    case 'string':
      return text(value, room);
    case 'bigint':
      return text(String(value), room);
    case 'function':
    case 'symbol':
      return undefined;
    case 'object':
      return value === null ? null : ofObject(value, room, depth);
    default:
      return value;
  }
}

function ofObject(value: object, room: Room, depth: number): unknown {
  if (value instanceof Error) return text(value.stack ?? value.message, room);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Date || value instanceof URL) return text(String(value.toJSON()), room);
  if (depth === deepest || room.values <= 0) return more;
  if (!Array.isArray(value)) return entries(value, room, depth + 1);
  const kept = value.slice(0, Math.min(mostElements, room.values)).map((one) => plain(one, room, depth + 1));
  return kept.length < value.length ? [...kept, `${more} ${value.length - kept.length} more`] : kept;
}

function text(whole: string, room: Room): string {
  const longest = Math.max(0, Math.min(longestText, room.characters));
  const kept = whole.length > longest ? `${whole.slice(0, longest)}${more}` : whole;
  room.characters -= kept.length;
  return kept;
}
