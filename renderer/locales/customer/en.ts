import type { LaneStateKind } from '../../../preload/contract.ts';

/** The customer's screen, beside the sentence of each state. */
export interface CustomerTexts {
  /** Over the steps, for screen readers. */
  readonly payment: string;
  /** Under the invitation, while nobody pays. */
  readonly idle: string;
  /** Before there is an amount. */
  readonly scan: { readonly what: string; readonly next: string };
  readonly checkedIn: { readonly what: string; readonly next: string };
  /** What to do, under the sentence. */
  readonly hint: Readonly<Record<Exclude<LaneStateKind, 'idle' | 'notReady'>, string>>;
}

export const en: CustomerTexts = {
  payment: 'Your payment',
  idle: 'Tell us when you want to pay, then scan the code shown here.',
  scan: { what: 'Scan to check in', next: 'The amount then appears on your phone.' },
  checkedIn: { what: 'Checked in', next: 'The amount will appear on your phone.' },
  hint: {
    contactingService: 'Your payment is being prepared.',
    waitingForCustomer: 'Point your phone’s camera, or your payment app, at the code.',
    customerFound: 'The amount is on its way to your phone.',
    approveInApp: 'Check the amount on your phone and approve it.',
    confirming: 'One moment, we are telling the till.',
    cancelling: 'The payment is being stopped.',
    paid: 'Your payment has gone through.',
    notPaid: 'Please ask at the till.',
  },
};
