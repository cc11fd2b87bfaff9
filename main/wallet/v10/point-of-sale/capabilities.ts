import type { Capabilities } from '../../../domain/settlement/capabilities.ts';

/** Refunds are reserved and then captured, for 90 days after the payment (document 4, sections 1.4 and 1.10). */
export const pointOfSaleCapabilities: Capabilities = {
  refunds: 'twoStep',
  refundWindowMs: 90 * 24 * 60 * 60 * 1_000,
  firstRetryMs: 500,
  cancelTellsWhoWasFirst: false,
  keepsRefusals: false,
  listsOpenPayments: true,
  codePerPayment: false,
};
