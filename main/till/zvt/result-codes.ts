import type { NotPaidReason } from '../../primitives/sale.ts';

/** Result codes (ZVT PA00P015, section 10), as far as we send them. */
export const RESULT = {
  ok: 0x00,
  declined: 0x05,
  notOnboarded: 0x6b,
  timeoutOrAbort: 0x6c,
  wrongCurrency: 0x6f,
  functionNotPossible: 0x83,
  parseError: 0x9a,
  pleaseWait: 0x9c,
  noConnection: 0xa3,
  storageFull: 0xb1,
  amountTooHigh: 0xc3,
  amountTooSmall: 0xc8,
  systemError: 0xff,
} as const;

/** The result code and the words that a till shows for each reason. */
export const notPaidResults: Readonly<Record<NotPaidReason, { readonly code: number; readonly text: string }>> = {
  declinedByCustomer: { code: RESULT.declined, text: 'Declined by customer' },
  cancelledByCustomer: { code: RESULT.timeoutOrAbort, text: 'Customer cancelled' },
  cancelledByTill: { code: RESULT.timeoutOrAbort, text: 'Cancelled at the till' },
  cancelledByCashier: { code: RESULT.timeoutOrAbort, text: 'Cancelled by the cashier' },
  cancelledByService: { code: RESULT.declined, text: 'Timed out or card refused' },
  expired: { code: RESULT.timeoutOrAbort, text: 'Reservation expired' },
  timedOut: { code: RESULT.timeoutOrAbort, text: 'Customer took too long' },
  tillGone: { code: RESULT.timeoutOrAbort, text: 'Connection lost' },
  notDelivered: { code: RESULT.timeoutOrAbort, text: 'Result not delivered, not paid' },
  interrupted: { code: RESULT.timeoutOrAbort, text: 'Terminal was restarted' },
  refusedByService: { code: RESULT.systemError, text: 'Refused by the wallet service' },
  notOnboarded: { code: RESULT.notOnboarded, text: 'Not activated for payments' },
  serviceUnreachable: { code: RESULT.noConnection, text: 'No connection to the service' },
  amountMismatch: { code: RESULT.systemError, text: 'Amount differs at the service' },
};
