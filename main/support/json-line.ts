/** JSON for programs that read line by line, and for whoever looks at it on a terminal. */

/** Characters that JSON leaves as they are but that control a terminal or the writing direction. */
const unseen = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Such characters occur only in JSON's strings, so that the meaning stays the same. */
export const withUnseenEscaped = (json: string): string => json.replaceAll(unseen, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One line without its end, whatever texts of others are in it. */
export const jsonLine = (value: object): string => withUnseenEscaped(JSON.stringify(value));
