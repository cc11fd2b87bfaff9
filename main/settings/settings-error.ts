/** Something in the settings breaks a rule. One line each: path, rule, value; secrets masked. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}
