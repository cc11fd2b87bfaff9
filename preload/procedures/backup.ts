/** A backup of this counter, made on a manager's page. */
import { z } from 'zod';
import { passphraseProblem, passphraseRules } from '../../main/domain/backup-passphrase.ts';
import { FileOffer, procedure } from './procedure.ts';

const NewPassphrase = z.string().check(({ value, issues }) => {
  const problem = passphraseProblem(value, true);
  if (problem !== null) issues.push({ code: 'custom', input: '', message: passphraseRules[problem] });
});

export const backupProcedures = {
  /**
   * Everything that this counter keeps, sealed by the passphrase, as it is at one moment; payments go on. `underWay`: another one is being made. `noRoom`: it
   * would take the room that payments need. `tooLarge`: for a screen to save. `notMade`: `message` says why, e.g. the journal is damaged.
   */
  makeBackup: procedure({
    who: 'manager',
    input: z.object({ passphrase: NewPassphrase }),
    output: z.object({
      file: FileOffer,
      /** Payments and refunds that were not settled. */
      unsettled: z.int().nonnegative(),
      /** What the settings name and the file does not hold, e.g. secrets of this computer alone; in English. */
      missing: z.array(z.string()),
    }),
    refusals: ['underWay', 'noRoom', 'tooLarge', 'notMade'],
    records: () => ({}),
  }),
} as const;
