import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type DiskFacts,
  networkFileSystemOf,
  requireLocalDisk,
} from '../../../main/support/local-disk.ts';

const mountinfo = [
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '30 27 0:30 / /mnt rw,relatime shared:12 - tmpfs tmpfs rw',
  '40 30 0:40 / /mnt/shop rw,relatime shared:13 master:2 - nfs4 server:/shop rw,vers=4.2',
  String.raw`41 30 0:41 / /mnt/the\040shop rw,relatime - cifs //server/shop rw`,
  '42 30 0:42 / /mnt/share rw,relatime - autofs systemd-1 rw,fd=40',
  '43 42 0:43 / /mnt/share rw,relatime - smb3 //server/share rw',
  '44 30 0:44 / /mnt/host rw,relatime - 9p hostshare rw,trans=virtio',
  '45 30 0:45 / /mnt/ssh rw,relatime - fuse.sshfs user@server:/shop rw',
  '46 30 0:46 / /mnt/dav rw,relatime - fuse https://server/shop rw',
  '47 30 0:47 / /mnt/any rw,relatime - fuse.somefs //server/shop rw',
  '48 30 0:48 / /mnt/afs rw,relatime - afs none rw',
  '49 30 8:17 / /mnt/usb rw,relatime - fuseblk /dev/sdb1 rw',
  '50 30 0:50 / /mnt/safe rw,relatime - fuse.gocryptfs /home/shop/.safe rw',
  '51 40 8:33 / /mnt/shop/disk rw,relatime - ext4 /dev/sdc1 rw',
].join('\n');
const linux: DiskFacts = { platform: 'linux', realPath: (path) => path, mounts: () => mountinfo };

describe('a data folder on Linux', () => {
  test.each([
    ['/mnt/shop', 'nfs4 at /mnt/shop'],
    ['/mnt/shop/tillbeacon/data', 'nfs4 at /mnt/shop'],
    ['/mnt/the shop/data', 'cifs at /mnt/the shop'],
    ['/mnt/share/data', 'smb3 at /mnt/share'],
    ['/mnt/host/data', '9p at /mnt/host'],
    ['/mnt/ssh/data', 'fuse.sshfs at /mnt/ssh'],
    ['/mnt/dav/data', 'fuse at /mnt/dav'],
    ['/mnt/any/data', 'fuse.somefs at /mnt/any'],
    ['/mnt/afs/data', 'afs at /mnt/afs'],
  ])('at %s is on a network file system', (path, said) => {
    expect(networkFileSystemOf(path, linux)).toBe(said);
  });

  test.each([
    '/',
    '/var/lib/tillbeacon',
    '/mnt/data',
    '/mnt/shopping',
    '/mnt/usb/data',
    '/mnt/safe/data',
    '/mnt/shop/disk/data',
  ])('at %s is not', (path) => {
    expect(networkFileSystemOf(path, linux)).toBeNull();
  });

  test('is judged where its links lead, also before it is made', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-disk-'));
    symlinkSync('/', join(folder, 'link'));
    const paths: string[] = [];
    const realPath = (path: string): string => {
      paths.push(path);
      if (path !== join(folder, 'link')) throw new Error('nothing is there');
      return '/mnt/shop';
    };
    expect(networkFileSystemOf(join(folder, 'link', 'made', 'later'), { ...linux, realPath })).toBe(
      'nfs4 at /mnt/shop',
    );
    expect(paths).toHaveLength(3);
    rmSync(folder, { recursive: true });
  });

  test('is taken where the system does not tell its mounts', () => {
    const mounts = (): string => {
      throw new Error('no /proc');
    };
    expect(networkFileSystemOf('/mnt/shop', { ...linux, mounts })).toBeNull();
  });
});

describe('a data folder on Windows', () => {
  const windows = (real: string): DiskFacts => ({
    platform: 'win32',
    realPath: () => real,
    mounts: () => '',
  });

  test.each([
    [String.raw`\\server\shop\data`, String.raw`\\server\shop\data`],
    ['//server/shop/data', String.raw`\\server\shop\data`],
    [String.raw`\\?\UNC\server\shop\data`, String.raw`\\server\shop\data`],
    // A mapped drive, and a folder that the system redirects.
    [String.raw`Z:\data`, String.raw`\\server\shop\data`],
    [
      String.raw`C:\Users\shop\AppData\Local\tillbeacon`,
      String.raw`\\?\UNC\server\users\shop\tillbeacon`,
    ],
  ])('at %s is on a share', (path, real) => {
    expect(networkFileSystemOf(path, windows(real))).toBe('a Windows share');
  });

  test.each([
    String.raw`C:\ProgramData\Tillbeacon`,
    String.raw`\\?\C:\ProgramData\Tillbeacon`,
    String.raw`\\.\C:\Tillbeacon`,
  ])('at %s is not', (path) => {
    expect(networkFileSystemOf(path, windows(path))).toBeNull();
  });
});

test('a data folder on macOS is judged by what is mounted', () => {
  const mounts = [
    '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
    '//shop@server/shop on /Volumes/The Shop (smbfs, nodev, nosuid, mounted by shop)',
  ].join('\n');
  const macos: DiskFacts = { platform: 'darwin', realPath: (path) => path, mounts: () => mounts };
  expect(networkFileSystemOf('/Volumes/The Shop/data', macos)).toBe('smbfs at /Volumes/The Shop');
  expect(networkFileSystemOf('/Library/Tillbeacon', macos)).toBeNull();
});

test('the refusal names the folder, the reason and what to do in one sentence', () => {
  expect(() => requireLocalDisk('/mnt/shop/data', linux)).toThrow(
    '/mnt/shop/data is on a network file system (nfs4 at /mnt/shop), where another computer could use the same journal: use a folder on a disk of this computer',
  );
  expect(() => requireLocalDisk(tmpdir())).not.toThrow();
});
