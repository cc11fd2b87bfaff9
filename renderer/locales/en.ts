import type { LaneStateKind, NotPaidReason, NotReadyReason, NotRefundedReason, ServiceKind } from '../../preload/contract.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import type { z } from 'zod';

type Reason = z.infer<typeof NotPaidReason>;
type RefundReason = z.infer<typeof NotRefundedReason>;
type NotReady = z.infer<typeof NotReadyReason>;

/** Everything that a person can read. A language that lacks one does not compile. */
export interface Texts {
  /** In the language itself. */
  readonly languageName: string;
  readonly chooseLanguage: string;
  /** The cashier's one sentence for each state; `paid` and `notPaid` have a second line below. */
  readonly cashier: Readonly<Record<LaneStateKind, string>>;
  /** What to do, under the sentence. */
  readonly cashierHint: Readonly<Record<LaneStateKind, string>>;
  readonly notPaid: Readonly<Record<Reason, { readonly what: string; readonly next: string }>>;
  readonly notRefunded: Readonly<Record<RefundReason, { readonly what: string; readonly next: string }>>;
  /** In place of what follows from an end that the service has not confirmed; `short` after it, in a list. */
  readonly notConfirmed: Readonly<Record<'cancelled' | 'refunded' | 'short', string>>;
  readonly notReady: Readonly<Record<NotReady, { readonly what: string; readonly next: string }>>;
  readonly customer: Readonly<Record<LaneStateKind, string>>;
  readonly steps: { readonly scan: string; readonly found: string; readonly approve: string; readonly paid: string };
  readonly cancel: string;
  readonly cancelKey: string;
  readonly secondsLeft: (seconds: number) => string;
  readonly till: { readonly absent: string; readonly open: string; readonly connected: string };
  /** After the amount. */
  readonly refund: {
    readonly refunding: { readonly what: string; readonly next: string };
    readonly refunded: { readonly what: string; readonly next: string };
    readonly notRefunded: string;
  };
  /** After the amount; `until`: when the service ends it by itself; `person` when it has refused for good. */
  readonly unsettled: Readonly<
    Record<
      'sale' | 'refund',
      Readonly<Record<'capture' | 'cancel', { readonly what: string; readonly until: (at: string) => string; readonly person: (orderId: string) => string }>>
    >
  >;
  readonly callSupport: { readonly later: (at: string) => string; readonly now: (orderId: string) => string };
  readonly journalDamage: { readonly open: string; readonly whole: string; readonly lost: (sales: number) => string };
  readonly disconnected: { readonly what: string; readonly next: string };
  readonly noLane: string;
  /** While the wallet service is no real one. */
  readonly service: Readonly<Record<Exclude<ServiceKind, 'real'>, string>>;
  readonly refusal: Readonly<Record<CounterRefusal, string>>;
  readonly support: string;
  readonly customerIdle: string;
  readonly home: {
    readonly title: string;
    readonly cashier: string;
    readonly cashierNote: string;
    readonly customer: string;
    readonly customerNote: string;
    readonly manager: string;
    readonly managerNote: string;
    readonly setup: string;
    readonly setupNote: string;
    readonly demo: string;
    readonly demoNote: string;
    /** Over the screens that are no lane's own. */
    readonly office: string;
    readonly noLanes: string;
  };
  readonly demo: {
    readonly title: string;
    readonly till: string;
    readonly phone: string;
    readonly screens: string;
    readonly pay: string;
    readonly abort: string;
    readonly clear: string;
    readonly keys: { readonly register: string; readonly status: string; readonly repeatReceipt: string; readonly diagnosis: string; readonly logOff: string };
    readonly receipt: string;
    readonly log: string;
    readonly sent: string;
    readonly received: string;
    readonly tillReady: string;
    readonly phoneState: Readonly<Record<'away' | 'checkedIn' | 'asked' | 'approved' | 'refused', string>>;
    readonly scan: string;
    readonly approve: string;
    readonly refuse: string;
    readonly walkAway: string;
    readonly notInDemo: string;
  };
}

export const en: Texts = {
  languageName: 'English',
  chooseLanguage: 'Language',
  cashier: {
    notReady: 'Not ready',
    idle: 'Ready',
    contactingService: 'Starting the payment',
    waitingForCustomer: 'Ask the customer to scan the code',
    customerFound: 'Customer found',
    approveInApp: 'Customer must approve in the app',
    confirming: 'Approved – telling the till',
    cancelling: 'Cancelling',
    paid: 'Paid',
    notPaid: 'Not paid',
  },
  cashierHint: {
    notReady: '',
    idle: 'Start the payment on the till.',
    contactingService: 'One moment.',
    waitingForCustomer: 'The code is on the customer display and here.',
    customerFound: 'The amount is on its way to the phone.',
    approveInApp: 'The amount is on the phone.',
    confirming: 'Keep the goods until the till says paid.',
    cancelling: 'If the customer was faster, it still ends as paid.',
    paid: 'Hand over the goods.',
    notPaid: '',
  },
  notPaid: {
    declinedByCustomer: { what: 'The customer declined', next: 'Start again on the till, or take payment another way.' },
    cancelledByCustomer: { what: 'The customer cancelled', next: 'Start again on the till, or take payment another way.' },
    cancelledByTill: { what: 'Cancelled at the till', next: 'No money was taken.' },
    cancelledByCashier: { what: 'Cancelled at the till', next: 'No money was taken.' },
    leftByCashier: {
      what: 'Left without an answer',
      next: 'It is not known whether the customer approved. Do not hand over the goods: the payment is cancelled as soon as the service answers.',
    },
    cancelledByService: { what: 'Timed out or card refused', next: 'Try again, or take payment another way.' },
    expired: { what: 'The reservation ran out', next: 'No money was taken. Start again on the till.' },
    timedOut: { what: 'The customer took too long', next: 'No money was taken. Start again on the till.' },
    tillGone: { what: 'The till hung up', next: 'The payment was cancelled. Check the till, then start again.' },
    notDelivered: { what: 'The till never accepted the result', next: 'The reservation is cancelled. Do not hand over the goods.' },
    interrupted: { what: 'The terminal was restarted', next: 'The payment was cancelled. Start again on the till.' },
    refusedByService: { what: 'The wallet service refused', next: 'Take payment another way. Call support if it happens again.' },
    notOnboarded: { what: 'This store is not activated', next: 'Take payment another way and call support.' },
    serviceUnreachable: { what: 'No connection to the wallet service', next: 'No money was taken. Take payment another way.' },
    amountMismatch: { what: 'The service reserved a different amount', next: 'The reservation is cancelled. Call support.' },
    unclear: { what: 'The service contradicts this terminal', next: 'Money may have been taken. Do not hand over the goods; call support.' },
  },
  notRefunded: {
    notCaptured: { what: 'The payment is not finished yet', next: 'Try again in a few minutes.' },
    currencyDiffers: { what: 'The payment was in another currency', next: 'Pay the money back another way.' },
    tooOld: { what: 'The payment is more than 90 days old', next: 'Pay the money back another way.' },
    amountTooHigh: { what: 'More than is left to refund', next: 'Refund at most what is left of the payment.' },
    balanceTooLow: { what: 'The store’s balance does not cover it', next: 'Try again later, or pay the money back another way.' },
    refusedByService: { what: 'The wallet service refused', next: 'Pay the money back another way. Call support if it happens again.' },
    notOnboarded: { what: 'This store may not refund this payment', next: 'Pay the money back another way and call support.' },
    serviceUnreachable: { what: 'No connection to the wallet service', next: 'Nothing was refunded. Try again later.' },
    cancelledByTill: { what: 'Cancelled at the till', next: 'Nothing was refunded.' },
    cancelledByManager: { what: 'Cancelled by the manager', next: 'Nothing was refunded.' },
    cancelledByService: { what: 'The wallet service ended the refund', next: 'Nothing was refunded. Start again.' },
    timedOut: { what: 'The wallet service took too long', next: 'Nothing was refunded. Start again.' },
    tillGone: { what: 'The till hung up', next: 'Nothing was refunded. Check the till, then start again.' },
    notDelivered: { what: 'The till never accepted the result', next: 'Nothing was refunded. Check the till, then start again.' },
    interrupted: { what: 'The terminal was restarted', next: 'Nothing was refunded. Start again.' },
    unclear: { what: 'The service contradicts this terminal', next: 'The money may have gone back. Do not pay it back again; call support.' },
  },
  notConfirmed: {
    cancelled: 'It is being cancelled; the service has not confirmed it yet.',
    refunded: 'It is being paid out; the service has not confirmed it yet.',
    short: 'not confirmed yet',
  },
  notReady: {
    starting: { what: 'Starting', next: 'One moment.' },
    settlingOpenPayments: { what: 'Finishing earlier payments', next: 'New payments can start as soon as the service has answered.' },
    serviceUnreachable: { what: 'No connection to the wallet service', next: 'Check the internet connection. It connects by itself when it is back.' },
    credentialsRefused: {
      what: 'The wallet service does not accept our credentials',
      next: 'Call support: the client id or client secret is wrong or has expired.',
    },
    pointOfSaleRefused: {
      what: 'The wallet service refuses this point of sale',
      next: 'Call support: the store or the point of sale is not set up correctly.',
    },
    storageFailed: { what: 'Payments cannot be stored', next: 'The disk is full or broken. Call support.' },
    tillPortFailed: { what: 'The till cannot be reached', next: 'Check the cable to the till.' },
  },
  customer: {
    notReady: 'One moment, please',
    idle: 'Welcome',
    contactingService: 'One moment, please',
    waitingForCustomer: 'Scan to pay',
    customerFound: 'Found you',
    approveInApp: 'Approve in the app',
    confirming: 'Approved',
    cancelling: 'Cancelling',
    paid: 'Thank you',
    notPaid: 'Not paid',
  },
  steps: { scan: 'Scan', found: 'Found', approve: 'Approve', paid: 'Paid' },
  cancel: 'Cancel',
  cancelKey: 'Esc',
  secondsLeft: (seconds) => `${seconds} s left`,
  till: { absent: 'Till: no cable', open: 'Till: waiting for it', connected: 'Till: connected' },
  refund: {
    refunding: { what: 'is being refunded', next: 'One moment.' },
    refunded: { what: 'is refunded', next: 'The customer has the money back on the phone.' },
    notRefunded: 'is not refunded',
  },
  journalDamage: {
    open: 'The payment journal on this computer is damaged. Restart Tillbeacon when no payment is under way; call support.',
    whole: 'The payment journal on this computer was damaged and is repaired. Nothing was lost. Tell support.',
    lost: (sales) =>
      `The payment journal on this computer was damaged. ${sales === 1 ? 'One payment' : `${sales} payments`} could not be read: call support before refunding anything.`,
  },
  unsettled: {
    sale: {
      capture: {
        what: 'is paid; the service has not confirmed it yet. Tillbeacon keeps trying.',
        until: (at) => `The money stays reserved until ${at}.`,
        person: (orderId) =>
          `was reported to the till as paid, but the reservation is gone. If you can, take payment another way; call support and quote order ${orderId}.`,
      },
      cancel: {
        what: 'is being cancelled; the service has not confirmed it yet. Tillbeacon keeps trying.',
        until: (at) => `The reservation lapses by itself by ${at}.`,
        person: (orderId) => `was taken although the till was told “not paid”. It must be refunded: call support and quote order ${orderId}.`,
      },
    },
    refund: {
      capture: {
        what: 'is refunded; the service has not confirmed it yet. Tillbeacon keeps trying.',
        until: (at) => `The service pays it out by itself by ${at}.`,
        person: (orderId) =>
          `was reported as refunded, but the service has ended it. The customer has not got the money back: call support and quote refund ${orderId}.`,
      },
      cancel: {
        what: 'is not refunded; the service has not confirmed that yet. Tillbeacon keeps trying.',
        until: (at) => `Without confirmation, the service would pay it out on ${at}.`,
        person: (orderId) => `was refunded although it was cancelled here. Do not pay it back again: call support and quote refund ${orderId}.`,
      },
    },
  },
  callSupport: { later: (at) => `If this is still here at ${at}, call support.`, now: (orderId) => `Call support and quote ${orderId}.` },
  disconnected: { what: 'No connection to the terminal', next: 'This screen comes back by itself.' },
  noLane: 'There is no such lane here.',
  service: {
    simulated: 'Simulated service: no money moves',
    test: 'Test service',
    testUnchecked: 'Test service: its certificates are not checked',
  },
  refusal: {
    unknownLane: 'There is no such lane.',
    unknownSale: 'This payment has already ended.',
    tooLate: 'Too late: the customer was faster, it ends as paid.',
    tooEarly: 'The service may still answer. Wait a moment longer.',
    busy: 'Another payment or refund is under way. Wait until it has ended.',
    notReady: 'No payments can be taken just now.',
    amountTooSmall: 'Type an amount first.',
    amountTooHigh: 'The amount is too large.',
    orderText: 'At most 20 characters, and only letters, digits and common punctuation.',
    actionUsed: 'This was already used for another payment. Start again.',
    storageFailed: 'The payment cannot be stored: nothing has begun. The disk is full or broken; call support.',
    notInDemo: 'Only in the demonstration.',
    invalid: 'That is not possible.',
    failed: 'That did not work.',
  },
  support: 'For support',
  customerIdle: 'Pay with your phone here',
  home: {
    title: 'Choose a screen',
    cashier: 'Cashier',
    cashierNote: 'The payment at a glance',
    customer: 'Customer',
    customerNote: 'The code to scan',
    manager: 'Manager',
    managerNote: 'Refunds, the day, reconciliation, health',
    setup: 'Setup',
    setupNote: 'Wallet service, store, till, a test payment',
    demo: 'Demonstration',
    demoNote: 'A till and a phone to try out',
    office: 'Manager and installer',
    noLanes: 'There is no lane here yet. Start with the setup: it takes a few minutes.',
  },
  demo: {
    title: 'Demonstration',
    till: 'Till',
    phone: 'Customer’s phone',
    screens: 'Screens',
    pay: 'Pay',
    abort: 'Abort',
    clear: 'C',
    keys: { register: 'Register', status: 'Status', repeatReceipt: 'Repeat receipt', diagnosis: 'Diagnosis', logOff: 'Log off' },
    receipt: 'Receipt',
    log: 'On the wire',
    sent: 'Till',
    received: 'Terminal',
    tillReady: 'Ready',
    phoneState: { away: 'Hold the phone to the code', checkedIn: 'Checked in', asked: 'Approve the payment?', approved: 'Approved', refused: 'Declined' },
    scan: 'Scan the code',
    approve: 'Approve',
    refuse: 'Decline',
    walkAway: 'Walk away',
    notInDemo: 'This daemon serves real tills. Start the demonstration with: npm start',
  },
};
