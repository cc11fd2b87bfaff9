import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A file, or a folder, that is this user's business alone. */
export interface Guarded {
  readonly path: string;
  /** false: others may read it, and must not change it. */
  readonly holdsSecret: boolean;
}

/** Something that is open to other users of this computer, and the command that closes it. */
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
 * What of a file, or on the way to it, is open to others. Root can do everything anyway.
 * @param as null: on Windows, where the file's mode says nothing
 */
export function exposuresOf({ path, holdsSecret }: Guarded, as: User | null = thisUser()): Exposure[] {
  if (as === null) return [];
  const found = find(path);
  if (found === null) return [];
  const command = commandFor(found.stat, holdsSecret, as);
  const itself = command === null ? [] : [{ path: found.path, command: command.replaceAll('PATH', () => shellWord(found.path)) }];
  return [...itself, ...new Set([...foldersAbove(resolve(path)), ...foldersAbove(found.path)]).values().flatMap(openFolder)];
}

function thisUser(): User | null {
  const { getuid, getgid, getgroups } = process;
  return getuid && getgid && getgroups ? { user: getuid(), groups: [getgid(), ...getgroups()] } : null;
}

function find(path: string): { path: string; stat: Stats } | null {
  try {
    const real = realpathSync(path);
    return { path: real, stat: statSync(real) };
  } catch {
    // What is not there has nothing to hide.
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
  // As an administrator installs it for a daemon that must not change it.
  if (!groups.includes(gid)) return `chgrp ${groups[0]} PATH && chmod 640 PATH`;
  return (mode & 0o037) === 0 ? null : 'chmod 640 PATH';
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

/** Where everybody may write, everybody may put another file in the place of this one; not where each may take away only their own, as in /tmp. */
function openFolder(path: string): Exposure[] {
  const mode = find(path)?.stat.mode ?? 0;
  return (mode & 0o1002) === 0o002 ? [{ path, command: `chmod o-w ${shellWord(path)}` }] : [];
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
