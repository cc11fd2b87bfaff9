/**
 * The four queries of the reporting interface v3 (interface document 3, "Reporting (v3)"; document
 * 4, section 5). They change nothing.
 */
import { defineOperation } from '../../http/operation.ts';
import { reportingInterface } from '../v10-interfaces.ts';
import {
  PaymentPointsPage,
  PaymentPointsQuery,
  ReportedTransfer,
  TransactionsPage,
  TransactionsQuery,
  TransfersPage,
  TransfersQuery,
} from './reporting-schemas.ts';

const source = 'interface document 3, "Reporting (v3)"; document 4, section 5';
/** "Return 400 on invalid queries", without a code (interface document 3, "Errors"). */
const refusals = { 400: [] };

export const listReportedPaymentPoints = defineOperation({
  name: 'listReportedPaymentPoints',
  says: 'Lists the payment points of the merchant, of all products.',
  interface: reportingInterface,
  method: 'GET',
  path: '/paymentpoints',
  query: PaymentPointsQuery,
  answer: PaymentPointsPage,
  refusals,
  source,
});

export const listReportedTransactions = defineOperation({
  name: 'listReportedTransactions',
  says: 'Lists payments, refunds, fees and transfers, by period, payment point or transfer.',
  interface: reportingInterface,
  method: 'GET',
  path: '/transactions',
  query: TransactionsQuery,
  answer: TransactionsPage,
  refusals,
  source,
});

export const listReportedTransfers = defineOperation({
  name: 'listReportedTransfers',
  says: "Lists the transfers to the merchant's bank, by day, payment point or reference.",
  interface: reportingInterface,
  method: 'GET',
  path: '/transfers',
  query: TransfersQuery,
  answer: TransfersPage,
  refusals,
  source,
});

export const getReportedTransfer = defineOperation({
  name: 'getReportedTransfer',
  says: "Reads one transfer to the merchant's bank.",
  interface: reportingInterface,
  method: 'GET',
  path: '/transfers/{transferId}',
  answer: ReportedTransfer,
  refusals: { 400: [], 404: [] },
  source,
});

export const reportingOperations = [
  listReportedPaymentPoints,
  listReportedTransactions,
  listReportedTransfers,
  getReportedTransfer,
] as const;
