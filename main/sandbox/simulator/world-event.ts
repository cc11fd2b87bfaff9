/**
 * Everything that reaches the simulator from outside. Its state follows from these events, so that
 * replaying them all restores it.
 */
import { z } from 'zod';

/**
 * Header values as Node parses them, by lower-case names. Some requests do not arrive over HTTP.
 */
const Headers = {
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())]).optional()),
  headersDistinct: z.record(z.string(), z.array(z.string()).optional()),
};
const IncomingRequest = z.object(Headers);
/** The part of a request that the engine reads beside path, query and body. */
export type IncomingRequest = Readonly<z.infer<typeof IncomingRequest>>;

/**
 * The names are those of the log file (`--books`) and must not change, so that older files can be
 * opened.
 */
export const WorldEvent = z.discriminatedUnion('kind', [
  /** A request arrived; a planned fault may keep it from being executed. */
  z.object({ kind: z.literal('arrived'), method: z.string(), path: z.string(), ...Headers }),
  /** A request was executed. */
  z.object({
    kind: z.literal('acted'),
    method: z.string(),
    path: z.string(),
    search: z.string(),
    ...Headers,
    body: z.string(),
  }),
  z.object({
    kind: z.literal('token'),
    authorization: z.string().optional(),
    contentType: z.string().optional(),
    form: z.string(),
  }),
  /** The answer to a poll has been sent. */
  z.object({ kind: z.literal('delivered'), resource: z.string(), pollDelayInMs: z.number() }),
  /** A test endpoint was called: `POST /simulator/{name}`. */
  z.object({ kind: z.literal('door'), name: z.string(), body: z.unknown() }),
  /** The timer that was due first fired. */
  z.object({ kind: z.literal('due') }),
  /** The monotonic clock was moved ahead, and what was due by then ran. */
  z.object({ kind: z.literal('movedAhead'), toMs: z.number() }),
  z.object({ kind: z.literal('wallShifted'), ms: z.number() }),
  /** A callback was answered with `status`, or null when it was not answered. */
  z.object({ kind: z.literal('calledBack'), number: z.int(), status: z.int().nullable() }),
  /**
   * From here on the rules of this version hold (`World.rules`). A file of an earlier version
   * begins without this event, with the earlier rules.
   */
  z.object({ kind: z.literal('rulesAdopted'), version: z.literal([2, 3]) }),
  /**
   * A new store. A file of an earlier version does not name the stores that existed at the
   * beginning.
   */
  z.object({ kind: z.literal('storeAdded'), storeId: z.string(), merchantVat: z.string() }),
]);
export type WorldEvent = z.infer<typeof WorldEvent>;

export interface WorldEventLog {
  /**
   * Writes the event, then executes it. Events within `act` are part of it and not written. @throws
   * NotKeptError when it could not be written and is not executed
   */
  record<Result>(event: () => WorldEvent, act: () => Result): Result;
  /** During a replay no callbacks may be sent. */
  readonly isReplaying: boolean;
}

/**
 * The event could not be written, e.g. to a full disk. Without it the replay of later events would
 * differ.
 */
export class NotKeptError extends Error {
  override readonly name = 'NotKeptError';
}

/**
 * For events without a caller who needs the error. @returns false when the event could not be
 * written and was not executed
 */
export function record(log: WorldEventLog, event: () => WorldEvent, act: () => void): boolean {
  try {
    log.record(event, act);
    return true;
  } catch (error) {
    if (error instanceof NotKeptError) return false;
    throw error;
  }
}

/** For a simulator whose state ends with its process. */
export const noEventLog: WorldEventLog = { record: (_event, act) => act(), isReplaying: false };
