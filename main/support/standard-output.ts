/** Output of commands. Control characters in texts of files, tills and services are removed. */
import { plainLines } from '../core/domain/outside-text.ts';

const written = (lines: readonly string[]): string =>
  plainLines(lines.map((line) => `${line}\n`).join(''));

export const say = (...lines: readonly string[]): void => void process.stdout.write(written(lines));

/** Writes to stderr, so that programs do not read it as output. */
export const sayAside = (...lines: readonly string[]): void =>
  void process.stderr.write(written(lines));

/** Writes as fast as the reader on the other side takes it. */
export function writeOut(text: string): Promise<void> {
  return new Promise((done, reject) =>
    process.stdout.write(plainLines(text), (error) => (error ? reject(error) : done())),
  );
}

/** Ends the process when nobody reads any more, as in `journal export … | head`. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : 1),
  );
}
