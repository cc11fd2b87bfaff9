/** A backup of this counter, made on a manager's page, and restored by setup of an empty one. */
import { z } from 'zod';
import { passphraseProblem, passphraseRules } from '../../main/core/domain/backup-passphrase.ts';
import { picturePartLength } from './plain.ts';
import { FileOffer, procedure } from './procedure.ts';

const Passphrase = (isNew: boolean) =>
  z.string().check(({ value, issues }) => {
    const problem = passphraseProblem(value, isNew);
    if (problem !== null)
      issues.push({ code: 'custom', input: '', message: passphraseRules[problem] });
  });

export const backupProcedures = {
  /**
   * Makes a backup of all data of this counter, sealed by the passphrase. Payments continue.
   * `underWay`: another one is being made. `noRoom`: it would take the room that payments need.
   * `tooLarge`: too large for a page to download. `notMade`: `message` says why, e.g. the journal
   * is damaged.
   */
  makeBackup: procedure({
    who: 'manager',
    input: z.object({ passphrase: Passphrase(true) }),
    output: z.object({
      file: FileOffer,
      /** Payments and refunds that were not settled. */
      unsettled: z.int().nonnegative(),
      /**
       * What the settings name and the file does not hold, e.g. secrets of this computer alone; in
       * English.
       */
      missing: z.array(z.string()),
    }),
    refusals: ['underWay', 'noRoom', 'tooLarge', 'notMade'],
    records: () => ({}),
  }),

  /**
   * A backup from a file, in parts from 0 on, one after the other; part 0 begins anew. It waits for
   * `restoreBackup`, of this connection alone. Only in a desktop app that takes payments itself.
   * `inUse`: this counter is set up, or has payments.
   */
  backupPart: procedure({
    who: 'installer',
    input: z.object({
      part: z.int().nonnegative(),
      base64: z.base64().max(picturePartLength),
      last: z.boolean(),
    }),
    output: z.object({}),
    refusals: ['inUse', 'underWay', 'tooLarge', 'noRoom'],
  }),
  /**
   * Restores it: the app starts again with it a moment later, and no lane opens before a manager
   * confirms. A refusal leaves everything as it was.
   */
  restoreBackup: procedure({
    who: 'installer',
    input: z.object({ passphrase: Passphrase(false) }),
    /** `from`: the computer that it was made on. `missing`: as of `makeBackup`. */
    output: z.object({
      from: z.string(),
      madeAtMs: z.number(),
      unsettled: z.int().nonnegative(),
      missing: z.array(z.string()),
    }),
    refusals: [
      'inUse',
      'underWay',
      'wrongPassphrase',
      'notABackup',
      'newer',
      'damaged',
      'noRoom',
      'notRestored',
    ],
    records: () => ({}),
  }),
} as const;

/** A counter that was restored from the backup of another computer. */
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
