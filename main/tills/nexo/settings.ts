/** The settings of a till that speaks Nexo Retailer in JSON, at /nexo beside the HTTP API. */
import { z } from 'zod';
import { PoiId } from '../../core/domain/field-rules.ts';
import { Secret } from '../../support/settings/secrets.ts';

export const Nexo = z.strictObject({
  poiId: PoiId.describe(
    "POIID: the till's name for this terminal. A message for another one is refused.",
  ),
  key: z
    .strictObject({
      identifier: z.string().min(1).max(128).describe('The KeyIdentifier.'),
      version: z.int().min(0).max(999_999_999).describe('The KeyVersion.'),
      passphrase: Secret.describe(
        'The passphrase: at least 16 characters of printable ASCII, preferably random. A secret like wallet.clientSecret.',
      ),
    })
    .optional()
    .describe(
      "The key that the till and this terminal share. It encrypts and signs messages. Default: messages carry the till's token only.",
    ),
});

type Parsed = z.infer<typeof Nexo>;
/** With the passphrase itself. */
export type ReadyNexo = Omit<Parsed, 'key'> & {
  key?: Omit<NonNullable<Parsed['key']>, 'passphrase'> & { passphrase: string };
};
