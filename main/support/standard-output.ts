/** As fast as the reader on the other side takes it. */
export function writeOut(text: string): Promise<void> {
  return new Promise((done, reject) => process.stdout.write(text, (error) => (error ? reject(error) : done())));
}

/** As in `journal export … | head`: whoever reads has had enough. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}
