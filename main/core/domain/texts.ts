import { IntlMessageFormat } from 'intl-messageformat';

/** Parsed already, as the pages' build leaves them. */
type Parts = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>;

/** An argument of a message, formatted by the caller. */
export type Text = string | number;

/**
 * The messages of a catalogue, as the English one has them: a string each, or a function of its
 * arguments.
 * @typeParam Arguments path of a message, such as `report.title` → its arguments
 */
export type Texts<Catalogue, Arguments, Path extends string = ''> = {
  readonly [Key in keyof Catalogue & string]: Catalogue[Key] extends string
    ? `${Path}${Key}` extends keyof Arguments
      ? (values: Arguments[`${Path}${Key}` & keyof Arguments]) => string
      : string
    : Texts<Catalogue[Key], Arguments, `${Path}${Key}.`>;
};

/** @param locale for plurals and numbers, such as `en-GB` @param catalogue ICU messages */
export function textsOf<Catalogue, Arguments>(
  locale: string,
  catalogue: Catalogue,
): Texts<Catalogue, Arguments>;
export function textsOf(locale: string, catalogue: object): unknown {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === 'string' || Array.isArray(value)
        ? textOf(locale, value)
        : textsOf(locale, value),
    ]),
  );
}

function textOf(
  locale: string,
  message: string | Parts,
): string | ((values: Record<string, Text>) => string) {
  if (typeof message === 'string' && !message.includes('{')) return message;
  // Parsing takes longer than formatting, and most messages of a page are never shown.
  let format: IntlMessageFormat | null = null;
  return (values) => {
    format ??= new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
    return String(format.format(values));
  };
}
