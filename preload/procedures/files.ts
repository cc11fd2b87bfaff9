/** Files that were made for this page, fetched in parts. */
import { z } from 'zod';
import { procedure } from './procedure.ts';

/** Bytes of one part, before base64. */
export const filePartBytes = 512 * 1024;

export const fileProcedures = {
  /**
   * Fetches a part, counted from 0. A file is kept until its last part was fetched, at most ten
   * minutes, and only for the screen that asked for it.
   */
  filePart: procedure({
    who: 'anyone',
    input: z.object({ fileId: z.uuid(), part: z.int().nonnegative() }),
    output: z.object({ base64: z.string(), last: z.boolean() }),
    refusals: [],
  }),
} as const;
