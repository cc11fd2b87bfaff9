/** The reporting interface for an office: each query as a stream, however many pages it has. */
import { type Client, clientOf } from '../client.ts';
import { UnexpectedAnswerError } from '../errors.ts';
import type { OperationQuery } from '../operation.ts';
import type { Transport } from '../transport.ts';
import { type listReportedTransactions, type listReportedTransfers, reportingOperations } from './operations.ts';
import { largestPageSize, type ReportedPaymentPoint, type ReportedTransaction, type ReportedTransfer } from './schemas.ts';

type Paging = 'pagesize' | 'pagenumber';
export type TransactionFilter = Omit<OperationQuery<typeof listReportedTransactions>, Paging>;
export type TransferFilter = Omit<OperationQuery<typeof listReportedTransfers>, Paging>;

export interface StreamOptions {
  /** 1 to 1000. Usually the largest: the fewest requests. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * The four operations, and three streams over them. A stream asks for a page when the last one is used up and never holds a second;
 * it throws what {@link Transport.call} throws, and UnexpectedAnswerError when the pages lead nowhere.
 */
export interface Reporting extends Client<typeof reportingOperations> {
  /**
   * Oldest first unless the filter says otherwise: what is paid while we read then comes at the end.
   * Newest first, it would push what we have read on to the next page, and we would read it twice.
   */
  transactions(filter?: TransactionFilter, options?: StreamOptions): AsyncGenerator<ReportedTransaction, void, undefined>;
  /** Oldest first unless the filter says otherwise. */
  transfers(filter?: TransferFilter, options?: StreamOptions): AsyncGenerator<ReportedTransfer, void, undefined>;
  paymentPoints(options?: StreamOptions): AsyncGenerator<ReportedPaymentPoint, void, undefined>;
}

export function openReporting({ transport }: { transport: Transport }): Reporting {
  const client = clientOf(transport, reportingOperations);
  return {
    ...client,
    transactions: (filter = {}, options = {}) =>
      pages('listReportedTransactions', options, async (page) => {
        const { nextPageNumber, transactions } = await client.listReportedTransactions({ query: { ...oldestFirst(filter), ...page } }, calling(options));
        return { nextPageNumber, records: transactions };
      }),
    transfers: (filter = {}, options = {}) =>
      pages('listReportedTransfers', options, async (page) => {
        const { nextPageNumber, transfers } = await client.listReportedTransfers({ query: { ...oldestFirst(filter), ...page } }, calling(options));
        return { nextPageNumber, records: transfers };
      }),
    paymentPoints: (options = {}) =>
      pages('listReportedPaymentPoints', options, async (page) => {
        const { nextPageNumber, paymentPoints } = await client.listReportedPaymentPoints({ query: page }, calling(options));
        return { nextPageNumber, records: paymentPoints };
      }),
  };
}

const oldestFirst = <Filter extends TransactionFilter | TransferFilter>(filter: Filter) => ({ ...filter, sortdirection: filter.sortdirection ?? 'asc' });

const calling = ({ signal }: StreamOptions) => (signal === undefined ? {} : { signal });

interface Page<Record> {
  readonly nextPageNumber?: number | null | undefined;
  readonly records: readonly Record[];
}
type ReadPage<Record> = (page: { pagesize: number; pagenumber: number }) => Promise<Page<Record>>;

/** A page may be empty and not the last. So many in a row are a service that has lost its way. */
const mostEmptyPages = 100;

async function* pages<Record>(operation: string, options: StreamOptions, read: ReadPage<Record>): AsyncGenerator<Record, void, undefined> {
  const pagesize = options.pageSize ?? largestPageSize;
  let emptyPages = 0;
  for (let pagenumber = 1; ; ) {
    const { count, nextPageNumber } = yield* onePage(read({ pagesize, pagenumber }), options.signal);
    if (nextPageNumber === null) return;
    if (nextPageNumber <= pagenumber) throw new UnexpectedAnswerError(operation, 200, `after page ${pagenumber} it names page ${nextPageNumber}`);
    emptyPages = count === 0 ? emptyPages + 1 : 0;
    if (emptyPages >= mostEmptyPages) throw new UnexpectedAnswerError(operation, 200, `${emptyPages} empty pages in a row, and still another`);
    pagenumber = nextPageNumber;
  }
}

/** In a function of its own, so that its page is gone before the next one is asked for. */
async function* onePage<Record>(page: Promise<Page<Record>>, signal: AbortSignal | undefined) {
  const { records, nextPageNumber } = await page;
  for (const record of records) {
    signal?.throwIfAborted();
    yield record;
  }
  return { count: records.length, nextPageNumber: nextPageNumber ?? null };
}
