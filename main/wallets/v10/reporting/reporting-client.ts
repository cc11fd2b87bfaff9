/** The reporting interface for a back office: each query as a stream, however many pages it has. */
import { type Client, clientOf } from '../typed-client.ts';
import type { OperationQuery } from '../../http/operation.ts';
import { everyItem, maxPageSize } from '../../http/pages.ts';
import type { Transport } from '../../http/transport.ts';
import {
  type listReportedTransactions,
  type listReportedTransfers,
  reportingOperations,
} from './reporting-operations.ts';
import type {
  ReportedPaymentPoint,
  ReportedTransaction,
  ReportedTransfer,
} from './reporting-schemas.ts';

type Paging = 'pagesize' | 'pagenumber';
export type TransactionFilter = Omit<OperationQuery<typeof listReportedTransactions>, Paging>;
export type TransferFilter = Omit<OperationQuery<typeof listReportedTransfers>, Paging>;

export interface StreamOptions {
  /** Usually 1000, the most that the service puts on a page: the fewest requests. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * The four operations, and three streams over them. A stream asks for a page when the last one is
 * used up and never holds a second; it throws what {@link Transport.call} throws, and
 * UnexpectedAnswerError when the pages lead nowhere.
 */
export interface Reporting extends Client<typeof reportingOperations> {
  /**
   * Oldest first unless the filter says otherwise: what is paid while we read then comes at the
   * end. Newest first, it would push what we have read on to the next page, and we would read it
   * twice.
   */
  transactions(
    filter?: TransactionFilter,
    options?: StreamOptions,
  ): AsyncGenerator<ReportedTransaction, void, undefined>;
  /** Oldest first unless the filter says otherwise. */
  transfers(
    filter?: TransferFilter,
    options?: StreamOptions,
  ): AsyncGenerator<ReportedTransfer, void, undefined>;
  paymentPoints(options?: StreamOptions): AsyncGenerator<ReportedPaymentPoint, void, undefined>;
}

export function openReporting({ transport }: { transport: Transport }): Reporting {
  const client = clientOf(transport, reportingOperations);
  return {
    ...client,
    transactions: (filter = {}, options = {}) =>
      everyItem('listReportedTransactions', options.signal, async (pageNumber) => {
        const { nextPageNumber, transactions } = await client.listReportedTransactions(
          { query: { ...oldestFirst(filter), ...pageOf(pageNumber, options) } },
          calling(options),
        );
        return { nextPageNumber, items: transactions };
      }),
    transfers: (filter = {}, options = {}) =>
      everyItem('listReportedTransfers', options.signal, async (pageNumber) => {
        const { nextPageNumber, transfers } = await client.listReportedTransfers(
          { query: { ...oldestFirst(filter), ...pageOf(pageNumber, options) } },
          calling(options),
        );
        return { nextPageNumber, items: transfers };
      }),
    paymentPoints: (options = {}) =>
      everyItem('listReportedPaymentPoints', options.signal, async (pageNumber) => {
        const { nextPageNumber, paymentPoints } = await client.listReportedPaymentPoints(
          { query: pageOf(pageNumber, options) },
          calling(options),
        );
        return { nextPageNumber, items: paymentPoints };
      }),
  };
}

const oldestFirst = <Filter extends TransactionFilter | TransferFilter>(filter: Filter) => ({
  ...filter,
  sortdirection: filter.sortdirection ?? 'asc',
});

const calling = ({ signal }: StreamOptions) => (signal === undefined ? {} : { signal });

const pageOf = (pagenumber: number, { pageSize = maxPageSize }: StreamOptions) => ({
  pagesize: pageSize,
  pagenumber,
});
