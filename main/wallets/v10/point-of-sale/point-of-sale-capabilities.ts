import { type Capabilities, refundDays } from '../../../core/settlement/capabilities.ts';

/** Refunds are reserved and then captured (document 4, sections 1.4 and 1.10). */
export const pointOfSaleCapabilities: Capabilities = {
  refunds: 'twoStep',
  refundDays: refundDays.v10,
  firstRetryMs: 500,
  cancelTellsWhoWasFirst: false,
  keepsRefusals: false,
  listsOpenPayments: true,
  codePerPayment: false,
};
