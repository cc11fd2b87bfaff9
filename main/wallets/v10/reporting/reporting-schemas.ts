/**
 * The records of the reporting interface v3 and the filters of its queries, under the interface's
 * own names (interface document 3, "Reporting records" and "Reporting (v3)"; document 4, section
 * 5).
 */
import { z } from 'zod';
import { Day } from '../../../core/domain/field-rules.ts';
import { majorAmount } from '../../http/amounts.ts';
import { OutsideText } from '../../answer-values.ts';

export const defaultPageSize = 100;

const text = OutsideText.nullish();
const page = {
  pagesize: z.int().min(1).optional(),
  pagenumber: z.int().min(1).optional(),
};
const sortdirection = z.enum(['asc', 'desc']).optional();
const DateTime = z.iso.datetime({
  offset: true,
  error: 'must be a date-time, e.g. 2026-11-21T09:00:00Z',
});

export const PaymentPointsQuery = z.object(page);

/** Both dates belong to the period; they are compared with `timestamp`. */
export const TransactionsQuery = z.object({
  transferid: z.guid().optional(),
  paymentpointid: z.guid().optional(),
  startdate: DateTime.optional(),
  enddate: DateTime.optional(),
  ...page,
  sortdirection,
});

/**
 * Both days belong to the period, in UTC. `reference`: the bank reference of the aggregated
 * transfer.
 */
export const TransfersQuery = z.object({
  paymentpointid: z.guid().optional(),
  startdate: Day.optional(),
  enddate: Day.optional(),
  reference: z.string().optional(),
  ...page,
  sortdirection,
});

/**
 * `productType`, and a transaction's `type`, stay text: a kind that the documents do not know must
 * not stop a report.
 */
const ReportedPaymentPoint = z.object({
  id: z.guid(),
  name: text,
  productType: OutsideText,
  alias: text.meta({ description: 'The number of a MyShop; null for all other products' }),
});
export type ReportedPaymentPoint = z.infer<typeof ReportedPaymentPoint>;

/** `amount`: into the merchant's account positive, out of it negative. */
const ReportedTransaction = z.object({
  paymentId: text,
  type: OutsideText,
  amount: majorAmount(),
  currencyCode: OutsideText,
  timestamp: OutsideText,
  message: text,
  merchantReference: text.meta({
    description: 'Of subscriptions, app payments and points of sale only',
  }),
  merchantPaymentLabel: text,
  transferReference: text,
  transferDate: text,
  userPhoneNumber: text.meta({ description: 'Half masked; of MyShop only' }),
  userName: text.meta({ description: 'Of MyShop only' }),
  loyaltyId: text,
  myShopNumber: text,
  brandName: text,
  brandId: text,
  locationId: text,
  posName: text,
  beaconId: text,
  agreementExternalId: text,
  agreementId: text,
  refundId: text,
});
export type ReportedTransaction = z.infer<typeof ReportedTransaction>;

export const ReportedTransfer = z.object({
  id: z.guid(),
  reference: text,
  date: OutsideText,
  totalTransferredAmount: majorAmount(),
  currencyCode: OutsideText,
  paymentPointId: z.guid(),
});
export type ReportedTransfer = z.infer<typeof ReportedTransfer>;

/** `nextPageNumber` null or absent: this page is the last. */
const paging = { pageSize: z.int().nullish(), nextPageNumber: z.int().nullish() };
export const PaymentPointsPage = z.object({
  ...paging,
  paymentPoints: z.array(ReportedPaymentPoint),
});
export const TransactionsPage = z.object({ ...paging, transactions: z.array(ReportedTransaction) });
export const TransfersPage = z.object({ ...paging, transfers: z.array(ReportedTransfer) });
