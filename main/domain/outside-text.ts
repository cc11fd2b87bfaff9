import { stripVTControlCharacters } from 'node:util';

const usualLongest = 500;

/**
 * What another program says, as it may be logged and shown: cut, on one line, and without what changes how it or its neighbours look (a terminal's
 * commands, directions of writing, characters that cannot be seen).
 */
export function outsideText(text: string, longest = usualLongest): string {
  const seen = stripVTControlCharacters(text.slice(0, 2 * longest)).replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
  if (seen.length <= longest && text.length <= 2 * longest) return seen;
  return `${seen.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…`;
}
