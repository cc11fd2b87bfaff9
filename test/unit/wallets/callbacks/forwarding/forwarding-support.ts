import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallbackRecord } from '../../../../../main/wallets/callbacks/callback-record.ts';
import { openSqliteStore } from '../../../../../main/wallets/callbacks/sqlite-store.ts';
import { openSqliteReader } from '../../../../../main/wallets/callbacks/sqlite-reader.ts';

const record = (about: Partial<CallbackRecord> = {}): CallbackRecord => ({
  kind: 'payment',
  subjectId: 'p1',
  externalId: null,
  status: 'executed',
  statusText: null,
  code: null,
  amountMinor: null,
  currency: null,
  atMs: null,
  sequence: null,
  agreementId: null,
  paymentId: null,
  paymentAtMs: null,
  links: [],
  raw: '{}',
  ...about,
});

/** A store that is being written, and a reader of the same file. */
export class StoredCallbacks {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-stored-'));
  readonly path = join(this.folder, 'callbacks.db');
  readonly store = openSqliteStore(this.path);
  readonly reader = openSqliteReader(this.path);

  add(...records: readonly Partial<CallbackRecord>[]): void {
    this.addAt(Date.UTC(2026, 10, 21, 9), ...records);
  }
  addAt(receivedAtMs: number, ...records: readonly Partial<CallbackRecord>[]): void {
    this.store.add({ origin: 'callback', receivedAtMs, records: records.map(record) });
  }
  reject(reason: string, raw: string, receivedAtMs = Date.UTC(2026, 10, 21, 9)): void {
    this.store.add({
      origin: 'callback',
      receivedAtMs,
      records: [],
      rejected: [{ endpoint: '/callbacks/refunds', reason, raw }],
    });
  }
  /** Adds records with numbers from 1, each about another payment. */
  addMany(from: number, to: number): void {
    this.add(
      ...Array.from({ length: to - from + 1 }, (_, index) => ({ subjectId: `p${from + index}` })),
    );
  }

  close(): void {
    this.reader.close();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
