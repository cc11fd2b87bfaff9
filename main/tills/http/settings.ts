/** The settings of a till that is a program. */
import { z } from 'zod';
import { Nexo, type ReadyNexo } from '../nexo/settings.ts';

export const HttpTill = z
  .strictObject({
    protocol: z.literal('http').describe('The HTTP API, or Nexo.'),
    nexo: Nexo.optional().describe(
      'The till speaks Nexo Retailer (SaleToPOIRequest) instead of the operations of the HTTP API: docs/nexo.md.',
    ),
  })
  .describe(
    'A till that is software. It calls the HTTP API (api) with a token that a manager makes for it.',
  );
/** With the passphrase itself. */
export interface ReadyHttpTill {
  protocol: 'http';
  nexo?: ReadyNexo;
}
