import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Nothing that a person writes by hand is larger. */
export const maxSettingsBytes = 8_000_000;
/** A chain of certificates, or a key. */
export const maxPemBytes = 1_000_000;

export class UnfitFileError extends Error {
  override readonly name = 'UnfitFileError';
  readonly reason: 'notAFile' | 'tooLarge';

  constructor(path: string, reason: UnfitFileError['reason'], maxBytes: number) {
    super(
      reason === 'notAFile'
        ? `${path} is not a regular file`
        : `${path} has more than ${maxBytes} bytes`,
    );
    this.reason = reason;
  }
}

/**
 * Reads a whole file that settings or a person name. A pipe or a device would make the process wait
 * for good, and an endless file would fill its memory.
 * @throws UnfitFileError, or the system's error
 */
export function readBoundedFile(path: string, maxBytes: number): Buffer {
  // Before it is opened, because opening alone does something at some devices.
  if (!statSync(path).isFile()) throw new UnfitFileError(path, 'notAFile', maxBytes);
  // It may be replaced by a pipe meanwhile, whose opening would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new UnfitFileError(path, 'notAFile', maxBytes);
    if (stat.size > maxBytes) throw new UnfitFileError(path, 'tooLarge', maxBytes);
    return readAll(file, path, maxBytes);
  } finally {
    closeSync(file);
  }
}

export const readBoundedText = (path: string, maxBytes: number): string =>
  readBoundedFile(path, maxBytes).toString('utf8');

/** It may grow while it is read. */
function readAll(file: number, path: string, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const part = Buffer.alloc(65_536);
    const read = readSync(file, part, 0, part.length, null);
    if (read === 0) return Buffer.concat(parts);
    bytes += read;
    if (bytes > maxBytes) throw new UnfitFileError(path, 'tooLarge', maxBytes);
    parts.push(part.subarray(0, read));
  }
}

/**
 * Certificate and key of a server. Read at each start of the server, so that a renewed certificate
 * is used.
 */
export function readPemFiles(files: {
  readonly certificate: string;
  readonly key: { readonly file: string };
}): { cert: string; key: string } {
  return {
    cert: readBoundedText(files.certificate, maxPemBytes),
    key: readBoundedText(files.key.file, maxPemBytes),
  };
}
