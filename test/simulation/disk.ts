import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Journal, JournalWriteError } from '../../main/core/journal/journal.ts';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent } from '../../main/core/settlement/payment.ts';
import type { RefundEvent } from '../../main/core/settlement/refund.ts';
import type { Clock } from '../../main/core/domain/clock.ts';
import type { Life } from './life.ts';
import { MemoryDisk, openMemoryJournal } from './memory-journal.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/** What survives the end of the daemon. */
export interface Disk {
  open(clock: Clock): Journal;
  /** Everything on the disk, in order, as text. */
  contents(): string[];
  close(): void;
}

export function memoryDisk(): Disk {
  const disk = new MemoryDisk();
  return {
    open: (clock) => openMemoryJournal(disk, clock),
    contents: () =>
      disk.rows.map(({ laneId, saleId, refundOrderId, body }) =>
        line(laneId, saleId, refundOrderId, body),
      ),
    close() {},
  };
}

/** The real journal in a file of the run. */
export function sqliteDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-simulation-'));
  const path = join(folder, 'journal.sqlite');
  const opened: Journal[] = [];
  return {
    open(clock) {
      const journal = openSqliteJournal(path, clock);
      opened.push(journal);
      return journal;
    },
    contents() {
      const file = new DatabaseSync(path, { readOnly: true });
      const rows = file
        .prepare('SELECT lane_id, sale_id, refund_order_id, body FROM events ORDER BY seq')
        .all();
      file.close();
      return rows.map((row) =>
        line(
          row['lane_id'] as string,
          row['sale_id'] as string,
          row['refund_order_id'] as string | null,
          row['body'] as string,
        ),
      );
    },
    close() {
      for (const journal of opened) journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const line = (
  laneId: string,
  saleId: string,
  refundOrderId: string | null,
  body: string,
): string => `${laneId} ${saleId} ${refundOrderId ?? '-'} ${body}`;

export interface Written {
  readonly laneId: string;
  /** The sale's id, or the refund's order id. */
  readonly id: string;
  readonly of: 'payment' | 'refund';
  readonly events: readonly (PaymentEvent | RefundEvent)[];
}

/**
 * A journal whose disk refuses at times, and whose daemon can die right before and right after each
 * commit.
 */
export function journalFor(
  life: Life,
  disk: Disk,
  stage: Stage,
  chance: Chance,
  written: (entry: Written) => void,
): Journal {
  const journal = disk.open(life.clock);
  const append = (entry: Written, commit: () => void): void => {
    if (!life.survives('before a commit', 3 * stage.weather.crash))
      throw new JournalWriteError(new Error('the process is dead'));
    if (stage.fault(chance, stage.weather.diskFault)) {
      stage.say('disk', () => `refuses ${entry.events.map(({ type }) => type).join(', ')}`);
      throw new JournalWriteError(new Error('disk I/O error'));
    }
    commit();
    stage.say(
      'journal',
      () =>
        `${entry.of} ${entry.id.slice(0, 12)}: ${entry.events.map((event) => words(event)).join(', ')}`,
    );
    written(entry);
    life.survives('after a commit', 3 * stage.weather.crash);
  };
  return {
    ...journal,
    append: (laneId, saleId, events) =>
      append({ laneId, id: saleId, of: 'payment', events }, () =>
        journal.append(laneId, saleId, events),
      ),
    appendRefund: (laneId, refundOrderId, events) =>
      append({ laneId, id: refundOrderId, of: 'refund', events }, () =>
        journal.appendRefund(laneId, refundOrderId, events),
      ),
  };
}

function words(event: PaymentEvent | RefundEvent): string {
  const { type, ...about } = event;
  if (event.type === 'saleRequested')
    return `${type} ${event.sale.amountMinor} (receipt ${event.sale.receiptNumber}, order ${event.sale.orderId})`;
  if (event.type === 'refundRequested')
    return `${type} ${event.request.amountMinor} (receipt ${event.request.receiptNumber})`;
  return Object.keys(about).length === 0 ? type : `${type} ${JSON.stringify(about)}`;
}
