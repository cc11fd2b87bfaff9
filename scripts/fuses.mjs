// Electron's fuses: switches in its binary that packing sets for good.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What comes before the fuses in the binary: this, a byte for their layout, one for their number.
 */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
const layout = 1;
/** The names of the fuses in the order of the binary. */
const names = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
];
const [off, on] = ['0'.charCodeAt(0), '1'.charCodeAt(0)];

/** The fuses of a released binary, as Electron sets them. */
export function releasedFuses() {
  return Buffer.concat([sentinel, Buffer.from([layout, names.length]), Buffer.from('10110001')]);
}

/**
 * The file that holds the fuses of an installed program. On macOS it is the framework that the
 * small launcher loads.
 */
export function fuseFileOf(program) {
  const framework = join(
    dirname(program),
    '..',
    'Frameworks',
    'Electron Framework.framework',
    'Electron Framework',
  );
  return existsSync(framework) ? framework : program;
}

/** Name → whether it is on. @throws Error when the file has no fuses, or such of another layout */
export function readFuses(file) {
  const content = readFileSync(file);
  const at = content.indexOf(sentinel);
  if (at < 0) throw new Error(`${file} has no fuses`);
  const [version, count] = content.subarray(at + sentinel.length);
  if (version !== layout || count < names.length)
    throw new Error(`${file} has fuses of another layout`);
  const first = at + sentinel.length + 2;
  return Object.fromEntries(
    names.map((name, place) => {
      const value = content[first + place];
      if (value !== off && value !== on) throw new Error(`${file} has no fuse ${name} any more`);
      return [name, value === on];
    }),
  );
}

/**
 * The fuses that this app wants: everything is off that would let somebody who can start the
 * program, or change its files, run code in it.
 */
export const wantedFuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
};
