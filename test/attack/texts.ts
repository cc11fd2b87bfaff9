import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../main/core/domain/clock.ts';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import { Product } from '../support/processes.ts';
import {
  refundRequested,
  noReserve,
  refundNumbered,
  saleNumbered,
  takeover,
} from '../unit/core/journal/support.ts';
import { attackArea } from './attack.ts';

/** A data folder whose journal was written by a version that took every text. */
interface Target {
  readonly folder: string;
  readonly saleId: string;
}

/**
 * Clears the screen, renames the window, colours what follows, turns the direction, and makes a
 * line of its own.
 */
const hostile =
  'broken\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e00.1\u2066\u200b\r\nDAMAGED: restore a backup\u2028';
const formulas = [
  'x;=HYPERLINK("http://evil.example")',
  'x,+1',
  '@SUM(1)',
  'x|-1+1',
  'x\t=1',
  'x; "=1+1',
];
const isUnseen = /[\p{C}\u2028\u2029]/u;

async function printed({ folder }: Target, ...args: readonly string[]): Promise<string> {
  const command = new Product('journal', [...args, '--data', folder]);
  const { code } = await command.exited;
  if (code !== 0) throw new Error(`it ended with ${code}: ${command.stderr.slice(0, 300)}`);
  const bad = [...command.lines, command.stderr].find((line) => isUnseen.test(line.trimEnd()));
  if (bad !== undefined) throw new Error(`it printed ${JSON.stringify(bad.slice(0, 300))}`);
  return command.lines.join('\n');
}

/** Attacks by texts in the shop's own files on their readers. */
export const textsArea = attackArea<Target>('texts', {
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-'));
    const journal = openSqliteJournal(join(folder, 'journal.sqlite'), systemClock, {
      reserve: noReserve,
    });
    const sale = saleNumbered(1, { startedAtMs: Date.now() });
    journal.append('1', sale.saleId, takeover(sale));
    [hostile, ...formulas].forEach((note, index) => {
      const request = {
        ...refundNumbered(index + 1, sale),
        amountMinor: 1,
        by: { kind: 'manager', name: `Eve ${hostile}` },
        note,
      } as const;
      journal.appendRefund('1', request.refundOrderId, [
        refundRequested(request),
        { type: 'createUnknown', detail: hostile },
      ]);
    });
    journal.close();
    return { folder, saleId: sale.saleId };
  },
  close: async ({ folder }) => rmSync(folder, { recursive: true, force: true }),
  attacks: [
    {
      name: 'a refund’s note acts on the terminal of who reads the journal, and makes lines of its own',
      async attempt(target) {
        const out = [
          await printed(target, 'show', target.saleId),
          await printed(target, 'verify'),
        ].join('\n');
        if (!out.includes('broken')) throw new Error('the note is not shown');
        if (/^DAMAGED/m.test(out)) throw new Error('a line of the note stands alone');
        return 'it is shown in one line, and nothing in it acts';
      },
    },
    {
      name: 'notes are formulas for a spreadsheet, whatever it takes for a separator',
      async attempt(target) {
        const out = await printed(target, 'export', '--from', '2020-01-01', '--to', '2999-12-31');
        const cells = out
          .split('\n')
          .flatMap((line) => [',', ';', '|', '\t'].flatMap((separator) => line.split(separator)));
        const formula = cells
          .map((cell) => cell.replaceAll(/^[\s"]+/g, ''))
          .find((cell) => /^[=+@]|^-\D/.test(cell));
        if (formula !== undefined) throw new Error(`a cell begins with ${formula}`);
        const [amounts] = out.split('\n').filter((line) => line.includes('"refund"'));
        if (!/,0\.01,[^,]*,"DKK",/.test(amounts ?? ''))
          throw new Error(`amounts are no numbers: ${amounts}`);
        return `${cells.length} cells, none a formula, and amounts are numbers`;
      },
    },
  ],
});
