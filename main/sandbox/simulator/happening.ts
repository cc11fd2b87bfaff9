/** What comes to the simulated world from outside. Everything else follows from it, so whoever keeps all of it can bring the same world about again. */
import { z } from 'zod';
import type { Incoming } from './face.ts';

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;
/** What the engine looks at of a request's headers. */
const Headers = {
  headers: z.custom<Incoming['headers']>(isRecord),
  headersDistinct: z.custom<Incoming['headersDistinct']>(isRecord),
};

export const Happening = z.discriminatedUnion('kind', [
  /** A request came; it need not be acted on. */
  z.object({ kind: z.literal('arrived'), method: z.string(), path: z.string(), ...Headers }),
  z.object({ kind: z.literal('acted'), method: z.string(), path: z.string(), search: z.string(), ...Headers, body: z.string() }),
  z.object({ kind: z.literal('token'), authorization: z.string().optional(), contentType: z.string().optional(), form: z.string() }),
  /** An answer to a poll has left. */
  z.object({ kind: z.literal('delivered'), resource: z.string(), pollDelayInMs: z.number() }),
  /** `POST /simulator/{name}`. */
  z.object({ kind: z.literal('door'), name: z.string(), body: z.unknown() }),
  /** Time came for what was waiting for it. */
  z.object({ kind: z.literal('due') }),
  /** The world was moved ahead, by its monotonic clock, and what was due by then ran. */
  z.object({ kind: z.literal('movedAhead'), toMs: z.number() }),
  z.object({ kind: z.literal('wallShifted'), ms: z.number() }),
  /** A callback was answered; null: it was not. */
  z.object({ kind: z.literal('calledBack'), number: z.int(), status: z.int().nullable() }),
]);
export type Happening = z.infer<typeof Happening>;

/** Where all of it passes. */
export interface Chronicle {
  /** Notes what happens, and only then lets it. What one happening brings about by itself is part of it. */
  happens<Result>(happening: () => Happening, act: () => Result): Result;
  /** What was noted is happening once more: nobody outside may notice. */
  readonly isRetelling: boolean;
}

/** The usual one: of a world that ends with its process. */
export const noChronicle: Chronicle = { happens: (_happening, act) => act(), isRetelling: false };
