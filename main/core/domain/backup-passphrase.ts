/**
 * The rules of a passphrase that seals a backup, in characters: the same at the command and on the
 * screens.
 */
export const minPassphraseLength = 12;
export const maxPassphraseLength = 1_000;

export type PassphraseProblem = 'notOneLine' | 'tooShort' | 'tooLong';

/**
 * @param isNew it will seal a file; one that has to open an older file is taken as it is. @returns
 * the rule that it breaks; null when it breaks none
 */
export function passphraseProblem(passphrase: string, isNew: boolean): PassphraseProblem | null {
  if (passphrase === '' || /\p{Cc}/u.test(passphrase)) return 'notOneLine';
  if (isNew && passphrase.length < minPassphraseLength) return 'tooShort';
  return passphrase.length > maxPassphraseLength ? 'tooLong' : null;
}

export const passphraseRules: Readonly<Record<PassphraseProblem, string>> = {
  notOneLine: 'must hold the passphrase, alone and on one line',
  tooShort: `must have at least ${minPassphraseLength} characters`,
  tooLong: `must have at most ${maxPassphraseLength} characters`,
};
