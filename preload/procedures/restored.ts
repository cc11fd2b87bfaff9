/** A counter that was restored from the backup of another computer. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

export const restoredProcedures = {
  /**
   * Confirms that the other computer takes no more payments. The lanes open, and unsettled payments
   * are settled here. A repeated call does nothing. `madeAtMs`: that of the backup in the view,
   * which the manager was shown.
   */
  confirmRestored: procedure({
    who: 'manager',
    input: z.object({ madeAtMs: z.number() }),
    output: z.object({}),
    refusals: [],
    records: ({ madeAtMs }) => ({ subject: String(madeAtMs) }),
  }),
} as const;
