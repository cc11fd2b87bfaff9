/** Writes as fast as the reader on the other side takes it. */
export function writeOut(text: string): Promise<void> {
  return new Promise((done, reject) => process.stdout.write(text, (error) => (error ? reject(error) : done())));
}

/** Ends the process when nobody reads any more, as in `journal export … | head`. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}
