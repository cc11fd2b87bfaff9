/** A counter that was restored from the backup of another computer. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

export const restoredProcedures = {
  /**
   * The other computer takes no payments any more: the lanes open, and what was not settled is settled here. Sent again, nothing happens.
   * @param madeAtMs of the backup that the manager was shown
   */
  confirmRestored: procedure({
    who: 'manager',
    input: z.object({ madeAtMs: z.number() }),
    output: z.object({}),
    refusals: [],
    records: ({ madeAtMs }) => ({ subject: String(madeAtMs) }),
  }),
} as const;
