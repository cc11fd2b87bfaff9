import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const main = join(import.meta.dirname, '../../out/main');
/** A FUSE file system that calls itself sshfs. */
const mount = (source: string, at: string) =>
  spawnSync('bindfs', ['-o', 'fsname=shop@server:/shop,subtype=sshfs', source, at]);
const canMount = process.platform === 'linux' && spawnSync('bindfs', ['--version']).status === 0;

describe.skipIf(!canMount)('on a network file system', () => {
  let folder: string;
  let data: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-network-'));
    for (const name of ['server', 'mounted']) mkdirSync(join(folder, name));
    expect(mount(join(folder, 'server'), join(folder, 'mounted')).status).toBe(0);
    data = join(folder, 'mounted', 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'managers.json'), '{"managers":[]}');
    writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n', { mode: 0o600 });
  });
  afterAll(() => {
    spawnSync('fusermount', ['-u', join(folder, 'mounted')]);
    rmSync(folder, { recursive: true, force: true });
  });

  const passphrase = (): string[] => ['--passphrase-file', join(folder, 'passphrase')];
  test.each([
    ['daemon', (at: string) => ['--data', at, '--port', '0']],
    ['launcher', (at: string) => ['--data', at]],
    ['journal', (at: string) => ['verify', '--data', at]],
    ['managers', (at: string) => ['list', '--data', at]],
    ['callbacks', (at: string) => ['list', '--data', at]],
    ['backup', (at: string) => ['create', join(folder, 'kept'), '--data', at, ...passphrase()]],
    [
      'backup',
      (at: string) => ['restore', join(folder, 'kept'), '--data', join(at, 'new'), ...passphrase()],
    ],
  ] as const)(
    '%s uses no data folder, and says why in one line',
    { timeout: 60_000 },
    (program, argsFor) => {
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        [join(main, `${program}.js`), ...argsFor(data)],
        { encoding: 'utf8', timeout: 50_000 },
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        /\/mounted\/data\S* is on a network file system \(fuse\.sshfs at \S+\/mounted\), where another computer could use the same journal/,
      );
      expect(stderr.trimEnd()).not.toContain('\n');
      expect(readdirSync(data)).toEqual(['managers.json']);
    },
  );
});
