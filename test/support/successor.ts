import type { Capabilities } from '../../main/domain/settlement/capabilities.ts';

/** What a service of the second kind can do (interface document 5, section 8): it differs from point of sale v10 in each. */
export const successorCapabilities: Capabilities = {
  refunds: 'oneStep',
  refundWindowMs: 365 * 24 * 60 * 60 * 1_000,
  firstRetryMs: 4_000,
  cancelTellsWhoWasFirst: true,
  keepsRefusals: true,
  listsOpenPayments: false,
  codePerPayment: true,
};
