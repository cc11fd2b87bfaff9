import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealedWriter } from '../../main/counter/backup/sealed-file.ts';
import { attackArea } from './attack.ts';

const passphrase = 'correct horse battery';
const command = join(import.meta.dirname, '../../out/main/backup.js');

interface Target {
  readonly folder: string;
  readonly file: string;
  readonly data: string;
}

interface Crafted {
  readonly files?: readonly object[];
  readonly content?: Uint8Array;
  /** A wrong length of the list; by default the right one. */
  readonly listBytes?: number;
}

/**
 * A file that is sealed with the right passphrase, and has content that no program of ours writes.
 */
function craft(
  { file }: Target,
  { files = [], content = Buffer.alloc(0), listBytes }: Crafted,
): void {
  const about = {
    layout: 1,
    tillbeacon: '0.1.0',
    madeAtMs: 1,
    from: 'old',
    journalLayout: null,
    unsettled: 0,
    missing: [],
  };
  const list = Buffer.from(JSON.stringify({ ...about, files }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(listBytes ?? list.length);
  const opened = openSync(file, 'w', 0o600);
  const sealed = new SealedWriter(opened, passphrase, 12);
  for (const part of [length, list, content]) sealed.write(part);
  sealed.end();
  closeSync(opened);
}

/** @returns the command's output @throws when it restored anything */
function refused({ folder, file, data }: Target, why: RegExp): string {
  const names = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const before = names();
  const { status, stderr } = spawnSync(
    process.execPath,
    [command, 'restore', file, '--data', data],
    {
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, TILLBEACON_BACKUP_PASSPHRASE: passphrase },
    },
  );
  const added = names().filter((name) => !before.includes(name));
  if (added.length > 0) throw new Error(`it wrote ${added.join(', ')}`);
  if (status !== 1 || !why.test(stderr)) throw new Error(`it ended with ${status}: ${stderr}`);
  return stderr.trim();
}

/** Attacks by somebody who talks a shop into restoring a file. */
export const backupArea = attackArea<Target>('backup', {
  open() {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-backup-'));
    mkdirSync(join(folder, 'a'));
    return Promise.resolve({
      folder,
      file: join(folder, 'counter.backup'),
      data: join(folder, 'a', 'data'),
    });
  },
  close: ({ folder }) => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  attacks: [
    {
      name: 'a backup names files outside of the folder, and the note without which a counter waits',
      async attempt(target) {
        const outside = [
          '../../escaped.json',
          join(target.folder, 'escaped.json'),
          'shop/../../../escaped.json',
          'restored.json',
        ];
        const said = outside.map((path) => {
          craft(target, { files: [{ path, bytes: 2 }], content: Buffer.from('{}') });
          return refused(target, /its list breaks a rule: files\.0\.path/);
        });
        return said.at(-1) as string;
      },
    },
    {
      name: 'a backup says that it is larger than the disk, or has a list that takes the memory',
      async attempt(target) {
        craft(target, { files: [{ path: 'a.json', bytes: 2 ** 45 }] });
        const size = refused(target, /its end is missing/);
        craft(target, { listBytes: 0xffff_ffff, content: Buffer.alloc(50_000_000, 32) });
        return `${size}; ${refused(target, /its list is too long/)}`;
      },
    },
    {
      name: 'a backup was cut off, at whichever place, or exchanged in part',
      async attempt(target) {
        const content = Buffer.alloc(300_000, 7);
        const make = (): Buffer => (
          craft(target, { files: [{ path: 'shop/logo.png', bytes: content.length }], content }),
          readFileSync(target.file)
        );
        const whole = make();
        const said: string[] = [];
        for (const length of [whole.length - 1, whole.length - 20, 83 + 65_552, 90, 40]) {
          writeFileSync(target.file, whole);
          truncateSync(target.file, length);
          said.push(refused(target, /damaged/));
        }
        // A file of another backup that has the same passphrase.
        const other = make();
        writeFileSync(
          target.file,
          Buffer.concat([other.subarray(0, 83 + 65_552), whole.subarray(83 + 65_552)]),
        );
        return `${said.length} of ${said.length} refused; ${refused(target, /damaged/)}`;
      },
    },
  ],
});
