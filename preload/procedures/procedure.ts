/**
 * The procedures that a page may call. Each has one declaration, from which the daemon's handler,
 * the page's call and the checks on both sides follow. It contains who may call the procedure, so
 * that neither a screen nor another program at the socket can bypass a PIN.
 */
import { z } from 'zod';

/**
 * anyone: every page. manager: a page on whose connection a manager has signed in with a PIN.
 * installer: a manager; while the counter has no manager: anyone as long as it has no settings, and
 * then who has entered the one-time code.
 */
export type Who = 'anyone' | 'manager' | 'installer';

export interface Procedure<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Code extends string = string,
> {
  readonly who: Who;
  readonly input: Input;
  readonly output: Output;
  /**
   * Why a call can be refused, beside {@link CommonRefusal}. The screens have words for each in
   * every language.
   */
  readonly refusals: readonly Code[];
  /**
   * What the journal records of a call that changes something, beside who called and when. Without
   * secrets.
   */
  readonly records?: (input: z.output<Input>) => Recorded;
  /**
   * Set for a recorded call that changes nothing. It is answered even when it cannot be recorded,
   * because it may be needed for a full disk.
   */
  readonly readOnly?: true;
}

/** `subject`: the id of the changed object; missing or null if the action has none. */
export type Recorded = Readonly<Record<string, unknown>> & { readonly subject?: string | null };

export function procedure<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Code extends string,
>(declaration: Procedure<Input, Output, Code>): Procedure<Input, Output, Code> {
  return declaration;
}

/**
 * `pinNeeded`: no manager is signed in, or the session has expired. `invalid`: `field` breaks the
 * rule in `message`. `notFound`: the subject does not exist. `busy`: not possible during a payment.
 * `notHere`: not available at this daemon, e.g. without a lane. `failed`: see `message` and the
 * log. `disconnected`: the answer was lost, and it is unknown whether the call was carried out.
 */
export const CommonRefusal = z.enum([
  'pinNeeded',
  'invalid',
  'notFound',
  'busy',
  'notHere',
  'failed',
  'disconnected',
]);
export type CommonRefusal = z.infer<typeof CommonRefusal>;

/** Thrown by a handler to refuse a call. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly field: string | null;
  readonly facts: Readonly<Record<string, string | number>>;
  /** @param message in English, for support; the screens have words for `code` */
  constructor(
    code: string,
    message: string,
    about: {
      readonly field?: string;
      readonly facts?: Readonly<Record<string, string | number>>;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.field = about.field ?? null;
    this.facts = about.facts ?? {};
  }
}

/** The separators that the user's spreadsheet program expects. */
export const CsvForm = z.object({ separator: z.enum([',', ';']), decimal: z.enum(['.', ',']) });
/** A heading or a name in an exported file. */
export const FileWord = z.string().max(60);

/** The answer to a call on the wire. The procedure's declaration defines `value`. */
export const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    /** The field of the input, as a path with dots; null for none in particular. */
    field: z.string().nullable(),
    message: z.string(),
    /** Values for the text of `code`, e.g. how many tries are left. */
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
]);
export type Answer = z.infer<typeof Answer>;

/** A file made for a person, e.g. an export: fetched in parts with the procedure `filePart`. */
export const FileOffer = z.object({
  fileId: z.uuid(),
  name: z.string(),
  type: z.string(),
  bytes: z.int().nonnegative(),
});
export type FileOffer = z.infer<typeof FileOffer>;
