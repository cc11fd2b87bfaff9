import { expect, test } from 'vitest';
import { timeMsOf } from '../../../main/wallets/answer-values.ts';

test.each([
  ['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
  ['9999-12-31T23:59:59-12:00', null],
  ['+275760-09-13T00:00:00Z', null],
  ['0001-01-01T00:00:00Z', null],
  ['soon', null],
  ['', null],
  [null, null],
] as const)('a time that the service names as %j is %j', (text, atMs) =>
  expect(timeMsOf(text)).toBe(atMs),
);
