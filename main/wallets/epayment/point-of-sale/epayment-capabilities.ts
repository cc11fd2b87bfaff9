import { type Capabilities, refundDays } from '../../../core/settlement/capabilities.ts';

/**
 * Document 5, sections 2.6, 2.7 and 2.11: a refund is one step and can be asked for a year long;
 * five changes of a payment in a minute.
 */
export const epaymentCapabilities: Capabilities = {
  refunds: 'oneStep',
  refundDays: refundDays.epayment,
  firstRetryMs: 4_000,
  cancelTellsWhoWasFirst: true,
  keepsRefusals: true,
  listsOpenPayments: false,
  codePerPayment: true,
};
