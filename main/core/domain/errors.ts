/** What people and programs are told of a disk that takes nothing more. */
export const journalUnwritable = 'the journal cannot be written';

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The operating system's error code, e.g. `ENOENT`; undefined for other errors. */
export function systemCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
