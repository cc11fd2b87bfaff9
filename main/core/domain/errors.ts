/** What people and programs are told of a disk that takes nothing more. */
export const journalUnwritable = 'the journal cannot be written';

/** Whatever was thrown, in words. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** `ENOENT` and the like; undefined when it is no error of the operating system. */
export function systemCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
