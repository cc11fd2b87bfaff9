import { afterEach, beforeEach, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import {
  type AgreementState,
  catchUp,
  type FallbackReads,
  type PaymentState,
  type ReadState,
} from '../../../../main/wallets/callbacks/catch-up.ts';
import type { Kind } from '../../../../main/wallets/callbacks/callback-record.ts';
import {
  agreement,
  Callbacks,
  id,
  invoice,
  notification,
  payment,
  refund,
} from './callbacks-support.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The service's state as the reads see it. */
class Books {
  readonly agreements: AgreementState[] = [];
  readonly payments = new Map<string, PaymentState[]>();
  readonly oneOffs = new Map<string, PaymentState[]>();
  readonly refunds = new Map<string, ReadState[]>();
  readonly invoices: ReadState[] = [];
  readonly appPayments: ReadState[] = [];
  readonly asked: string[] = [];

  reads(): Mutable<Required<FallbackReads>> {
    const note = <Answer>(what: string, answer: Answer): Promise<Answer> => {
      this.asked.push(what);
      return Promise.resolve(answer);
    };
    const one = <State extends ReadState>(states: readonly State[] | undefined, wanted: string) =>
      states?.find((state) => state.id === wanted) ?? null;
    return {
      subscriptions: {
        agreements: (page) =>
          note(`agreements ${page}`, this.agreements.slice((page - 1) * 2, page * 2)),
        agreement: (agreementId) => note('agreement', one(this.agreements, agreementId)),
        payments: (agreementId) => note('payments', this.payments.get(agreementId) ?? []),
        payment: (agreementId, paymentId) =>
          note('payment', one(this.payments.get(agreementId), paymentId)),
        oneOffs: (agreementId) => note('oneOffs', this.oneOffs.get(agreementId) ?? []),
        oneOff: (agreementId, paymentId) =>
          note('oneOff', one(this.oneOffs.get(agreementId), paymentId)),
        refunds: (_agreementId, paymentId) => note('refunds', this.refunds.get(paymentId) ?? []),
      },
      invoice: (invoiceId) => note('invoice', one(this.invoices, invoiceId)),
      appPayment: (paymentId) => note('appPayment', one(this.appPayments, paymentId)),
    };
  }
}

let callbacks: Callbacks;
let books: Books;
beforeEach(async () => {
  callbacks = await new Callbacks().start();
  books = new Books();
});
afterEach(() => callbacks.stop());

const hour = 3_600_000;
const run = (reads: FallbackReads = books.reads()) =>
  catchUp({
    reads,
    store: callbacks.store,
    sinceMs: callbacks.clock.startedAtMs - hour,
    clock: callbacks.clock,
  });
const says = (of: string, status: string, more: object = {}) => ({
  id: of,
  status,
  raw: { status },
  ...more,
});
const state = (kind: Kind, of: string) => {
  const found = callbacks.store.state(kind, of);
  return found === null ? null : [found.record.status, found.origin];
};
const news = () => callbacks.store.since(0).filter(({ origin }) => origin === 'read');

test('what became final while nobody listened is read, each by its own operation, and stored as read', async () => {
  const [a, p, o, r, i, w] = [id(), id(), id(), id(), id(), id()];
  await callbacks.post('agreements', agreement({ agreement_id: a }));
  await callbacks.post('subscription-payments', [
    payment({ payment_id: p, agreement_id: a, status: 'Suspended' }),
    payment({ payment_id: o, agreement_id: a, payment_type: 'OneOff', status: 'Reserved' }),
  ]);
  await callbacks.post('refunds', refund({ refund_id: r, agreement_id: a, payment_id: p }));
  await callbacks.post('invoices', invoice({ InvoiceId: i }));
  await callbacks.post('app-payments', notification({}, { id: w }));
  await callbacks.clock.pass(hour);

  books.agreements.push(says(a, 'Canceled'));
  books.payments.set(a, [
    says(p, 'Executed', { amountMinor: minorUnits(1250), currency: 'DKK', externalId: 'order-1' }),
  ]);
  books.oneOffs.set(a, [says(o, 'Expired')]);
  books.refunds.set(p, [says(id(), 'Issued'), says(r, 'Declined')]);
  books.invoices.push(says(i, 'Paid'));
  books.appPayments.push(says(w, 'captured'));
  const result = await run();

  expect([
    state('agreement', a),
    state('payment', p),
    state('oneOff', o),
    state('refund', r),
    state('invoice', i),
    state('appPayment', w),
  ]).toEqual([
    ['canceled', 'read'],
    ['executed', 'read'],
    ['expired', 'read'],
    ['declined', 'read'],
    ['paid', 'read'],
    ['captured', 'read'],
  ]);
  expect(result).toMatchObject({ unknown: [], failed: [] });
  expect(books.asked.toSorted()).toEqual([
    'agreements 1',
    'agreements 2',
    'appPayment',
    'invoice',
    'oneOff',
    'payment',
    'refunds',
  ]);
  expect(callbacks.store.state('payment', p)?.record).toMatchObject({
    amountMinor: 1250,
    currency: 'DKK',
    agreementId: a,
    raw: '{"status":"Executed"}',
  });
});

test('what is still the same leaves no trace, and a second catch-up stores nothing', async () => {
  const [a, i] = [id(), id()];
  await callbacks.post('agreements', agreement({ agreement_id: a, status: 'Active' }));
  await callbacks.post('invoices', invoice({ InvoiceId: i, Status: 'ACCEPTED' }));
  books.agreements.push(says(a, 'Accepted'));
  books.invoices.push(says(i, 'accepted'));
  expect(await run()).toMatchObject({ stored: 0 });
  expect(await run()).toMatchObject({ stored: 0 });
  expect(news()).toEqual([]);
});

test('agreements that nobody ever told us about are found in the lists, page by page, with their payments', async () => {
  const [a, b, c, p, o] = [id(), id(), id(), id(), id()];
  books.agreements.push(says(a, 'Accepted'), says(b, 'Pending'), says(c, 'Rejected'));
  books.payments.set(a, [says(p, 'Failed', { dueDate: '2026-11-20' })]);
  books.oneOffs.set(a, [says(o, 'Reserved')]);
  expect(await run()).toMatchObject({ requests: 5, stored: 5 });
  expect([state('agreement', b), state('payment', p), state('oneOff', o)]).toEqual([
    ['pending', 'read'],
    ['failed', 'read'],
    ['reserved', 'read'],
  ]);
});

test('payments of agreements that ended meanwhile are read; of those that ended before they are not', async () => {
  const { startedAtMs } = callbacks.clock;
  const ended = (ms: number) =>
    says(id(), 'Canceled', { canceledAt: new Date(startedAtMs - ms).toISOString() });
  books.agreements.push(ended(hour), ended(hour + 1));
  await run();
  expect(books.asked.filter((what) => what === 'payments')).toHaveLength(1);
});

test('payments that were over long before are left where they are, unless they are open here', async () => {
  const [a, old, recent, open] = [id(), id(), id(), id()];
  await callbacks.post(
    'subscription-payments',
    payment({ payment_id: open, agreement_id: a, status: 'Suspended' }),
  );
  books.agreements.push(says(a, 'Accepted'));
  books.payments.set(a, [
    says(old, 'Executed', { dueDate: '2026-11-15' }),
    says(recent, 'Executed', { dueDate: '2026-11-17' }),
    says(open, 'Failed', { dueDate: '2026-01-01' }),
  ]);
  await run();
  expect([state('payment', old), state('payment', recent), state('payment', open)]).toEqual([
    null,
    ['executed', 'read'],
    ['failed', 'read'],
  ]);
  expect(books.asked).not.toContain('payment');
});

test('a callback that arrives while a read is on its way is not overwritten by it', async () => {
  const w = id();
  await callbacks.post('app-payments', notification({}, { id: w }));
  const reads = books.reads();
  reads.appPayment = async () => {
    await callbacks.clock.pass(1_000);
    await callbacks.post(
      'app-payments',
      notification(
        {
          eventType: 'payment.expired',
          eventDate: new Date(callbacks.clock.wallMs()).toISOString(),
        },
        { id: w },
      ),
    );
    return says(w, 'initiated');
  };
  await run(reads);
  expect(state('appPayment', w)).toEqual(['expired', 'callback']);
});

test('a callback that was on its way all the time does not overwrite what was read; the same news is no change', async () => {
  const i = id();
  await callbacks.post('invoices', invoice({ InvoiceId: i, Date: '2026-11-21T08:00:00Z' }));
  books.invoices.push(says(i, 'Paid'));
  await run();
  await callbacks.post(
    'invoices',
    invoice({ InvoiceId: i, Status: 'Accepted', Sequence: 1, Date: '2026-11-21T08:30:00Z' }),
  );
  await callbacks.post(
    'invoices',
    invoice({ InvoiceId: i, Status: 'Paid', Sequence: 2, Date: '2026-11-21T08:31:00Z' }),
  );
  expect(callbacks.store.state('invoice', i)?.record.status).toBe('paid');
  expect(callbacks.store.since(0).map(({ record, changed }) => [record.status, changed])).toEqual([
    ['created', true],
    ['paid', true],
    ['accepted', false],
    ['paid', false],
  ]);
});

test('what was read holds from the moment of asking: a callback of an earlier end does not overwrite it, one of a later end does', async () => {
  const i = id();
  await callbacks.post('invoices', invoice({ InvoiceId: i, Date: '2026-11-21T08:00:00Z' }));
  books.invoices.push(says(i, 'Accepted'));
  await run();
  const late = (about: object) => callbacks.post('invoices', invoice({ InvoiceId: i, ...about }));
  await late({ Status: 'Rejected', Sequence: 1, Date: '2026-11-21T08:59:59Z' });
  expect(state('invoice', i)).toEqual(['accepted', 'read']);
  await late({ Status: 'Paid', Sequence: 4, Date: '2026-11-21T09:00:01Z' });
  expect(state('invoice', i)).toEqual(['paid', 'callback']);
});

test('a read is the word of now: it corrects an end that was wrong', async () => {
  const [a, o] = [id(), id()];
  await callbacks.post(
    'subscription-payments',
    payment({ payment_id: o, agreement_id: a, payment_type: 'OneOff', status: 'Rejected' }),
  );
  books.agreements.push(says(a, 'Accepted'));
  books.oneOffs.set(a, [says(o, 'Captured')]);
  await run();
  expect(state('oneOff', o)).toEqual(['captured', 'read']);
});

test('reads that fail are named, and the others go on; what the service does not know is named too', async () => {
  const [i, j, w] = [id(), id(), id()];
  await callbacks.post('invoices', [invoice({ InvoiceId: i }), invoice({ InvoiceId: j })]);
  await callbacks.post('app-payments', notification({}, { id: w }));
  books.invoices.push(says(j, 'paid'));
  const reads = books.reads();
  const { invoice: read } = reads;
  const down = new Error('down');
  reads.invoice = (invoiceId) => (invoiceId === i ? Promise.reject(down) : read(invoiceId));
  reads.subscriptions = { ...reads.subscriptions, agreements: () => Promise.reject(down) };
  expect(await run(reads)).toEqual({
    requests: 4,
    stored: 1,
    unknown: [`appPayment ${w}`],
    failed: [
      { what: 'agreements, page 1', error: down },
      { what: `invoice ${i}`, error: down },
    ],
  });
  expect(state('invoice', j)).toEqual(['paid', 'read']);
});

test('an interface that the shop does not use is not asked', async () => {
  await callbacks.post('agreements', agreement());
  await callbacks.post('invoices', invoice());
  expect(await run({})).toEqual({ requests: 0, stored: 0, unknown: [], failed: [] });
});
