import type { RefundState, SaleState, SaleStory } from '../../../preload/procedures/refunds.ts';

/** The manager's page of payments and refunds. */
export interface RefundsTexts {
  readonly title: string;
  readonly search: string;
  readonly searchHint: string;
  readonly find: string;
  readonly from: string;
  readonly to: string;
  readonly lane: string;
  readonly allLanes: string;
  readonly clear: string;
  readonly newest: string;
  readonly found: (count: number, more: boolean) => string;
  readonly more: string;
  readonly searching: string;
  readonly nothing: { readonly title: string; readonly body: string };
  readonly notUnderstood: string;
  readonly periodBackwards: string;
  readonly back: string;
  readonly choose: string;
  readonly state: Readonly<Record<SaleState, string>>;
  readonly refundState: Readonly<Record<RefundState, string>>;
  readonly facts: {
    readonly receipt: string;
    readonly order: string;
    readonly payment: string;
    readonly lane: string;
    readonly time: string;
    readonly refunded: string;
    readonly left: string;
    readonly until: string;
    readonly reason: string;
  };
  readonly noPaymentId: string;
  readonly partlyRefunded: (amount: string) => string;
  readonly refundedAtTill: (amount: string) => string;
  readonly partlyRefundedAtTill: (amount: string, part: string) => string;
  readonly refund: string;
  readonly refunds: string;
  /** With the till's address where that is known. */
  readonly byTill: (from: string | null) => string;
  readonly byManager: (name: string) => string;
  readonly story: string;
  readonly ofRefund: string;
  /** After an event that happened several times in a row. */
  readonly repeated: (count: number, last: string) => string;
  readonly event: Readonly<Record<StoryEvent, string>>;
  /** In place of those that tell of the till, where the cashier asked by hand. */
  readonly eventByHand: Readonly<Record<'saleRequested' | 'tillAcknowledged', string>>;
  /** The service's, while it waits; after `event.statusSeen`. */
  readonly status: Readonly<Record<'prepared' | 'initiated' | 'paired' | 'issuedToUser', string>>;
  readonly notRefundable: Readonly<Record<NonNullable<SaleStory['notRefundable']>, string>>;
  /** After `notRefundable.refundOpen`; in place of the first, where only a person can settle it. */
  readonly askAgain: (minutes: number) => string;
  readonly seeToRefund: string;
  readonly dialog: {
    readonly title: (amount: string) => string;
    readonly all: (amount: string) => string;
    readonly part: string;
    readonly howMuch: string;
    readonly amount: string;
    readonly amountHint: (left: string) => string;
    readonly nothing: string;
    readonly why: string;
    readonly reasons: readonly string[];
    readonly other: string;
    readonly note: string;
    readonly chooseReason: string;
    readonly noteHint: string;
    readonly noteNeeded: string;
    readonly noteTooLong: string;
    readonly confirm: (amount: string) => string;
    readonly back: string;
    readonly warning: string;
  };
  readonly refused: Readonly<Record<'invalid' | 'disconnected' | 'actionUsed' | 'laneNotReady' | 'storageFailed' | 'tooLate', string>>;
  readonly cancelRefund: string;
  readonly print: string;
  /** What the customer gets. */
  readonly receipt: Readonly<
    Record<'title' | 'refunded' | 'paid' | 'paidAt' | 'original' | 'number' | 'order' | 'refundOrder' | 'why' | 'by' | 'atTill' | 'keep' | 'scan', string>
  >;
}

/** The journal's events of both machines. */
export type StoryEvent =
  | 'saleRequested'
  | 'createUnknown'
  | 'pointOfSaleBlocked'
  | 'createRepeated'
  | 'created'
  | 'statusSeen'
  | 'stopRequested'
  | 'captureIntended'
  | 'tillAcknowledged'
  | 'cancelIntended'
  | 'attemptFailed'
  | 'captured'
  | 'ended'
  | 'foundLate'
  | 'personNeeded'
  | 'refundRequested';

export const en: RefundsTexts = {
  title: 'Payments and refunds',
  search: 'Find a payment',
  searchHint: 'Amount, receipt number, order id or the end of the payment id; or scan the receipt.',
  find: 'Find',
  from: 'From',
  to: 'To',
  lane: 'Lane',
  allLanes: 'All lanes',
  clear: 'Show all',
  newest: 'Newest first',
  found: (count, more) => (count === 1 && !more ? '1 payment' : `${count}${more ? '+' : ''} payments`),
  more: 'Show more',
  searching: 'Looking through the journal',
  nothing: { title: 'No such payment', body: 'Check the number, or look by day and amount. Payments of other counters are not in this journal.' },
  notUnderstood: 'Type an amount such as 12.50, a receipt number, an order id or its last 8 characters, or at least the last 4 characters of the payment id.',
  periodBackwards: 'The first day is after the last one. Swap them.',
  back: 'Back to the list',
  choose: 'Choose a payment to see its story.',
  state: {
    open: 'Under way',
    capturing: 'Paid, not confirmed',
    cancelling: 'Being cancelled',
    paid: 'Paid',
    notPaid: 'Not paid',
    needsPerson: 'Needs attention',
  },
  refundState: {
    open: 'Under way',
    capturing: 'Refunded, not confirmed',
    cancelling: 'Being cancelled',
    refunded: 'Refunded',
    notRefunded: 'Not refunded',
    needsPerson: 'Needs attention',
  },
  facts: {
    receipt: 'Receipt number',
    order: 'Order id',
    payment: 'Payment id',
    lane: 'Lane',
    time: 'Time',
    refunded: 'Refunded',
    left: 'Left to refund',
    until: 'Refund possible until',
    reason: 'Why',
  },
  noPaymentId: 'none',
  partlyRefunded: (amount) => `${amount} refunded`,
  refundedAtTill: (amount) => `${amount} refunded at the till`,
  partlyRefundedAtTill: (amount, part) => `${amount} refunded, ${part} of it at the till`,
  refund: 'Refund',
  refunds: 'Refunds',
  byTill: (from) => (from === null ? 'asked for at the till' : `asked for at the till (${from})`),
  byManager: (name) => `by ${name}`,
  story: 'What happened',
  ofRefund: 'Refund',
  repeated: (count, last) => `${count} times, last at ${last}`,
  event: {
    saleRequested: 'The till asked for the payment',
    createUnknown: 'The service did not answer',
    pointOfSaleBlocked: 'An earlier payment stood in the way',
    createRepeated: 'The payment was sent once more',
    created: 'The service has it',
    statusSeen: 'State at the service',
    stopRequested: 'Asked to stop',
    captureIntended: 'Decided: the money moves',
    tillAcknowledged: 'The till accepted the result',
    cancelIntended: 'Decided: no money moves',
    attemptFailed: 'An attempt failed; it is repeated',
    captured: 'The service confirmed it',
    ended: 'Ended: no money moved',
    foundLate: 'Appeared at the service later; being cancelled',
    personNeeded: 'Someone must see to it',
    refundRequested: 'Refund requested',
  },
  eventByHand: { saleRequested: 'The cashier asked for the payment, by hand', tillAcknowledged: 'Shown to the cashier' },
  status: {
    prepared: 'prepared',
    initiated: 'waiting for the customer',
    paired: 'customer found',
    issuedToUser: 'on the customer’s phone',
  },
  notRefundable: {
    notPaid: 'Nothing to refund: no money was taken.',
    paymentOpen: 'It is not settled whether money was taken. Once it is, what was paid can be refunded.',
    allRefunded: 'All of it has been refunded.',
    refundOpen: 'The rest is in a refund that is not settled yet. Once it is, what was not refunded can be refunded.',
    tooOld: 'It is more than 90 days old: the service no longer refunds it. Pay the money back another way.',
    laneNotReady: 'Its lane is not ready just now. Try again when it is.',
  },
  askAgain: (minutes) => `Try again in ${minutes} min.`,
  seeToRefund: 'Somebody has to see to that refund first.',
  dialog: {
    title: (amount) => `Refund of a payment of ${amount}`,
    all: (amount) => `All that is left: ${amount}`,
    part: 'A part of it',
    howMuch: 'How much?',
    amount: 'Amount',
    amountHint: (left) => `At most ${left}`,
    nothing: 'Type an amount above zero.',
    why: 'Why?',
    reasons: ['Goods returned', 'Wrong amount', 'Goods faulty', 'Paid twice'],
    other: 'Another reason',
    note: 'The reason',
    chooseReason: 'Choose a reason: it is kept in the journal.',
    noteHint: 'In a few words, at most 200 characters.',
    noteNeeded: 'Type the reason: it is kept in the journal.',
    noteTooLong: 'A reason has at most 200 characters. Shorten it.',
    confirm: (amount) => `Refund ${amount}`,
    back: 'Back',
    warning: 'The money goes back to the customer’s phone. This cannot be undone.',
  },
  refused: {
    invalid: 'That is not possible as it is. Check the amount and the reason.',
    disconnected: 'The connection was lost while the refund was being sent. Send it again: it is refunded only once, however often it is sent.',
    actionUsed: 'This refund has already been sent with another amount. Go back and look at the refunds of this payment before you start again.',
    laneNotReady: 'The lane is not ready just now. Nothing was refunded; try again when it is.',
    storageFailed: 'The refund could not be stored, so nothing was refunded. The disk is full or broken: call support.',
    tooLate: 'Too late: the money is on its way back.',
  },
  cancelRefund: 'Cancel the refund',
  print: 'Print receipt',
  receipt: {
    title: 'Refund receipt',
    refunded: 'Refunded',
    paid: 'Of a payment of',
    paidAt: 'Paid',
    original: 'Receipt number of the payment',
    number: 'Receipt number of the refund',
    order: 'Order id',
    refundOrder: 'Refund id',
    why: 'Reason',
    by: 'Refunded by',
    atTill: 'at the till',
    keep: 'The money is on its way to your phone. Keep this receipt.',
    scan: 'Order id as a code to scan',
  },
};
