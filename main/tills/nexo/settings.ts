/** The settings of a till that speaks Nexo Retailer in JSON, at /nexo beside the HTTP API. */
import { z } from 'zod';
import { PoiId } from '../../core/domain/field-rules.ts';
import { Secret } from '../../support/settings/secrets.ts';

export const Nexo = z.strictObject({
  poiId: PoiId.describe(
    'POIID: how the till calls this terminal. A message for another one is refused.',
  ),
  key: z
    .strictObject({
      identifier: z.string().min(1).max(128).describe('KeyIdentifier.'),
      version: z.int().min(0).max(999_999_999).describe('KeyVersion.'),
      passphrase: Secret.describe(
        'At least 16 characters of printable ASCII, best random ones. As wallet.clientSecret.',
      ),
    })
    .optional()
    .describe(
      'What the till and this terminal share: messages are encrypted and signed with it. Left out: they come with a token of the till alone.',
    ),
});

type Parsed = z.infer<typeof Nexo>;
/** With the passphrase itself. */
export type ReadyNexo = Omit<Parsed, 'key'> & {
  key?: Omit<NonNullable<Parsed['key']>, 'passphrase'> & { passphrase: string };
};
