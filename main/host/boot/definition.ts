/**
 * How each system is told to start the daemon: the files of assets/service, with this computer's
 * paths.
 */

export interface Place {
  /** Node's binary. */
  readonly node: string;
  /** The folder with `out`. */
  readonly program: string;
  readonly data: string;
  /**
   * The launcher, unless a package manager brings newer versions: two would fight over one program.
   */
  readonly entry: 'daemon' | 'launcher' | 'callbacks';
}

/** Where programs of a package are; `scripts/package-daemon.mjs` puts them there. */
export const packaged = {
  program: '/usr/lib/tillbeacon',
  node: '/usr/lib/tillbeacon/bin/node',
  data: '/var/lib/tillbeacon',
  entry: 'daemon',
} as const satisfies Place;

/** Its number is behind those of the rules that start brltty and gpsd. */
export const udevRules = '91-tillbeacon-serial.rules';

/**
 * @param kind of file that it becomes @throws Error when a path cannot be written in such a file
 */
export function definitionFrom(template: string, kind: 'unit' | 'xml', place: Place): string {
  const values: Readonly<Record<string, string>> = {
    NODE: place.node,
    PROGRAM: place.program,
    DATA: place.data,
    ENTRY: place.entry,
  };
  return template.replaceAll(/@(NODE|PROGRAM|DATA|ENTRY)@/g, (_, name: string) =>
    written[kind](values[name] as string),
  );
}

const written: Readonly<Record<'unit' | 'xml', (path: string) => string>> = {
  unit(path) {
    // What systemd reads as something else: specifiers, quotes, white space.
    if (!/^[\w/.+@-]+$/.test(path))
      throw new Error(
        `${path}: must contain only letters, digits and / . _ + @ - (it goes into a systemd unit)`,
      );
    return path;
  },
  xml(path) {
    // oxlint-disable-next-line no-control-regex
    if (/["\u0000-\u001f]/.test(path))
      throw new Error(`${path}: must not contain quotes or control characters`);
    return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  },
};
