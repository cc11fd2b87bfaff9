/** A passphrase never stands on a command line, where every user of the computer can read it. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import {
  maxPassphraseLength,
  passphraseProblem,
  passphraseRules,
} from '../../core/domain/backup-passphrase.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { readBoundedText } from '../../support/bounded-file.ts';
import { exposuresOf } from '../../support/exposure.ts';
import { BackupError } from './backup-error.ts';

export const passphraseVariable = 'TILLBEACON_BACKUP_PASSPHRASE';

interface PassphraseSources {
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** null when nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** For a backup that is made: long enough, and typed twice. */
  readonly isNew: boolean;
}

/**
 * Reads the passphrase from the file, else from the variable, else from the person at the terminal.
 * @throws BackupError, which never contains the passphrase
 */
export async function passphraseFrom({
  file,
  environment,
  ask,
  isNew,
}: PassphraseSources): Promise<string> {
  if (file !== undefined) return checked(inFile(file), `--passphrase-file: ${file}`, isNew);
  const variable = environment[passphraseVariable];
  if (variable !== undefined) return checked(variable, passphraseVariable, isNew);
  if (ask === null)
    throw new BackupError(
      `the passphrase is missing: name a file with --passphrase-file, set ${passphraseVariable}, or start this in a terminal`,
    );
  const typed = checked(await ask('Passphrase: '), 'the passphrase', isNew);
  if (isNew && (await ask('The same again: ')) !== typed)
    throw new BackupError('the passphrases differ');
  return typed;
}

function checked(passphrase: string, name: string, isNew: boolean): string {
  const problem = passphraseProblem(passphrase, isNew);
  if (problem !== null) throw new BackupError(`${name}: ${passphraseRules[problem]}`);
  return passphrase;
}

function inFile(path: string): string {
  let content: string;
  try {
    content = readBoundedText(path, 4 * maxPassphraseLength);
  } catch (error) {
    throw new BackupError(`--passphrase-file: ${path} cannot be read: ${messageOf(error)}`);
  }
  const [exposure] = exposuresOf({ path, holdsSecret: true });
  if (exposure !== undefined)
    throw new BackupError(
      `--passphrase-file: other users of this computer can get at ${exposure.path}: ${exposure.command}`,
    );
  return content.replace(/\r?\n$/, '');
}

/** Asks in the terminal and does not echo the answer; null without a terminal. */
export function asker(): PassphraseSources['ask'] {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return null;
  return async (question) => {
    stderr.write(question);
    const nothing = new Writable({ write: (_part, _encoding, done) => done() });
    const line = createInterface({ input: stdin, output: nothing, terminal: true });
    try {
      return await new Promise((resolve, reject) => {
        line.once('line', resolve);
        line.once('SIGINT', () => reject(new BackupError('interrupted')));
        line.once('close', () => reject(new BackupError('the passphrase is missing')));
      });
    } finally {
      line.close();
      stderr.write('\n');
    }
  };
}
