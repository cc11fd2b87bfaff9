/**
 * A data folder has to be on a disk of this computer: another one could open the same journal, and
 * locks do not hold across a network.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

interface Mount {
  readonly type: string;
  readonly source: string;
  /** The folder at which it is mounted. */
  readonly at: string;
}

export interface DiskFacts {
  readonly platform: NodeJS.Platform;
  /**
   * Without links. On Windows also without mapped drives: `Z:\shop` becomes `\\server\shop`.
   * @throws when there is no such path
   */
  readonly realPath: (path: string) => string;
  /**
   * What the system says is mounted: `/proc/self/mountinfo` on Linux, the command `mount`
   * elsewhere.
   */
  readonly mounts: () => string;
}

const thisComputer: DiskFacts = {
  platform: process.platform,
  realPath: (path) => realpathSync.native(path),
  mounts: () =>
    process.platform === 'linux'
      ? readFileSync('/proc/self/mountinfo', 'utf8')
      : execFileSync('/sbin/mount', { encoding: 'utf8', timeout: 5_000 }),
};

/** @throws Error in plain words when the folder is on a network file system */
export function requireLocalDisk(path: string, facts: DiskFacts = thisComputer): void {
  const network = networkFileSystemOf(path, facts);
  if (network === null) return;
  throw new Error(
    `${path} is on a network file system (${network}), where another computer could use the same journal: use a folder on a disk of this computer`,
  );
}

/**
 * In words, e.g. `nfs4 at /mnt/shop`; null when the folder is on a disk of this computer, or that
 * cannot be seen. The folder may be missing.
 */
export function networkFileSystemOf(path: string, facts: DiskFacts = thisComputer): string | null {
  const real = nearestRealPath(path, facts);
  if (facts.platform === 'win32')
    return isUncPath(path) || isUncPath(real) ? 'a Windows share' : null;
  const mount = mountOf(real, mountsIn(facts));
  return mount !== undefined && isNetworkMount(mount) ? `${mount.type} at ${mount.at}` : null;
}

/** `\\server\share` in any spelling, but neither `\\?\C:\` nor `\\.\C:\`. */
const isUncPath = (path: string): boolean =>
  /^[\\/]{2}(?![?.][\\/])|^[\\/]{2}\?[\\/]UNC[\\/]/i.test(path);

/** The real path of the folder, or of the nearest one above it that exists. */
function nearestRealPath(path: string, facts: DiskFacts): string {
  // A path of Windows is not resolved on another system.
  const absolute = facts.platform === process.platform ? resolve(path) : path;
  try {
    return facts.realPath(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : nearestRealPath(above, facts);
  }
}

function mountsIn({ platform, mounts }: DiskFacts): readonly Mount[] {
  let text: string;
  try {
    text = mounts();
  } catch {
    return [];
  }
  const read = platform === 'linux' ? linuxMount : bsdMount;
  return text.split('\n').flatMap((line) => read(line) ?? []);
}

/** See proc_pid_mountinfo(5). */
function linuxMount(line: string): Mount | null {
  const fields = /^(?:\S+ ){4}(\S+) .* - (\S+) (\S+)/.exec(line);
  return fields === null
    ? null
    : { at: unescaped(fields[1] ?? ''), type: fields[2] ?? '', source: unescaped(fields[3] ?? '') };
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 8)),
  );

/** `//user@server/shop on /Volumes/shop (smbfs, nodev, nosuid)`. */
function bsdMount(line: string): Mount | null {
  const fields = /^(.+) on (\/.*) \(([^,)]+)/.exec(line);
  return fields === null
    ? null
    : { source: fields[1] ?? '', at: fields[2] ?? '', type: fields[3] ?? '' };
}

/** The one that holds the path. Of several at one place the last one is seen. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let nearest: Mount | undefined;
  for (const mount of mounts) {
    const holds = mount.at === '/' || path === mount.at || path.startsWith(`${mount.at}/`);
    if (holds && mount.at.length >= (nearest?.at.length ?? 0)) nearest = mount;
  }
  return nearest;
}

/**
 * File systems of other computers; of clusters, which several computers write at once; and folders
 * that the host of a virtual machine shares with it.
 */
const networkTypes: ReadonlySet<string> = new Set(
  [
    'nfs nfs4 cifs smb2 smb3 smbfs smbnetfs ncp ncpfs afs openafs kafs afpfs coda 9p webdav davfs davfs2',
    'ceph ceph-fuse cephfs glusterfs lustre gpfs beegfs pvfs2 orangefs ocfs2 gfs2 moosefs juicefs seaweedfs',
    'sshfs rclone s3fs gcsfuse curlftpfs ftpfs gvfsd-fuse goofys vboxsf vmhgfs vmhgfs-fuse prl_fs',
  ].flatMap((line) => line.split(' ')),
);

function isNetworkMount({ type, source }: Mount): boolean {
  if (networkTypes.has(type.replace(/^fuse\./, ''))) return true;
  // A program of any name, whose source is another computer: `user@server:/shop`, `//server/shop`,
  // `https://server/shop`.
  return type.startsWith('fuse') && /^\/\/|^[^/]+:/.test(source);
}
