import { type FSWatcher, watch } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { PaymentEvent, Sale } from '../../main/core/settlement/payment.ts';
import type { RefundEvent, RefundRequest } from '../../main/core/settlement/refund.ts';

interface Row {
  readonly seq: number;
  readonly atMs: number;
  readonly saleId: string;
  readonly refundOrderId: string | null;
  readonly event: PaymentEvent | RefundEvent;
}

/** A payment as the journal has it. */
export interface SaleStory {
  readonly sale: Sale;
  readonly events: readonly PaymentEvent[];
}

export interface RefundStory {
  readonly request: RefundRequest;
  readonly events: readonly RefundEvent[];
}

/**
 * Reads the daemon's journal from outside, read-only, and compares it with what was read before.
 */
export class JournalReader {
  readonly #file: string;
  /** null while the database is closed. */
  #db: DatabaseSync | null;
  readonly #rows: Row[] = [];
  readonly #watcher: FSWatcher;
  readonly #timers = new Set<NodeJS.Timeout>();

  /**
   * @param folder the daemon's data folder, with a journal in it
   * @param onWrite called when bytes were written to the file, which may be a part of a transaction
   * @param onEvent called when an event has become readable
   */
  constructor(
    folder: string,
    file: string,
    onWrite: () => void,
    onEvent: (event: PaymentEvent | RefundEvent) => void,
  ) {
    this.#file = file;
    this.#db = new DatabaseSync(file, { readOnly: true });
    this.#watcher = watch(folder, (_kind, name) => {
      if (name?.endsWith('-wal') !== true) return;
      onWrite();
      // The bytes are written before the commit that makes them readable, and nothing announces the
      // commit.
      for (const delayMs of [0, 1, 3, 8]) this.#later(delayMs, () => this.read().forEach(onEvent));
    });
  }

  /**
   * Closes the database before a daemon starts: an open reader would keep SQLite from recovering
   * the journal.
   */
  putDown(): void {
    this.read();
    this.#db?.close();
    this.#db = null;
  }

  /** Opens the database once a daemon has opened it. */
  takeUp(): void {
    this.#db ??= new DatabaseSync(this.#file, { readOnly: true });
  }

  /** Reads the events that were added since the last call. */
  read(): (PaymentEvent | RefundEvent)[] {
    const fresh = this.#select(this.#rows.at(-1)?.seq ?? 0);
    this.#rows.push(...fresh);
    return fresh.map(({ event }) => event);
  }

  /** The first line that has changed since it was read; null when the journal has only grown. */
  rewritten(): string | null {
    const now = this.#select(0);
    const at = this.#rows.findIndex((row, index) => !isDeepStrictEqual(row, now[index]));
    return at < 0
      ? null
      : `line ${this.#rows[at]?.seq} was ${JSON.stringify(this.#rows[at])} and is ${JSON.stringify(now[at])}`;
  }

  sales(): SaleStory[] {
    this.read();
    return this.#rows.flatMap(({ saleId, event }) =>
      event.type === 'saleRequested'
        ? {
            sale: event.sale,
            events: this.#rows
              .filter((row) => row.saleId === saleId && row.refundOrderId === null)
              .map((row) => row.event as PaymentEvent),
          }
        : [],
    );
  }

  refunds(): RefundStory[] {
    this.read();
    return this.#rows.flatMap(({ refundOrderId, event }) =>
      event.type === 'refundRequested'
        ? {
            request: event.request,
            events: this.#rows
              .filter((row) => row.refundOrderId === refundOrderId)
              .map((row) => row.event as RefundEvent),
          }
        : [],
    );
  }

  /** The journal's events as lines for a person to read. */
  lines(): string[] {
    return this.#rows.map(
      ({ seq, atMs, saleId, refundOrderId, event }) =>
        `${seq} ${new Date(atMs).toISOString().slice(11, 23)} ${saleId.slice(0, 8)} ${refundOrderId ?? ''} ${JSON.stringify(event)}`,
    );
  }

  close(): void {
    this.#watcher.close();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#db?.close();
  }

  #select(after: number): Row[] {
    if (this.#db === null) return [];
    return this.#db
      .prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq')
      .all(after)
      .map((row) => ({
        seq: row['seq'] as number,
        atMs: row['at_ms'] as number,
        saleId: row['sale_id'] as string,
        refundOrderId: (row['refund_order_id'] as string | null | undefined) ?? null,
        event: JSON.parse(row['body'] as string) as PaymentEvent | RefundEvent,
      }));
  }

  #later(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delayMs);
    this.#timers.add(timer);
  }
}
