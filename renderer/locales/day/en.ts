/** The manager's page of a day's totals, and the closing reports. */
export interface DayTexts {
  readonly title: string;
  readonly today: string;
  readonly yesterday: string;
  readonly earlier: string;
  readonly later: string;
  readonly day: string;
  readonly lane: string;
  readonly allLanes: string;
  readonly looking: string;
  readonly dayWrong: string;
  readonly nothing: { readonly title: string; readonly body: string };
  readonly totals: string;
  readonly payments: string;
  readonly refunds: string;
  readonly net: string;
  readonly total: string;
  readonly byHour: (currency: string) => string;
  readonly hour: string;
  readonly sum: string;
  readonly open: {
    readonly title: string;
    readonly none: string;
    readonly payment: string;
    readonly refund: string;
    readonly refundAtTill: string;
    /** After the amount, of what nobody has decided yet. */
    readonly underWay: string;
    readonly show: string;
  };
  readonly close: {
    readonly begin: string;
    readonly title: string;
    readonly all: string;
    readonly one: (lane: string) => string;
    readonly from: (time: string, number: number) => string;
    readonly first: string;
    readonly open: (count: number) => string;
    readonly forGood: string;
    readonly confirm: string;
    readonly back: string;
    readonly refused: Readonly<Record<'paymentUnderWay' | 'clockBehind' | 'notFound' | 'disconnected', string>>;
  };
  readonly report: {
    readonly title: (number: number) => string;
    readonly closed: string;
    readonly by: string;
    readonly period: string;
    /** Of the first one. */
    readonly fromBeginning: string;
    readonly signature: string;
    readonly print: string;
    readonly done: (number: number) => string;
  };
  readonly closings: { readonly title: string; readonly none: string; readonly more: string };
}

export const en: DayTexts = {
  title: 'The day',
  today: 'Today',
  yesterday: 'Yesterday',
  earlier: 'One day earlier',
  later: 'One day later',
  day: 'Day',
  lane: 'Lane',
  allLanes: 'All lanes',
  looking: 'Adding up',
  dayWrong: 'Choose a day of the calendar, today or earlier.',
  nothing: { title: 'No payments on this day', body: 'Choose another day, or another lane.' },
  totals: 'Totals',
  payments: 'Payments',
  refunds: 'Refunds',
  net: 'Net',
  total: 'Total',
  byHour: (currency) => `Payments by hour, in ${currency}`,
  hour: 'Hour',
  sum: 'Sum',
  open: {
    title: 'Still open',
    none: 'Nothing is open: every payment and every refund is settled.',
    payment: 'Payment',
    refund: 'Refund',
    refundAtTill: 'Refund at the till',
    underWay: 'is still under way.',
    show: 'Show the payment',
  },
  close: {
    begin: 'Close the day',
    title: 'Close the day?',
    all: 'All lanes',
    one: (lane) => `Only ${lane}`,
    from: (time, number) => `From ${time}, when report ${number} ended, until now.`,
    first: 'From the very beginning until now: no report has been made yet.',
    open: (count) =>
      count === 1 ? 'One amount is still open and is listed in the report as such.' : `${count} amounts are still open and are listed in the report as such.`,
    forGood: 'The report gets the next number and is kept for good. The next closing begins where this one ends.',
    confirm: 'Close and number',
    back: 'Back',
    refused: {
      paymentUnderWay: 'A payment or refund is under way just now. Wait until it has ended, then close again.',
      clockBehind: 'This computer’s clock shows a time before the last closing. Set it right, then close again.',
      notFound: 'There is no such lane any more. Choose another one.',
      disconnected: 'The connection was lost. Try again: if the day is already closed, you will see that report.',
    },
  },
  report: {
    title: (number) => `Closing report ${number}`,
    closed: 'Closed',
    by: 'By',
    period: 'From – to',
    fromBeginning: 'Beginning',
    signature: 'Signature',
    print: 'Print',
    done: (number) => `The day is closed: report ${number}.`,
  },
  closings: { title: 'Closing reports', none: 'No day has been closed yet.', more: 'Show earlier ones' },
};
