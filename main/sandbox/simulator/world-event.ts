/** Everything that reaches the simulated world from outside. The rest follows from it: whoever replays all events gets the same world again. */
import { z } from 'zod';

/** Header values as Node parses them, by lower-case names. A request need not have come over HTTP. */
const Headers = {
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())]).optional()),
  headersDistinct: z.record(z.string(), z.array(z.string()).optional()),
};
const IncomingRequest = z.object(Headers);
/** What the engine reads of a request beside its path, query and body. */
export type IncomingRequest = Readonly<z.infer<typeof IncomingRequest>>;

/** The names are those of the file that keeps events (`--books`): older files have to open. */
export const WorldEvent = z.discriminatedUnion('kind', [
  /** A request arrived; a planned fault may keep it from being executed. */
  z.object({ kind: z.literal('arrived'), method: z.string(), path: z.string(), ...Headers }),
  /** A request was executed. */
  z.object({ kind: z.literal('acted'), method: z.string(), path: z.string(), search: z.string(), ...Headers, body: z.string() }),
  z.object({ kind: z.literal('token'), authorization: z.string().optional(), contentType: z.string().optional(), form: z.string() }),
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
  /** From here on the world has the rules of this version (`World.rules`). A file of an earlier one begins without, and replays by those of its time. */
  z.object({ kind: z.literal('rulesAdopted'), version: z.literal(2) }),
  /** A store that there was not yet. A file of an earlier version does not name those that the world began with. */
  z.object({ kind: z.literal('storeAdded'), storeId: z.string(), merchantVat: z.string() }),
]);
export type WorldEvent = z.infer<typeof WorldEvent>;

export interface WorldEventLog {
  /** Keeps the event, then lets it happen. What it leads to meanwhile is part of it and not kept again. @throws NotKeptError: it has not happened */
  record<Result>(event: () => WorldEvent, act: () => Result): Result;
  /** During a replay nothing may be sent to others. */
  readonly isReplaying: boolean;
}

/** The event could not be kept, e.g. on a full disk. Without it everything after it would be replayed as something else. */
export class NotKeptError extends Error {
  override readonly name = 'NotKeptError';
}

/** For events that nobody waits for: one that cannot be kept does not happen. @returns whether it did */
export function recordIfKept(log: WorldEventLog, event: () => WorldEvent, act: () => void): boolean {
  try {
    log.record(event, act);
    return true;
  } catch (error) {
    if (error instanceof NotKeptError) return false;
    throw error;
  }
}

/** For a world that ends with its process. */
export const noEventLog: WorldEventLog = { record: (_event, act) => act(), isReplaying: false };
