/**
 * What commands say: nothing in it acts on a terminal, whatever a file, a till or a service has
 * said.
 */
import { plainLines } from '../core/domain/outside-text.ts';

const written = (lines: readonly string[]): string =>
  plainLines(lines.map((line) => `${line}\n`).join(''));

export const say = (...lines: readonly string[]): void => void process.stdout.write(written(lines));

/** On stderr, so that it is no part of what a program reads. */
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
