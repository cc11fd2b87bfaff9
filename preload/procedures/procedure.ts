/**
 * What a screen may ask beyond watching a lane. One declaration per question; the daemon's answerer, the screen's caller and the checks on both
 * sides come from it. Who may ask it is part of it, so that no screen and no stranger at the socket can pass by a PIN.
 */
import { z } from 'zod';

/**
 * anyone: whoever stands at a screen.
 * manager: who has signed in with a PIN on this connection.
 * installer: a manager; or, as long as this counter has none: anyone before it has settings, then who has entered the one-time code.
 */
export type Who = 'anyone' | 'manager' | 'installer';

export interface Procedure<Asks extends z.ZodType = z.ZodType, Answers extends z.ZodType = z.ZodType, Code extends string = string> {
  readonly who: Who;
  readonly asks: Asks;
  readonly answers: Answers;
  /** What it can be refused for, beyond {@link CommonRefusal}. Each has words in each language. */
  readonly refuses: readonly Code[];
  /** Of a question that changes something: what the journal keeps of it, beside who and when. No secrets. */
  readonly records?: (asked: z.output<Asks>) => Recorded;
  /** It changes nothing: it is answered also when the journal cannot keep it, which may be what it is asked about. */
  readonly onlyLooks?: true;
}

/** `subject`: the id of what it is done to; left out or null: of nothing in particular. */
export type Recorded = Readonly<Record<string, unknown>> & { readonly subject?: string | null };

export function question<Asks extends z.ZodType, Answers extends z.ZodType, const Code extends string>(
  declaration: Procedure<Asks, Answers, Code>,
): Procedure<Asks, Answers, Code> {
  return declaration;
}

/**
 * `pinNeeded`: nobody has signed in, or too long ago. `invalid`: `field` breaks a rule that `message` tells. `notFound`: what it is about is not there.
 * `busy`: not while a payment is under way. `notHere`: this daemon has no such thing, e.g. no lane yet. `failed`: see `message`, and the log.
 * `disconnected`: whether it was done is not known.
 */
export const CommonRefusal = z.enum(['pinNeeded', 'invalid', 'notFound', 'busy', 'notHere', 'failed', 'disconnected']);
export type CommonRefusal = z.infer<typeof CommonRefusal>;

/** Thrown by an answerer: the question is refused, and nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly field: string | null;
  readonly facts: Readonly<Record<string, string | number>>;
  /** @param message in English, for support; people read the words of `code` */
  constructor(code: string, message: string, about: { readonly field?: string; readonly facts?: Readonly<Record<string, string | number>> } = {}) {
    super(message);
    this.code = code;
    this.field = about.field ?? null;
    this.facts = about.facts ?? {};
  }
}

/** As it crosses; what `value` is, the question's declaration says. */
export const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    /** Of the question: a path with dots; null: none in particular. */
    field: z.string().nullable(),
    message: z.string(),
    /** What the words of `code` need, e.g. how many tries are left. */
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
]);
export type Answer = z.infer<typeof Answer>;

/** A file made for a person, e.g. an export: fetched in parts with the question `filePart`, through either door. */
export const FileOffer = z.object({ fileId: z.uuid(), name: z.string(), type: z.string(), bytes: z.int().nonnegative() });
export type FileOffer = z.infer<typeof FileOffer>;
