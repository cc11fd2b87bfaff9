/** JSON for programs that read line by line, and for whoever looks at it on a terminal. */
import { invisibleCharacters } from '../core/domain/outside-text.ts';

/**
 * Characters that JSON leaves as they are but that control a terminal or the writing direction.
 * Blanks between values stay.
 */
const unseen = new RegExp(String.raw`(?![\n\r\t])[${invisibleCharacters}]`, 'gu');

/** Such characters occur only in JSON's strings, so that the meaning stays the same. */
export const withUnseenEscaped = (json: string): string => json.replaceAll(unseen, escaped);

/** Beyond the first 65,536 characters, JSON has two escapes for one. */
const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** One line without its end, whatever texts of others are in it. */
export const jsonLine = (value: object): string => withUnseenEscaped(JSON.stringify(value));
