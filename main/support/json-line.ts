/** JSON for programs that read line by line, and for people at a terminal. */
import { invisibleCharacters } from '../core/domain/outside-text.ts';

/**
 * Characters that JSON does not escape, but that control a terminal or the writing direction.
 * Blanks between values stay.
 */
const unseenPattern = new RegExp(String.raw`(?![\n\r\t])[${invisibleCharacters}]`, 'gu');

/** Such characters occur only in JSON's strings, so that the meaning stays the same. */
export const withUnseenEscaped = (json: string): string => json.replaceAll(unseenPattern, escaped);

/** Beyond the first 65,536 characters, JSON has two escapes for one. */
const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** One line without a line end; foreign texts in it cannot break it. */
export const jsonLine = (value: object): string => withUnseenEscaped(JSON.stringify(value));
