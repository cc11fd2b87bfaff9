import { setImmediate } from 'node:timers/promises';
import type { JournalEntry } from '../../../core/journal/journal.ts';
import type { SaleQuery, SalesFound, SalesPage } from '../../../core/journal/search.ts';

/** A separate read-only connection, so that payments do not wait for it. */
export interface ExtractReader {
  findSales(query: SaleQuery, page: SalesPage): SalesFound;
  story(saleId: string): JournalEntry[];
}

/** Opens the reader for one bundle. */
export type OpenReader = () => ExtractReader & { close(): void };

/**
 * A busy counter has some thousand sales a week. For a shop's server the newest ones are enough.
 */
const maxSales = 20_000;
const pageSize = 100;

/**
 * The fields of an event that are extracted. A list of what is allowed, so that later fields about
 * customers stay out.
 */
const allowedFields = [
  'type',
  'saleId',
  'refundOrderId',
  'orderId',
  'paymentId',
  'refundId',
  'posId',
  'flow',
  'status',
  'reason',
  'problem',
  'kind',
  'amountMinor',
  'currency',
  'receiptNumber',
  'traceNumber',
  'startedAtMs',
  'deadlineMs',
  'detail',
] as const;

/** The sales since `fromMs`, newest first, in pages with pauses for other work. */
async function* salesSince(
  reader: ExtractReader,
  fromMs: number,
): AsyncGenerator<readonly string[]> {
  let passed = 0;
  for (let after: string | null = null; passed < maxSales; ) {
    const { rows, next } = reader.findSales({ fromMs }, { size: pageSize, after });
    yield rows.map(({ saleId }) => saleId);
    if (next === null) return;
    passed += rows.length;
    after = next;
    await setImmediate();
  }
}

/**
 * Each event of those sales, one line of the extract each. @throws when the journal cannot be read;
 * earlier lines remain valid
 */
export async function* extract(open: OpenReader, fromMs: number): AsyncGenerator<object> {
  const reader = open();
  try {
    for await (const sales of salesSince(reader, fromMs))
      for (const saleId of sales)
        for (const entry of reader.story(saleId)) yield extractLine(entry);
  } finally {
    reader.close();
  }
}

/** Counts the readable sales. */
export async function countSales(open: OpenReader, fromMs: number): Promise<number> {
  let count = 0;
  try {
    const reader = open();
    try {
      for await (const sales of salesSince(reader, fromMs)) count += sales.length;
    } finally {
      reader.close();
    }
  } catch {
    // The bundle itself contains the error.
  }
  return count;
}

function extractLine({ seq, atMs, laneId, event }: JournalEntry): object {
  const all: Readonly<Record<string, unknown>> = {
    ...('sale' in event && event.sale),
    ...('request' in event && event.request),
    ...event,
  };
  const fields = allowedFields
    .filter((name) => name in all)
    .map((name) => [name, all[name]] as const);
  return { seq, at: new Date(atMs).toISOString(), lane: laneId, ...Object.fromEntries(fields) };
}
