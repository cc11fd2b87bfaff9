import { expect, test } from 'vitest';
import { outsideText, safeText } from '../../../../main/core/domain/outside-text.ts';

test.each([
  ['the store is closed', 'the store is closed'],
  ['on\r\ntwo\tlines', 'on two lines'],
  ['as  it stands ', 'as  it stands '],
  ['Købmand ÅÄÖ 日本 👍', 'Købmand ÅÄÖ 日本 👍'],
  ['\u001b[31mred\u001b[0m \u001b]0;title\u0007\u009b2Jgone', 'red gone'],
  ['paid \u202e00.1\u202c\u2066DKK\u2069', 'paid  00.1 DKK '],
  ['a\u0000b\u007fc\u200bd\ufeffe', 'a b c d e'],
  ['half\ud83dof one', 'half of one'],
  ['line\u2028after line', 'line after line'],
])('of %j is left %j', (said, shown) => expect(outsideText(said)).toBe(shown));

test('a long one is cut, and says so', () => {
  expect(outsideText('x'.repeat(500))).toBe('x'.repeat(500));
  expect(outsideText('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  expect(outsideText('x'.repeat(10_000_000))).toHaveLength(500);
  expect(outsideText(`${'x'.repeat(498)}👍👍`)).toBe(`${'x'.repeat(498)}…`);
  expect(outsideText('abcdef', 4)).toBe('abc…');
});

test('what cannot be seen does not make room for more', () => {
  expect(outsideText(`${'\u0000'.repeat(10_000)}x`)).toBe(' …');
  expect(outsideText(`${'\u001b[31m'.repeat(400_000)}x`).length).toBeLessThan(500);
});

test.each([
  ['Kaffe\u00adbrød', 'Kaffebrød'],
  ['on\r\ntwo\tlines', 'on two lines'],
  ['\u001b[31mred', 'red'],
  ['as  it stands ', 'as  it stands '],
  ['\u{1f469}\u200d\u{1f33e}', '\u{1f469}\u{1f33e}'],
  ['\u00ad\u200b', ''],
])('of %j a person is shown %j', (said, shown) => expect(safeText(said, 100)).toBe(shown));

test('a text that is only shown is cut between whole characters', () => {
  expect(safeText('x'.repeat(101), 100)).toBe('x'.repeat(100));
  expect(safeText('abc\u{1f44d}\u{1f44d}', 6)).toBe('abc\u{1f44d}');
  expect(safeText(`ab${'e\u0301'}`, 3)).toBe('ab');
  expect(safeText(`e${'\u0301'.repeat(200)}`, 3)).toHaveLength(3);
  expect(safeText(`${'\u200b'.repeat(10)}bread`, 5)).toBe('bread');
  expect(safeText('\u001b[31m'.repeat(400_000), 100).length).toBeLessThanOrEqual(100);
});
