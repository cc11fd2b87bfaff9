// The key that packages are signed with, in the environment variables of electron-builder; the
// daemon's installer is signed with it too.

/** @returns a file in PKCS #12 and its password; null when there is none */
export function windowsKey(environment) {
  const file = environment.WIN_CSC_LINK ?? environment.CSC_LINK ?? '';
  return file === ''
    ? null
    : { file, password: environment.WIN_CSC_KEY_PASSWORD ?? environment.CSC_KEY_PASSWORD ?? '' };
}

/** The mark that electron-builder.yml appends to the name of an unsigned installer. */
export function unsignedMark(environment, platform) {
  const hasKey =
    platform === 'win32'
      ? windowsKey(environment) !== null
      : Boolean(environment.CSC_LINK || environment.CSC_NAME);
  return hasKey ? '' : '-unsigned';
}
