import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from './support.ts';

const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'])
    .status === 0;
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process with a disk of its own, which is filled and emptied around the journal. */
const script = (disk: string): string => `
  import { rmSync, statSync, writeFileSync, appendFileSync } from 'node:fs';
  import { openSqliteJournal } from ${url('../../../../main/core/journal/sqlite-journal.ts')};
  import { systemClock } from ${url('../../../../main/core/domain/clock.ts')};
  import { fill, paid, saleNumbered, takeover } from ${url('./support.ts')};
  const path = ${JSON.stringify(join(disk, 'journal.sqlite'))};
  const filler = ${JSON.stringify(join(disk, 'filler'))};
  const told = {};
  const attempt = (act) => { try { act(); return 'done'; } catch (error) { return error.name + ': ' + error.message; } };
  const fillDisk = () => { for (const bytes of [65536, 4096, 512]) try { for (;;) appendFileSync(filler, Buffer.alloc(bytes)); } catch {} };
  const reserve = () => statSync(path + '.reserve', { throwIfNoEntry: false })?.size ?? 0;

  let journal = openSqliteJournal(path, systemClock);
  fill(journal, 1, 5);
  const open = Array.from({ length: 16 }, (_, index) => saleNumbered(100 + index));
  for (const sale of open) journal.append('1', sale.saleId, takeover(sale).slice(0, 2));
  told.reserveBefore = reserve();
  fillDisk();
  // The log has free space of its own until it has to grow.
  told.begun = 0;
  while (told.begun < 200 && (told.refused = attempt(() => { const sale = saleNumbered(200 + told.begun); journal.append('1', sale.saleId, paid(sale)); })) === 'done') told.begun += 1;
  told.reserveKept = reserve();
  told.finished = open.map((sale) => attempt(() => { for (const event of paid(sale).slice(2)) journal.append('1', sale.saleId, [event]); }));
  told.reserveUsed = reserve();
  told.refusedNow = attempt(() => journal.append('1', saleNumbered(500).saleId, paid(saleNumbered(500))));
  rmSync(filler);
  told.again = attempt(() => journal.append('1', saleNumbered(500).saleId, paid(saleNumbered(500))));
  told.reserveAgain = reserve();
  journal.append('1', saleNumbered(501).saleId, takeover(saleNumbered(501)));
  journal.close();

  // Then it starts on a full disk.
  fillDisk();
  const damage = [];
  journal = openSqliteJournal(path, systemClock, { damaged: (found) => damage.push(found) });
  told.openAfterwards = journal.openSales('1').length;
  told.finishedAfterwards = attempt(() => journal.append('1', saleNumbered(501).saleId, [{ type: 'captured' }]));
  told.refusedAfterwards = attempt(() => journal.append('1', saleNumbered(502).saleId, paid(saleNumbered(502))));
  journal.close();
  rmSync(filler);
  journal = openSqliteJournal(path, systemClock, { damaged: (found) => damage.push(found) });
  told.damage = damage;
  told.paid = [...open, saleNumbered(500), saleNumbered(501)].filter((sale) => journal.paidSale('1', sale.receiptNumber)?.captured).length;
  console.log(JSON.stringify(told));
`;

test.skipIf(!canMount)(
  'on a full disk what has begun is finished, nothing new begins, and with room again everything does',
  () => {
    using folder = new Folder();
    const disk = join(folder.path, 'disk');
    const file = join(folder.path, 'script.mts');
    writeFileSync(file, script(disk));
    const run = spawnSync('unshare', [
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      `mkdir ${disk} && mount -t tmpfs -o size=12m none ${disk} && exec ${process.execPath} ${file}`,
    ]);
    expect(run.stderr.toString()).not.toContain('Error');
    const told = JSON.parse(run.stdout.toString()) as Record<string, unknown>;
    expect(told).toMatchObject({
      reserveBefore: 4_194_304,
      refused: expect.stringMatching(/^JournalWriteError: .*full/),
      reserveKept: 4_194_304,
      finished: Array.from({ length: 16 }, () => 'done'),
      reserveUsed: 0,
      refusedNow: expect.stringMatching(/^JournalWriteError: .*nothing new is begun/),
      again: 'done',
      reserveAgain: 4_194_304,
      openAfterwards: 1,
      finishedAfterwards: 'done',
      refusedAfterwards: expect.stringMatching(/^JournalWriteError/),
      damage: [],
      paid: 18,
    });
  },
);
