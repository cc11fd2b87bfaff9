import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal } from '../../../../main/core/journal/journal.ts';
import type { Reserve } from '../../../../main/core/journal/reserve.ts';
import type { PaymentEvent, Sale } from '../../../../main/core/settlement/payment.ts';
import type { RefundEvent, RefundRequest } from '../../../../main/core/settlement/refund.ts';
import { sale } from '../settlement/support.ts';

/** A folder that is removed at the end of the test. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'tillbeacon-journal-'));
  readonly journal = join(this.path, 'journal.sqlite');

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const id = (kind: string, n: number): string =>
  `${kind}0000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const paymentIdOf = (n: number): string => id('fa1e', n);

export const saleNumbered = (n: number, about: Partial<Sale> = {}): Sale => ({
  ...sale,
  saleId: id('5a1e', n),
  orderId: `1-${String(n).padStart(6, '0')}-5a1e`,
  receiptNumber: n,
  traceNumber: n,
  ...about,
});

/** A refund of the sale with the same number. Its own numbers are 1,000 higher. */
export const refundNumbered = (
  n: number,
  of: Sale,
  about: Partial<RefundRequest> = {},
): RefundRequest => ({
  refundOrderId: id('4efd', n),
  saleId: of.saleId,
  amountMinor: 100,
  currency: 'DKK',
  receiptNumber: 1_000 + n,
  traceNumber: 1_000 + n,
  originalReceiptNumber: of.receiptNumber,
  originalTraceNumber: of.traceNumber,
  startedAtMs: 0,
  laneId: '1',
  paymentId: paymentIdOf(of.receiptNumber),
  idempotencyKey: 'refund-key',
  by: { kind: 'till' },
  note: null,
  deadlineMs: 60_000,
  ...about,
});

export const asked = (of: Sale): PaymentEvent => ({ type: 'saleRequested', sale: of });
export const refundRequested = (request: RefundRequest): RefundEvent => ({
  type: 'refundRequested',
  request,
});
export const takeover = (of: Sale): PaymentEvent[] => [
  asked(of),
  { type: 'created', paymentId: paymentIdOf(of.receiptNumber), status: 'initiated' },
  { type: 'statusSeen', status: 'issuedToUser' },
  { type: 'captureIntended' },
  { type: 'tillAcknowledged' },
];
export const paid = (of: Sale): PaymentEvent[] => [...takeover(of), { type: 'captured' }];
export const paidBack = (request: RefundRequest): RefundEvent[] => [
  refundRequested(request),
  { type: 'created', refundId: id('4ef1', request.receiptNumber) },
  { type: 'captureIntended' },
  ...(request.by.kind === 'till' ? [{ type: 'tillAcknowledged' } as const] : []),
  { type: 'captured' },
];

/** Appends paid sales with these numbers. Every tenth is refunded in part. */
export function fill(journal: Journal, from: number, to: number): void {
  for (let n = from; n <= to; n += 1) {
    const of = saleNumbered(n);
    journal.append('1', of.saleId, paid(of));
    if (n % 10 === 0) {
      const refund = refundNumbered(n, of);
      journal.appendRefund('1', refund.refundOrderId, paidBack(refund));
    }
  }
}

/** A reserve for tests that are not about the disk. */
export const noReserve: Reserve = { keep: () => true, release: () => false };

/**
 * Copies the files as they are on disk after a power cut: with everything that was acknowledged,
 * and without an orderly end.
 */
export function copyAsAfterPowerCut(from: string, to: string): void {
  for (const ending of ['', '-wal', '-shm', '.open'])
    if (existsSync(`${from}${ending}`)) copyFileSync(`${from}${ending}`, `${to}${ending}`);
}

/** Removes what version 7 added. */
export const withoutTotals = `DROP TABLE moved_totals;
  ${['sales', 'refunds'].map((table) => `DROP TRIGGER ${table}_are_counted; DROP TRIGGER ${table}_are_recounted;`).join('')}`;
