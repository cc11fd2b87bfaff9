import { z } from 'zod';

/** Tries of one manager's PIN, from one known screen or from all others together. */
export const PinTries = z.strictObject({
  /** Wrong attempts since the last correct PIN or lock. */
  wrongTries: z.int().nonnegative(),
  /** Locks since the last correct PIN; each lasts twice as long as the previous one. */
  locks: z.int().nonnegative(),
  /**
   * `sinceMs` is of the wall clock, which may jump; that never makes a lock longer than `lastsMs`.
   */
  lock: z.strictObject({ sinceMs: z.number(), lastsMs: z.number().positive() }).nullable(),
});
export type PinTries = z.infer<typeof PinTries>;

export const noTries: PinTries = { wrongTries: 0, locks: 0, lock: null };
