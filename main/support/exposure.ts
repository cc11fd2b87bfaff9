import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A file or folder that only this user may access. */
export interface Guarded {
  readonly path: string;
  /** false when others may read it but not change it. */
  readonly holdsSecret: boolean;
}

/**
 * A file or folder that is open to other users of this computer, and the command that closes it.
 */
export interface Exposure {
  readonly path: string;
  readonly command: string;
}

interface User {
  readonly user: number;
  readonly groups: readonly number[];
}

const root = 0;

/**
 * Finds which part of a path is open to other users. Root is not considered, because it can access
 * everything anyway.
 * @param as null on Windows, where the file's mode says nothing
 */
export function exposuresOf(
  { path, holdsSecret }: Guarded,
  as: User | null = thisUser(),
): Exposure[] {
  if (as === null) return [];
  const file = find(path);
  if (file === null) return [];
  const command = commandFor(file.stat, holdsSecret, as);
  const itself =
    command === null
      ? []
      : [{ path: file.path, command: command.replaceAll('PATH', () => shellWord(file.path)) }];
  return [
    ...itself,
    ...new Set([...foldersAbove(resolve(path)), ...foldersAbove(file.path)])
      .values()
      .flatMap(openFolder),
  ];
}

/**
 * Finds what another user could have changed of a program that this user runs: any file or folder
 * of it, or a folder on the way to it.
 */
export function programExposure(folder: string, as: User | null = thisUser()): Exposure | null {
  if (as === null) return null;
  const program = find(folder);
  if (program === null) return null;
  const [itself] = exposuresOf({ path: folder, holdsSecret: false }, as);
  return itself ?? openWithin(program.path, as) ?? foreignFolderAbove(program.path, as);
}

function openWithin(folder: string, as: User): Exposure | null {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stat = lstatSync(path);
    // No package has links, and what one leads to can be anybody's.
    const command = stat.isSymbolicLink() ? 'rm PATH' : commandFor(stat, false, as);
    if (command !== null)
      return { path, command: command.replaceAll('PATH', () => shellWord(path)) };
  }
  return null;
}

/** The owner of a folder can replace files in it, also those of other users. */
function foreignFolderAbove(path: string, { user }: User): Exposure | null {
  for (const above of foldersAbove(path)) {
    const { uid } = statSync(above);
    if (uid !== user && uid !== root)
      return { path: above, command: `chown ${user} ${shellWord(above)}` };
  }
  return null;
}

function thisUser(): User | null {
  const { getuid, getgid, getgroups } = process;
  return getuid && getgid && getgroups
    ? { user: getuid(), groups: [getgid(), ...getgroups()] }
    : null;
}

function find(path: string): { path: string; stat: Stats } | null {
  try {
    const real = realpathSync(path);
    return { path: real, stat: statSync(real) };
  } catch {
    // A missing file exposes nothing.
    return null;
  }
}

function commandFor(stat: Stats, holdsSecret: boolean, { user, groups }: User): string | null {
  const { uid, gid, mode } = stat;
  const closed = stat.isDirectory() ? 'chmod 700 PATH' : 'chmod 600 PATH';
  if (uid !== user && uid !== root) return `chown ${user} PATH && ${closed}`;
  if (!holdsSecret) return (mode & 0o022) === 0 ? null : 'chmod go-w PATH';
  if (uid === user) return (mode & 0o077) === 0 ? null : closed;
  if (stat.isDirectory()) return (mode & 0o077) === 0 ? null : `chown -R ${user} PATH && ${closed}`;
  // An administrator may own a file that the daemon must only read.
  if (!groups.includes(gid)) return `chgrp ${groups[0]} PATH && chmod 640 PATH`;
  return (mode & 0o037) === 0 ? null : 'chmod 640 PATH';
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

/**
 * Anybody who may write to a folder can replace the files in it, except in a sticky folder such as
 * /tmp.
 */
function openFolder(path: string): Exposure[] {
  const mode = find(path)?.stat.mode ?? 0;
  return (mode & 0o1002) === 0o002 ? [{ path, command: `chmod o-w ${shellWord(path)}` }] : [];
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
