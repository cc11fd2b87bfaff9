import { stripVTControlCharacters } from 'node:util';

const defaultMaxLength = 500;

/**
 * Inside of a regular expression's class with the flag `u`: what cannot be seen, controls a
 * terminal, ends a line or turns the writing direction. Beside the characters of Unicode's category
 * C these are the ones that are letters, marks or separators by name and show nothing.
 */
export const invisibleCharacters = String.raw`\p{C}\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0`;
/** A text of one line in which everything can be seen. */
export const plainText = (longest: number | '' = ''): RegExp =>
  new RegExp(`^[^${invisibleCharacters}]{1,${longest}}$`, 'u');

const invisible = new RegExp(`[${invisibleCharacters}]+`, 'gu');
const invisibleInLines = new RegExp(String.raw`(?:(?!\r?\n)[${invisibleCharacters}])+`, 'gu');

/**
 * Makes text of another program safe to log and show: shortened, on one line, without terminal
 * control sequences, writing directions or invisible characters.
 */
export function outsideText(text: string, longest = defaultMaxLength): string {
  const seen = stripVTControlCharacters(text.slice(0, 2 * longest)).replaceAll(invisible, ' ');
  if (seen.length <= longest && text.length <= 2 * longest) return seen;
  return `${seen.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…`;
}

const controls = /[\p{Cc}\u2028\u2029]+/gu;
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Cleans a text that is only shown to a person, such as the name of an article. It is never
 * refused. A control character becomes a blank, because it separates words. Other characters that
 * cannot be seen are removed: a soft hyphen or a joiner stands within a word or an emoji.
 * @returns at most `maxLength` UTF-16 units, cut between whole characters; may be empty
 */
export function safeText(text: string, maxLength: number): string {
  // Bounded before it is cleaned, because a stranger chooses its length.
  const start = stripVTControlCharacters(text.slice(0, 16 * maxLength));
  const clean = start.replaceAll(controls, ' ').replaceAll(invisible, '');
  if (clean.length <= maxLength) return clean;
  let end = 0;
  for (const { index, segment } of characters.segment(clean)) {
    if (index + segment.length > maxLength) break;
    end = index + segment.length;
  }
  // A single character may be longer, with many marks.
  return end > 0 ? clean.slice(0, end) : clean.slice(0, maxLength).replace(/\p{Cs}$/u, '');
}

/**
 * Lines without control sequences that a terminal would obey. Line breaks stay, and a
 * sequence is shown without its beginning: if it were taken out whole, one in a text could hide the
 * lines after it.
 */
export const plainLines = (text: string): string => text.replaceAll(invisibleInLines, ' ');
