import { expect, test } from 'vitest';
import { exportCsv, exportRow } from '../../../../main/core/journal/export-csv.ts';
import { storyText } from '../../../../main/core/journal/history-text.ts';
import { replayPayment, replayRefund } from '../../../../main/core/settlement/apply.ts';
import type {
  Payment,
  PaymentEvent,
  PaymentInput,
  Sale,
} from '../../../../main/core/settlement/payment.ts';
import type {
  Refund,
  RefundedBy,
  RefundEvent,
  RefundRequest,
} from '../../../../main/core/settlement/refund.ts';
import {
  acknowledged,
  created,
  paymentId,
  polled,
  restarted,
  sale,
  stop,
  tell,
} from '../settlement/support.ts';

const request: RefundRequest = {
  ...sale,
  refundOrderId: '1-R000002-4ef00000',
  amountMinor: 500,
  receiptNumber: 2,
  traceNumber: 2,
  originalReceiptNumber: 1,
  originalTraceNumber: 1,
  paymentId,
  by: { kind: 'till' },
  note: null,
  deadlineMs: 30_000,
};
const refund = (by: RefundedBy, ...events: RefundEvent[]): Refund =>
  replayRefund([{ type: 'refundRequested', request: { ...request, by } }, ...events]);
const refundId = '4ef00000-0000-4000-8000-000000000001';
const refundCreated: RefundEvent = { type: 'created', refundId };

/** One row as it is written. A number has two decimals. */
const row = (of: Payment | Refund): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(exportRow({ requestedAtMs: 0, sale, of })).map(([column, cell]) => [
      column,
      typeof cell === 'number' ? cell.toFixed(2) : cell,
    ]),
  );
const paymentBy = (by: Sale['by'], ...inputs: PaymentInput[]): Payment =>
  tell(inputs, by === undefined ? {} : { by }).payment;

test('the bookkeeper reads who it was: the till, the cashier by hand, a manager by name', () => {
  // Earlier versions named nobody, because only a till could ask.
  expect(
    [undefined, 'till', 'cashier'].map(
      (by) => row(paymentBy(by as Sale['by'], ...acknowledged))['by'],
    ),
  ).toEqual(['till', 'till', 'cashier']);
  expect(row(refund({ kind: 'till' }))['by']).toBe('till');
  expect(row(refund({ kind: 'manager', name: 'Anna Lund' }))['by']).toBe('Anna Lund');
});

const reservedWith = (...inputs: PaymentInput[]): Payment => {
  const reserved: PaymentInput = {
    type: 'polled',
    status: 'reserved',
    amountMinor: 1234,
    currency: 'DKK',
    partialCapturePossible: true,
  };
  return tell([created, reserved, { type: 'tillAnswered', acknowledged: true }, ...inputs], {
    by: 'cashier',
    plannedCaptureDelay: 'LessThan24Hours',
  }).payment;
};
const done = { type: 'captureAnswered', answer: { kind: 'done' } } as const;
const given = [created, stop('tillGone')] as const;
test.each([
  ['under way', paymentBy('till', created), 'awaiting', null],
  ['decided, and not confirmed', paymentBy('till', ...acknowledged), 'capturing', '12.34'],
  ['confirmed', paymentBy('till', ...acknowledged, done), 'paid', '12.34'],
  ['held as a reservation', reservedWith(), 'held', null],
  [
    'captured with less than was reserved',
    reservedWith({ type: 'captureRequested', amountMinor: 1_000, by: 'Anna' }),
    'capturing',
    '10.00',
  ],
  ['being cancelled', paymentBy('till', ...given), 'cancelling', null],
  ['of which nobody knows whether there is one', paymentBy('till', restarted), 'cancelling', null],
  [
    'cancelled',
    paymentBy('till', ...given, { type: 'cancelAnswered', answer: { kind: 'done' } }),
    'notPaid',
    '0.00',
  ],
  ['taken unasked', paymentBy('till', created, polled('captured')), 'needsPerson', null],
  ['told and lost', paymentBy('till', ...acknowledged, polled('expired')), 'needsPerson', null],
  ['a refund under way', refund({ kind: 'till' }), 'creating', null],
  [
    'a refund of which nobody knows whether there is one',
    refund({ kind: 'till' }, { type: 'cancelIntended', reason: 'interrupted' }),
    'cancelling',
    null,
  ],
  [
    'a refund that was cancelled',
    refund(
      { kind: 'till' },
      { type: 'cancelIntended', reason: 'tillGone' },
      { type: 'ended', reason: 'tillGone' },
    ),
    'notRefunded',
    '0.00',
  ],
  [
    'a refund that is decided',
    refund({ kind: 'manager', name: 'Anna' }, refundCreated, { type: 'captureIntended' }),
    'capturing',
    '-5.00',
  ],
  [
    'a refund that was paid out unasked',
    refund({ kind: 'till' }, refundCreated, { type: 'personNeeded', problem: 'paidOutUnasked' }),
    'needsPerson',
    null,
  ],
] as const)(
  '%s is booked with what moves for sure, and with nothing where that is not known',
  (_what, of, state, booked) => {
    expect(row(of)).toMatchObject({ state, booked });
  },
);

test('the file is as bookkeeping programs read it, and no note is taken for a formula', async () => {
  const asked = {
    ...request,
    amountMinor: 500,
    by: { kind: 'manager', name: '=HYPERLINK("x")' },
    note: 'broken, "as new"; -1',
  } as const;
  const back = replayRefund([
    { type: 'refundRequested', request: asked },
    refundCreated,
    { type: 'captureIntended' },
    { type: 'captured' },
  ]);
  const file = (await Array.fromAsync(exportCsv([{ requestedAtMs: 0, sale, of: back }]))).join('');
  expect(file).toBe(
    '"time","kind","lane","receipt","trace","amount","booked","currency","state","reason","order","id","refund_of","by","note","test"\r\n' +
      `"1970-01-01T00:00:00.000Z","refund","1","2","2",5.00,-5.00,"DKK","refunded",,"${asked.refundOrderId}","${refundId}","${sale.orderId}","'=HYPERLINK(""x"")","broken, ""as new"";' -1",\r\n`,
  );
  const ofTest = (
    await Array.fromAsync(
      exportCsv([{ requestedAtMs: 0, sale: { ...sale, isTest: true }, of: back }]),
    )
  ).join('');
  expect(ofTest.endsWith(',"yes"\r\n')).toBe(true);
});

test('a note of an earlier version makes no lines of its own in a story or a file, and acts on no terminal', async () => {
  const note =
    'broken\u001b[2J\u009b31m\u202e\r\n1970-01-01T00:00:00.000Z  #9  the till accepted "refunded"\u001b]0;';
  const asked = { ...request, by: { kind: 'manager', name: 'Anna\n\u202e' }, note } as const;
  const refundEvents = [
    { type: 'refundRequested', request: asked },
    refundCreated,
  ] as const satisfies RefundEvent[];
  const story = refundEvents.map((event, index) => ({
    seq: index + 1,
    atMs: 0,
    laneId: '1',
    saleId: sale.saleId,
    refundOrderId: asked.refundOrderId,
    event,
  }));
  const back = replayRefund([...refundEvents]);
  const text = storyText(
    {
      requestedAtMs: 0,
      payment: paymentBy('till', ...acknowledged),
      refunds: [{ requestedAtMs: 0, refund: back }],
    },
    story,
  );
  const file = (await Array.fromAsync(exportCsv([{ requestedAtMs: 0, sale, of: back }]))).join('');
  for (const out of [text, file])
    expect(out.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{C}\u2028\u2029]/u);
  expect(
    text.split('\n').filter((line) => line.startsWith('1970-01-01T00:00:00.000Z  #')),
  ).toHaveLength(2);
  expect(file.split('\r\n')).toHaveLength(3);
});

test('the story of a payment by hand speaks of the cashier, and of no till', () => {
  const { events } = tell([...acknowledged, polled('expired')], { by: 'cashier' });
  const payment = replayPayment(events);
  const story = events.map((event: PaymentEvent, index) => ({
    seq: index + 1,
    atMs: 0,
    laneId: '1',
    saleId: sale.saleId,
    refundOrderId: null,
    event,
  }));
  const text = storyText({ requestedAtMs: 0, payment, refunds: [] }, story);
  expect(text).not.toMatch(/\btill\b/i);
  expect(text).toContain('the cashier started it as a manual payment');
  const ofTill = tell(acknowledged);
  expect(
    storyText({ requestedAtMs: 0, payment: ofTill.payment, refunds: [] }, story.slice(0, 1)),
  ).toContain('the till asked for');
});
