import type { Category, ExportColumn, ReadProblem, RowKind } from '../../../preload/procedures/reconciliation.ts';

/** The page of reconciliation: what the bank has beside what the journal has. Numbers, amounts and dates come formatted. */
export interface ReconciliationTexts {
  readonly title: string;
  readonly lead: string;
  readonly period: {
    readonly label: string;
    readonly choice: Readonly<Record<'thisMonth' | 'lastMonth' | 'thisYear' | 'lastYear' | 'own', string>>;
    readonly from: string;
    readonly to: string;
    readonly show: string;
    /** A field is not a date. */
    readonly noDate: string;
    readonly wrongOrder: string;
    readonly tooLong: string;
    readonly again: string;
    readonly of: (from: string, to: string) => string;
    readonly asOf: (when: string) => string;
  };
  readonly notSetUp: { readonly title: string; readonly body: string };
  readonly job: {
    readonly reading: string;
    /** How many transfers of how many; how many transactions. */
    readonly readingDetail: (done: string, total: string, transactions: string) => string;
    readonly readingList: string;
    readonly matching: string;
    readonly cancelled: { readonly title: string; readonly body: string };
    readonly failed: { readonly title: string; readonly body: string };
    readonly tryAgain: string;
  };
  readonly problem: Readonly<Record<ReadProblem, { readonly title: string; readonly body: string }>>;
  readonly cards: {
    readonly label: string;
    readonly received: string;
    readonly transfers: (count: number, formatted: string) => string;
    readonly fees: string;
    readonly feesOf: (payments: string) => string;
    readonly matched: string;
    readonly matchedOf: (all: string) => string;
    readonly lookAt: string;
    readonly allWell: string;
    readonly lookAtHint: string;
    readonly unexplained: (amount: string) => string;
    readonly unexplainedBody: string;
  };
  readonly views: string;
  readonly filter: Readonly<Record<Category | 'all' | 'lookAt' | 'transfers', string>>;
  readonly search: string;
  readonly searchHint: string;
  readonly ofTransfer: (reference: string) => string;
  readonly allTransfers: string;
  readonly empty: { readonly lookAt: { readonly title: string; readonly body: string }; readonly none: { readonly title: string; readonly body: string } };
  readonly category: Readonly<Record<Category, { readonly name: string; readonly what: string; readonly next: string }>>;
  readonly kind: Readonly<Record<RowKind, string>>;
  readonly column: Readonly<Record<ExportColumn, string>>;
  readonly noted: (count: number) => string;
  readonly transfer: {
    readonly reference: string;
    readonly date: string;
    readonly total: string;
    readonly transactions: string;
    readonly fees: string;
    readonly lookAt: string;
    readonly addsUp: string;
    readonly doesNotAddUp: string;
  };
  readonly story: {
    readonly title: string;
    readonly bank: string;
    readonly bankNone: string;
    readonly inTransfer: (reference: string, date: string) => string;
    readonly noTransfer: string;
    readonly journal: string;
    readonly journalNone: string;
    readonly paymentId: string;
    readonly notes: string;
    readonly notesNone: string;
    readonly newNote: string;
    readonly newNoteHint: string;
    readonly save: string;
    readonly noteEmpty: string;
    readonly noteSaved: string;
    readonly close: string;
  };
  readonly export: {
    readonly csv: string;
    readonly excel: string;
    /** Of the file and of its sheet. */
    readonly name: string;
    readonly title: string;
    readonly making: (done: string, of: string) => string;
    readonly fetching: string;
    readonly saved: (name: string) => string;
    readonly failed: string;
  };
}

export const en: ReconciliationTexts = {
  title: 'Reconciliation',
  lead: 'What the bank has received, beside what this counter has taken.',
  period: {
    label: 'Period',
    choice: { thisMonth: 'This month', lastMonth: 'Last month', thisYear: 'This year', lastYear: 'Last year', own: 'Choose dates' },
    from: 'From',
    to: 'Up to and including',
    show: 'Show',
    noDate: 'Choose a date.',
    wrongOrder: 'The last day is before the first. Choose a later one.',
    tooLong: 'A period is at most a year. Choose an earlier last day.',
    again: 'Read again',
    of: (from, to) => `${from} to ${to}`,
    asOf: (when) => `As of ${when}`,
  },
  notSetUp: {
    title: 'Reporting is not set up',
    body: 'To reconcile, this counter needs the merchant’s API key for the reporting interface. You get it in the provider’s portal. Put it into the settings as wallet.reportingKey, then come back.',
  },
  job: {
    reading: 'Reading the bank’s reports',
    readingDetail: (done, total, transactions) => `Transfer ${done} of ${total} · ${transactions} transactions`,
    readingList: 'Looking up the transfers of the period',
    matching: 'Comparing with the journal',
    cancelled: { title: 'Stopped', body: 'What was read is kept. The next time it goes on from there.' },
    failed: { title: 'The reports could not be compared', body: 'Try again. Call support if it happens again.' },
    tryAgain: 'Try again',
  },
  problem: {
    unreachable: { title: 'The wallet service does not answer', body: 'You see what was read before. Check the network, then read again.' },
    refused: {
      title: 'The wallet service refused',
      body: 'The API key is not accepted, or may not read reports. You see what was read before. Renew wallet.reportingKey in the settings.',
    },
    unexpected: {
      title: 'The wallet service gave an answer that makes no sense',
      body: 'You see what was read before. Try again later; call support if it happens again.',
    },
  },
  cards: {
    label: 'In short',
    received: 'Received at the bank',
    transfers: (count, formatted) => (count === 1 ? 'in 1 transfer' : `in ${formatted} transfers`),
    fees: 'Fees',
    feesOf: (payments) => `of payments of ${payments}`,
    matched: 'Matched',
    matchedOf: (all) => `of ${all} payments and refunds`,
    lookAt: 'To look at',
    allWell: 'Everything adds up',
    lookAtHint: 'Show them',
    unexplained: (amount) => `${amount} unexplained`,
    unexplainedBody:
      'Some transfers differ from the sum of their transactions. They are marked in the list of transfers. Read again; if it stays, ask the provider.',
  },
  views: 'What to show',
  filter: {
    lookAt: 'To look at',
    bankOnly: 'Only at the bank',
    missing: 'Missing at the bank',
    differs: 'Amount differs',
    waiting: 'Not transferred yet',
    matched: 'Matched',
    fee: 'Fees',
    elsewhere: 'Other counters',
    all: 'All',
    transfers: 'Transfers',
  },
  search: 'Order id',
  searchHint: 'Any part of it',
  ofTransfer: (reference) => `Transfer ${reference}`,
  allTransfers: 'Show all transfers',
  empty: {
    lookAt: { title: 'Nothing to look at', body: 'The bank and the journal agree on every payment of this period.' },
    none: { title: 'Nothing here', body: 'There is nothing of this kind in the period.' },
  },
  category: {
    matched: { name: 'Matched', what: 'The bank and the journal say the same.', next: 'There is nothing to do.' },
    waiting: { name: 'Not transferred', what: 'Paid, and on its way to the bank.', next: 'Transfers are made once a day. Look again in a few days.' },
    missing: {
      name: 'Missing',
      what: 'The journal says that this was paid, but it is in no transfer.',
      next: 'Ask the provider about the order id. Leave a note of what they say.',
    },
    bankOnly: {
      name: 'Only at bank',
      what: 'The bank has this, and the journal of this counter does not have it as paid.',
      next: 'Look for the receipt. If the customer got nothing for it, refund it in the provider’s portal.',
    },
    differs: {
      name: 'Amount differs',
      what: 'The bank has another amount than the journal.',
      next: 'Compare with the receipt, and ask the provider about the order id.',
    },
    fee: { name: 'Fee', what: 'What the provider keeps of a transfer.', next: 'There is nothing to do.' },
    elsewhere: { name: 'Other counter', what: 'A payment at another counter of the same store.', next: 'It is reconciled at that counter.' },
  },
  kind: {
    payment: 'Payment',
    refund: 'Refund',
    transactionFee: 'Transaction fee',
    serviceFee: 'Service fee',
    returned: 'Returned transaction',
    adjustment: 'Adjustment',
    other: 'Other',
  },
  column: {
    category: 'Status',
    kind: 'Kind',
    time: 'Time',
    orderId: 'Order id',
    lane: 'Counter',
    oursAmount: 'Journal',
    bankAmount: 'Bank',
    fee: 'Fee',
    difference: 'Difference',
    currency: 'Currency',
    transferReference: 'Transfer',
    transferTime: 'Transferred',
    notes: 'Notes',
  },
  noted: (count) => (count === 1 ? '1 note' : `${count} notes`),
  transfer: {
    reference: 'Reference',
    date: 'Transferred',
    total: 'Amount',
    transactions: 'Transactions',
    fees: 'Fees',
    lookAt: 'To look at',
    addsUp: 'Adds up',
    doesNotAddUp: 'Does not add up',
  },
  story: {
    title: 'One transaction',
    bank: 'At the bank',
    bankNone: 'The bank has no record of it.',
    inTransfer: (reference, date) => `Transfer ${reference}, ${date}`,
    noTransfer: 'Not transferred yet',
    journal: 'In the journal',
    journalNone: 'The journal of this counter has no record of it.',
    paymentId: 'Payment id',
    notes: 'Notes',
    notesNone: 'No notes yet.',
    newNote: 'New note',
    newNoteHint: 'It is kept for good, with your name.',
    save: 'Save note',
    noteEmpty: 'Write what there is to know.',
    noteSaved: 'The note is saved.',
    close: 'Close',
  },
  export: {
    csv: 'CSV',
    excel: 'Excel',
    name: 'Reconciliation',
    title: 'Making the file',
    making: (done, of) => `${done} of ${of} rows`,
    fetching: 'Fetching the file',
    saved: (name) => `Saved: ${name}`,
    failed: 'The file could not be made. Try again.',
  },
};
