import { stripVTControlCharacters } from 'node:util';

const usualLongest = 500;

/**
 * Makes text of another program safe to log and show: shortened, on one line, without terminal control sequences, writing directions or
 * invisible characters.
 */
export function outsideText(text: string, longest = usualLongest): string {
  const seen = stripVTControlCharacters(text.slice(0, 2 * longest)).replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
  if (seen.length <= longest && text.length <= 2 * longest) return seen;
  return `${seen.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…`;
}
