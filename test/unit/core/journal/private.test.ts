import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fill, Folder } from './support.ts';

const clock = new ManualClock();

describe.skipIf(process.platform === 'win32')('the journal’s files', () => {
  test('are for its user alone wherever they are: its log, its reserve, its mark, and what a repair leaves', () => {
    using folder = new Folder();
    const journal = openSqliteJournal(folder.journal, clock);
    fill(journal, 1, 3);
    const names = readdirSync(folder.path);
    expect(names.toSorted()).toEqual(
      ['', '-shm', '-wal', '.open', '.reserve'].map((ending) => `journal.sqlite${ending}`),
    );
    for (const name of names) expect(statSync(join(folder.path, name)).mode & 0o077, name).toBe(0);
    journal.close();
    writeFileSync(folder.journal, 'damaged', { flag: 'r+' });
    openSqliteJournal(folder.journal, clock).close();
    const repaired = readdirSync(folder.path);
    expect(repaired).toHaveLength(names.length - 2);
    for (const name of repaired)
      expect(statSync(join(folder.path, name)).mode & 0o077, name).toBe(0);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'are said to be closed to whoever may not read them, not to be missing',
    () => {
      using folder = new Folder();
      openSqliteJournal(folder.journal, clock).close();
      const script = `
      const { openJournalReader } = await import(${JSON.stringify(new URL('../../../../main/core/journal/reader.ts', import.meta.url).href)});
      process.setuid(65534);
      openJournalReader(${JSON.stringify(folder.journal)});`;
      const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      expect(stderr).toContain(
        `the journal ${folder.journal} cannot be opened: its folder is closed to you; whom the daemon runs as can read it`,
      );
    },
  );

  test.each(['.open', '.reserve'])('are not written through a link: %s', (ending) => {
    using folder = new Folder();
    const journal = openSqliteJournal(folder.journal, clock);
    fill(journal, 1, 1);
    journal.close();
    const victim = join(folder.path, 'victim');
    writeFileSync(victim, 'somebody’s');
    rmSync(`${folder.journal}${ending}`, { force: true });
    symlinkSync(victim, `${folder.journal}${ending}`);
    const again = openSqliteJournal(folder.journal, clock);
    fill(again, 2, 2);
    again.close();
    expect(statSync(victim).size).toBe(Buffer.byteLength('somebody’s'));
  });
});
