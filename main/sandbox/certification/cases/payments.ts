/** C. Payments. */
import type { CaseDefinition } from '../case.ts';
import { broken, holds } from '../finding.ts';
import {
  answered,
  carriesLabel,
  goesThrough,
  keepsPace,
  letsGo,
  never,
  of,
  onlyAfter,
  repeats,
} from '../checks.ts';
import { answeredField, isAnswered, isUseless, sentField } from '../exchange.ts';
import { cancelled, done, expectStatus, issued, reserved } from '../steps.ts';

export const completePayment: CaseDefinition = {
  id: '7',
  title: 'Complete a payment through time-outs and 500s',
  async run(harness) {
    for (const operation of ['initiatePayment', 'capturePayment'])
      harness.inject({ operation, kind: 'timeoutAfter' }, { operation, kind: 'status500' });
    const { counter } = await harness.counter();
    const { paymentId, watch } = await reserved(harness);
    done('capture', await counter.capture(paymentId, harness.money));
    expectStatus(await harness.follow(watch, paymentId, 'captured'), 'captured');
    return { paymentId };
  },
  rules: [
    repeats('initiatePayment'),
    repeats('capturePayment'),
    goesThrough(['Initiated', 'IssuedToUser', 'Reserved', 'Captured']),
    onlyAfter('capturePayment', 'getPayment', 'Reserved'),
    keepsPace('getPayment'),
    carriesLabel('initiatePayment'),
    {
      says: 'all requests of the same wish create one payment, and what is captured is what was asked for',
      source: 'document 4, sections 1.8 and 1.11',
      kind: 'outcome',
      look({ own }) {
        const creates = of(own, 'initiatePayment');
        const ids = new Set(of(own, 'getPayment').map(({ path }) => path));
        const amounts = new Set(
          [...creates, ...of(own, 'capturePayment')].map((exchange) =>
            sentField(exchange, 'amount'),
          ),
        );
        if (ids.size !== 1) return broken(`${ids.size} payments were followed`, creates);
        return amounts.size === 1
          ? holds(`amount ${String([...amounts][0])}`, creates)
          : broken(`amounts ${[...amounts].join(', ')}`, creates);
      },
    },
  ],
};

export const failingPolls: CaseDefinition = {
  id: '8',
  title: 'Polls that are slow or fail',
  async run(harness) {
    const { counter, customer } = await harness.counter();
    const paymentId = await harness.create(counter, harness.sale());
    const watch = counter.watch(paymentId);
    expectStatus(await harness.follow(watch, paymentId, 'initiated'), 'initiated');
    harness.inject(
      { operation: 'getPayment', kind: 'delay', delayMs: 900 },
      { operation: 'getPayment', kind: 'status500' },
    );
    await customer.checkIn();
    expectStatus(await harness.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
    await cancelled(harness, { paymentId, watch });
    return { paymentId };
  },
  rules: [
    {
      says: 'after a poll without an answer, and after one with a 500, polling goes on until it is answered',
      source: 'document 4, section 1.7',
      kind: 'conduct',
      look({ own }) {
        const polls = of(own, 'getPayment');
        const failed = polls.filter(isUseless);
        const last = polls.at(-1);
        if (last !== undefined && isUseless(last))
          return broken('the last poll had no answer', [last]);
        const both =
          failed.some(({ answer }) => answer === null) &&
          failed.some(({ answer }) => answer !== null);
        return both
          ? holds(`${failed.length} of ${polls.length} polls had no usable answer`, failed)
          : { verdict: 'notShown', detail: 'the service answered every poll', exchanges: [] };
      },
    },
    keepsPace('getPayment'),
    goesThrough(['Initiated', 'IssuedToUser', 'CancelledByClient']),
  ],
};

export const customerCancels: CaseDefinition = {
  id: '9',
  title: 'The customer cancels',
  async run(harness) {
    const { customer } = await harness.counter();
    const { paymentId, watch } = await issued(harness);
    await customer.refuse();
    expectStatus(await harness.follow(watch, paymentId, 'cancelledByUser'), 'cancelledByUser');
    return { paymentId };
  },
  rules: [
    goesThrough(['Initiated', 'IssuedToUser', 'CancelledByUser']),
    letsGo('CancelledByUser'),
    never('capturePayment', 'the customer has cancelled'),
    keepsPace('getPayment'),
  ],
};

export const tillCancels: CaseDefinition = {
  id: '10',
  title: 'The till cancels, through a time-out and a 500',
  async run(harness) {
    const { counter } = await harness.counter();
    const paymentId = await harness.create(counter, harness.sale());
    const watch = counter.watch(paymentId);
    expectStatus(await harness.follow(watch, paymentId, 'initiated'), 'initiated');
    harness.inject(
      { operation: 'cancelPayment', kind: 'timeoutAfter' },
      { operation: 'cancelPayment', kind: 'status500' },
    );
    await cancelled(harness, { paymentId, watch });
    return { paymentId };
  },
  rules: [
    repeats('cancelPayment'),
    goesThrough(['Initiated', 'CancelledByClient']),
    letsGo('CancelledByClient'),
    never('capturePayment', 'the till has cancelled'),
    keepsPace('getPayment'),
  ],
};

export const blockedPointOfSale: CaseDefinition = {
  id: '11',
  title: 'Another payment blocks the point of sale',
  async run(harness) {
    const { counter } = await harness.counter();
    const forgotten = await harness.create(counter, harness.sale());
    const sale = harness.sale();
    const first = await counter.create(sale);
    const cleared = await counter.clear();
    const paymentId = await harness.create(counter, sale);
    await cancelled(harness, { paymentId, watch: counter.watch(paymentId) });
    return { forgotten, first: first.kind, cleared, paymentId };
  },
  rules: [
    {
      says: 'a 409 with code 1301 is followed by a look for the active payment by its point of sale, its cancellation, and the same initiate once more',
      source: 'document 4, section 1.9',
      kind: 'conduct',
      look({ own }) {
        const at = own.findIndex(
          (exchange) => isAnswered(exchange, 409) && answeredField(exchange, 'code') === '1301',
        );
        if (at < 0)
          return broken(
            'no initiate was answered with 409 and code 1301',
            of(own, 'initiatePayment'),
          );
        const after = own.slice(at + 1);
        const steps = ['listPayments', 'getPayment', 'cancelPayment', 'initiatePayment'] as const;
        const sent = after.filter(
          (exchange, index) =>
            !isUseless(exchange) && exchange.operation !== after[index + 1]?.operation,
        );
        const first = sent.slice(0, steps.length).map(({ operation }) => operation);
        if (first.join() !== steps.join())
          return broken(`it was followed by ${first.join(', ')}`, after);
        if (!(sent[0]?.path.includes('posId=') ?? false))
          return broken('the list was not limited to the point of sale', after.slice(0, 1));
        return holds('listed, read, cancelled, initiated', [
          ...own.slice(at, at + 1),
          ...sent.slice(0, steps.length),
        ]);
      },
    },
    {
      says: 'only a payment that was read and found active is cancelled',
      source: 'document 4, section 1.9',
      kind: 'conduct',
      look({ own }) {
        const cancel = of(own, 'cancelPayment')[0];
        if (cancel === undefined) return broken('nothing was cancelled', own);
        const read = of(own, 'getPayment').find(
          (exchange) => exchange.number < cancel.number && cancel.path.startsWith(exchange.path),
        );
        const status = read === undefined ? 'not read' : String(answeredField(read, 'status'));
        const active = ['Prepared', 'Initiated', 'Paired', 'IssuedToUser'].includes(status);
        return active
          ? holds(`it was ${status}`, read ? [read, cancel] : [cancel])
          : broken(`it was ${status}`, [cancel]);
      },
    },
    answered('initiatePayment', 409),
    answered('cancelPayment'),
  ],
};
