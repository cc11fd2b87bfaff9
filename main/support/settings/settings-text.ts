/** Reads settings from a file and holds them against a schema. */
import type { z } from 'zod';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import { maskedAddress } from '../../core/domain/service-address.ts';
import { maxSettingsBytes, readBoundedText } from '../bounded-file.ts';
import { SettingsError } from './settings-error.ts';

/** The JSON in a settings file, unchecked. @throws SettingsError */
export function readSettingsFile(path: string): unknown {
  let text: string;
  try {
    text = readBoundedText(path, maxSettingsBytes);
  } catch (error) {
    throw new SettingsError([
      `${path}: cannot be read (${systemCodeOf(error) ?? messageOf(error)})`,
    ]);
  }
  return jsonOfSettings(path, text);
}

/** Editors of Windows may begin a file with a byte order mark. @throws SettingsError */
export function jsonOfSettings(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingsError([`${path}: is not JSON (${withoutSnippet(messageOf(error))})`]);
  }
}

/** Removes the parser's excerpt, because it may contain a secret. */
function withoutSnippet(message: string): string {
  return message.replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON/s, '').replace(/\s+/g, ' ');
}

/** Parses JSON with the schema. @throws SettingsError with one line for each mistake */
export function checkSettings<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new SettingsError(
      flatten(parsed.error.issues, []).map(([path, issue]) => mistake(path, issue, json)),
    );
  return parsed.data;
}

type Issue = z.core.$ZodIssue;

/** A union's own message is useless, so the mistakes of its closest branch are reported. */
function flatten(issues: readonly Issue[], base: PropertyKey[]): [PropertyKey[], Issue][] {
  return issues.flatMap((issue): [PropertyKey[], Issue][] => {
    const path = [...base, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => [
        [...path, key],
        { ...issue, message: 'is not a known setting' },
      ]);
    const branches =
      issue.code === 'invalid_union' ? [...issue.errors].filter((branch) => branch.length > 0) : [];
    if (branches.length === 0 || issue.message !== 'Invalid input') return [[path, issue]];
    const closest = branches.reduce((best, branch) =>
      distance(branch) < distance(best) ? branch : best,
    );
    return flatten(closest, path);
  });
}

/** Ranks a union's branches by unknown names, then by mistakes. */
function distance(branch: readonly Issue[]): number {
  return branch.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 10 * issue.keys.length : 1),
    0,
  );
}

const secretPath = /secret|password|token|key/i;

function mistake(path: PropertyKey[], issue: Issue, json: unknown): string {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    json,
  );
  const isSecret = path.some((key) => secretPath.test(String(key)) && key !== 'env');
  const text = value === undefined ? 'nothing' : isSecret ? '"***"' : maskWithin(value);
  return `${path.map(String).join('.') || 'settings'}: ${ruleOf(issue, value)}, got ${text}`;
}

/** The schema's own words, where it has any for this mistake. */
function ruleOf(issue: Issue, value: unknown): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input'))
    return issue.message;
  return value === undefined ? 'must be given' : `must be of the type ${issue.expected}`;
}

/** The value as short JSON without secrets. */
function maskWithin(value: unknown): string {
  const text = JSON.stringify(value, (key, inner) => {
    if (key !== '' && secretPath.test(key)) return '***';
    return typeof inner === 'string' ? maskedAddress(inner) : inner;
  });
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
