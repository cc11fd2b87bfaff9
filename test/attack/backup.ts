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
import { writeSealed } from '../../main/counter/backup/sealed-file.ts';
import { attackArea } from './attack.ts';

const passphrase = 'correct horse battery';
/** Behind the header, the nonce and 64 KiB with their tag. */
const firstChunkEnd = 150 + 16 + 65_552;
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
async function craft(
  { file }: Target,
  { files = [], content = Buffer.alloc(0), listBytes }: Crafted,
): Promise<void> {
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
  await writeSealed(opened, { content: [length, list, content], passphrase, cost: 12 });
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
        let stderr = '';
        for (const path of outside) {
          await craft(target, { files: [{ path, bytes: 2 }], content: Buffer.from('{}') });
          stderr = refused(target, /its list breaks a rule: files\.0\.path/);
        }
        return stderr;
      },
    },
    {
      name: 'a backup says that it is larger than the disk, or has a list that takes the memory',
      async attempt(target) {
        await craft(target, { files: [{ path: 'a.json', bytes: 2 ** 45 }] });
        const size = refused(target, /its end is missing/);
        await craft(target, { listBytes: 0xffff_ffff, content: Buffer.alloc(50_000_000, 32) });
        return `${size}; ${refused(target, /its list is too long/)}`;
      },
    },
    {
      name: 'a backup takes the memory before its passphrase is tried',
      async attempt(target) {
        await craft(target, {});
        const whole = readFileSync(target.file, 'latin1');
        // 2^30 are a terabyte, 2^20 the gigabyte that the library allows.
        const errors = [20, 30].map((cost) => {
          writeFileSync(
            target.file,
            whole.replace(/^(-> scrypt \S+) 12$/m, `$1 ${cost}`),
            'latin1',
          );
          return refused(target, /more memory to open/);
        });
        writeFileSync(
          target.file,
          Buffer.concat([
            Buffer.from('age-encryption.org/v1\n-> '),
            Buffer.alloc(300_000_000, 'a'),
          ]),
        );
        errors.push(refused(target, /its beginning is not as it was written/));
        return errors.join('; ');
      },
    },
    {
      name: 'a backup was cut off, at whichever place, or exchanged in part',
      async attempt(target) {
        const content = Buffer.alloc(300_000, 7);
        const make = async (): Promise<Buffer> => {
          await craft(target, {
            files: [{ path: 'shop/logo.png', bytes: content.length }],
            content,
          });
          return readFileSync(target.file);
        };
        const whole = await make();
        const errors: string[] = [];
        for (const length of [whole.length - 1, whole.length - 20, firstChunkEnd, 160, 40]) {
          writeFileSync(target.file, whole);
          truncateSync(target.file, length);
          errors.push(refused(target, /damaged/));
        }
        // A file of another backup that has the same passphrase.
        const other = await make();
        writeFileSync(
          target.file,
          Buffer.concat([other.subarray(0, firstChunkEnd), whole.subarray(firstChunkEnd)]),
        );
        return `${errors.length} of ${errors.length} refused; ${refused(target, /damaged/)}`;
      },
    },
  ],
});
