/** The tokens with which tills that are software call the HTTP API. */
import { z } from 'zod';
import { oneLine, typed } from '../../main/core/domain/field-rules.ts';
import { tillScopes } from '../../main/core/domain/till-scopes.ts';
import { maxTillNameLength } from './plain.ts';
import { procedure } from './procedure.ts';

export const TillName = typed(oneLine(maxTillNameLength));
export const Scopes = z
  .array(z.enum(tillScopes))
  .min(1, 'must name at least one scope')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must not name a scope twice');

const TillToken = z.object({
  tokenId: z.uuid(),
  name: z.string(),
  laneId: z.string(),
  scopes: z.array(z.enum(tillScopes)),
  madeAtMs: z.number(),
});
export type TillToken = z.infer<typeof TillToken>;

export const tillTokenProcedures = {
  tillTokens: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({
      /** The lanes whose till is software. */
      lanes: z.array(z.object({ laneId: z.string(), name: z.string() })),
      tokens: z.array(TillToken),
      /**
       * The address of the API for tills, e.g. `http://127.0.0.1:4182`; null when it is not served.
       */
      address: z.string().nullable(),
    }),
    refusals: [],
  }),
  /**
   * Only this answer contains `token`. `notFound`: the lane does not exist, or its till is not
   * software.
   */
  makeTillToken: procedure({
    who: 'manager',
    input: z.object({ name: TillName, laneId: z.string().max(12), scopes: Scopes }),
    output: z.object({ token: z.string() }),
    refusals: ['tooManyTokens'],
    records: ({ name, laneId, scopes }) => ({ name, laneId, scopes }),
  }),
  revokeTillToken: procedure({
    who: 'manager',
    input: z.object({ tokenId: z.uuid() }),
    output: z.object({}),
    refusals: [],
    records: ({ tokenId }) => ({ subject: tokenId }),
  }),
} as const;
