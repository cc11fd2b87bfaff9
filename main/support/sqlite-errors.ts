/** SQLite's extended result code; undefined when the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

/** The primary result code is the low byte of the extended one. */
const isOneOf = (error: unknown, codes: readonly number[]): boolean =>
  codes.includes((sqliteCodeOf(error) ?? 0) & 0xff);

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export const isCorrupt = (error: unknown): boolean => isOneOf(error, [11, 26]);

/** SQLITE_FULL, and SQLITE_IOERR where the file of the log's index could not grow. */
export const isFull = (error: unknown): boolean => isOneOf(error, [13, 10]);
