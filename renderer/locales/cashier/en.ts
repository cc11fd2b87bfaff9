/** The cashier's screen beside the state of the lane: the last payments, a payment by hand, the way out, the sound. */
export interface CashierTexts {
  readonly recent: {
    readonly title: string;
    readonly none: string;
    readonly paid: string;
    /** The service contradicts what was told. */
    readonly person: string;
    readonly byHand: string;
    readonly refunded: (amount: string) => string;
    readonly receipt: (number: number) => string;
  };
  readonly byHand: {
    readonly title: string;
    readonly lead: string;
    readonly amount: string;
    readonly order: string;
    readonly orderHint: string;
    /** On the button that takes it. */
    readonly take: (amount: string) => string;
    readonly back: string;
    /** In place of what is said of a sale that the till knows. */
    readonly confirming: { readonly what: string; readonly next: string };
    readonly paid: string;
    readonly again: string;
    /** The answer was lost. */
    readonly unanswered: string;
  };
  readonly leave: {
    readonly soon: (seconds: number) => string;
    readonly open: string;
    readonly title: string;
    readonly says: readonly string[];
    readonly stay: string;
    readonly leave: string;
  };
  readonly sound: { readonly mute: string; readonly unmute: string };
}

export const en: CashierTexts = {
  recent: {
    title: 'Last payments',
    none: 'No payments yet.',
    paid: 'Paid',
    person: 'Call support',
    byHand: 'by hand',
    refunded: (amount) => `${amount} refunded`,
    receipt: (number) => `Receipt ${number}`,
  },
  byHand: {
    title: 'Payment by hand',
    lead: 'For when the till cannot start a payment. The till does not hear of this one: enter it there yourself.',
    amount: 'Amount',
    order: 'Order or receipt number (optional)',
    orderHint: 'Typed or scanned, at most 20 characters. It helps to find the payment again.',
    take: (amount) => `Take ${amount}`,
    back: 'Back',
    confirming: { what: 'Approved – one moment', next: 'Keep the goods until this screen says “Paid”.' },
    paid: 'Hand over the goods. The till does not know of it: enter it there.',
    again: 'No money was taken. Start again here, or take payment another way.',
    unanswered: 'No answer came back. Press again: it will not be taken twice.',
  },
  leave: {
    soon: (seconds) => `No answer yet. In ${seconds} s you can leave this payment.`,
    open: 'Leave this payment',
    title: 'Leave without knowing the result?',
    says: [
      'Nobody knows yet whether the customer approved. Do not hand over the goods.',
      'Tillbeacon cancels the payment as soon as the service answers. Until then it stays in sight below.',
      'You can take the next payment at once.',
    ],
    stay: 'Keep waiting',
    leave: 'Leave',
  },
  sound: { mute: 'Turn the sound off', unmute: 'Turn the sound on' },
};
