/**
 * What a page may call beside watching a lane: one declaration for each procedure, from which the daemon's handler, the page's call and the
 * checks on both sides follow. Who may call it is part of the declaration, so that no screen and no stranger at the socket can go round a PIN.
 */
import { z } from 'zod';

/**
 * anyone: every page.
 * manager: whoever has signed in with a PIN on this connection.
 * installer: a manager; while this counter has none: anyone before it has settings, then whoever has entered the one-time code.
 */
export type Who = 'anyone' | 'manager' | 'installer';

export interface Procedure<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType, Code extends string = string> {
  readonly who: Who;
  readonly input: Input;
  readonly output: Output;
  /** What a call can be refused for, beside {@link CommonRefusal}. Each has words in each language. */
  readonly refusals: readonly Code[];
  /** What the journal records of a call that changes something, beside who and when. No secrets. */
  readonly records?: (input: z.output<Input>) => Recorded;
  /** It changes nothing, so it is answered although the call cannot be recorded: a full disk may be what it is called for. */
  readonly readOnly?: true;
}

/** `subject`: the id of what is changed; left out or null for none in particular. */
export type Recorded = Readonly<Record<string, unknown>> & { readonly subject?: string | null };

export function procedure<Input extends z.ZodType, Output extends z.ZodType, const Code extends string>(
  declaration: Procedure<Input, Output, Code>,
): Procedure<Input, Output, Code> {
  return declaration;
}

/**
 * `pinNeeded`: nobody has signed in, or too long ago. `invalid`: `field` breaks a rule that `message` tells. `notFound`: its subject does not exist.
 * `busy`: not while a payment is under way. `notHere`: this daemon has nothing of the kind, e.g. no lane yet. `failed`: see `message`, and the log.
 * `disconnected`: the answer was lost, and whether the call was carried out is not known.
 */
export const CommonRefusal = z.enum(['pinNeeded', 'invalid', 'notFound', 'busy', 'notHere', 'failed', 'disconnected']);
export type CommonRefusal = z.infer<typeof CommonRefusal>;

/** Thrown by a handler: the call is refused, and nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly field: string | null;
  readonly facts: Readonly<Record<string, string | number>>;
  /** @param message in English, for support; the screens have words for `code` */
  constructor(code: string, message: string, about: { readonly field?: string; readonly facts?: Readonly<Record<string, string | number>> } = {}) {
    super(message);
    this.code = code;
    this.field = about.field ?? null;
    this.facts = about.facts ?? {};
  }
}

/** To a call, as it crosses. The procedure's declaration says what `value` is. */
export const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    /** The field of the input, as a path with dots; null for none in particular. */
    field: z.string().nullable(),
    message: z.string(),
    /** Values for the words of `code`, e.g. how many tries are left. */
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
]);
export type Answer = z.infer<typeof Answer>;

/** A file made for a person, e.g. an export: fetched in parts with the procedure `filePart`. */
export const FileOffer = z.object({ fileId: z.uuid(), name: z.string(), type: z.string(), bytes: z.int().nonnegative() });
export type FileOffer = z.infer<typeof FileOffer>;
