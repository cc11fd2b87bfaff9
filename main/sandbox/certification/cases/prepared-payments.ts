/** D. Prepared payments. */
import type { CaseDefinition, Rule } from '../case.ts';
import { broken, notShown, holds } from '../finding.ts';
import {
  answered,
  carriesLabel,
  goesThrough,
  keepsPace,
  of,
  onlyAfter,
  repeats,
} from '../checks.ts';
import { answeredField, isAnswered, sentField } from '../exchange.ts';
import { cancelled, captured, expectStatus } from '../steps.ts';

function cancelledFrom(status: 'Prepared' | 'Paired'): Rule {
  return {
    says: `a payment that is ${status} is cancelled and is then CancelledByClient`,
    source: 'document 4, section 1.3',
    kind: 'outcome',
    look({ own }) {
      for (const cancel of of(own, 'cancelPayment').filter((exchange) => isAnswered(exchange))) {
        const polls = of(own, 'getPayment').filter(({ path }) => cancel.path.startsWith(path));
        const before = polls.findLast((poll) => poll.number < cancel.number && isAnswered(poll));
        const after = polls.findLast((poll) => poll.number > cancel.number && isAnswered(poll));
        if (before === undefined || answeredField(before, 'status') !== status) continue;
        const ended = after === undefined ? 'nothing' : answeredField(after, 'status');
        return ended === 'CancelledByClient'
          ? holds(`requests ${before.number}, ${cancel.number}, ${after?.number}`, [before, cancel])
          : broken(`it ended as ${String(ended)}`, [cancel]);
      }
      return broken(`no payment was cancelled when it was ${status}`, of(own, 'cancelPayment'));
    },
  };
}

const amountComesWithReady: Rule = {
  says: 'prepare carries no amount, ready carries it',
  source: 'document 4, section 1.1',
  kind: 'conduct',
  look({ own }) {
    const prepares = of(own, 'preparePayment');
    const readies = of(own, 'readyPayment');
    if (prepares.some((exchange) => sentField(exchange, 'amount') !== undefined))
      return broken('prepare carried an amount', prepares);
    if (readies.length === 0) return notShown('no payment was made ready');
    const amount = readies[0] && sentField(readies[0], 'amount');
    return typeof amount === 'number'
      ? holds(`amount ${amount}`, [...prepares, ...readies])
      : broken('ready carried no amount', readies);
  },
};

export const completePreparedPayment: CaseDefinition = {
  id: '12',
  title: 'Complete a prepared payment',
  run: async (harness) => ({
    paymentId: (await captured(harness, harness.sale('prepare'))).paymentId,
  }),
  rules: [
    goesThrough(['Prepared', 'Paired', 'IssuedToUser', 'Reserved', 'Captured']),
    amountComesWithReady,
    onlyAfter('readyPayment', 'getPayment', 'Paired'),
    onlyAfter('capturePayment', 'getPayment', 'Reserved'),
    keepsPace('getPayment'),
    carriesLabel('readyPayment'),
  ],
};

export const cancelPreparedPayment: CaseDefinition = {
  id: '13',
  title: 'Cancel a prepared payment, before and after the customer is there',
  async run(harness) {
    const { counter, customer } = await harness.counter();
    const prepared = async () => {
      const paymentId = await harness.create(counter, harness.sale('prepare'));
      const watch = counter.watch(paymentId);
      expectStatus(await harness.follow(watch, paymentId, 'prepared'), 'prepared');
      return { paymentId, watch };
    };
    const alone = await prepared();
    await cancelled(harness, alone);
    const met = await prepared();
    await customer.checkIn();
    expectStatus(await harness.follow(met.watch, met.paymentId, 'paired'), 'paired');
    await cancelled(harness, met);
    return { fromPrepared: alone.paymentId, fromPaired: met.paymentId };
  },
  rules: [cancelledFrom('Prepared'), cancelledFrom('Paired'), keepsPace('getPayment')],
};

export const preparedPaymentWithFailures: CaseDefinition = {
  id: '14',
  title: 'A prepared payment through time-outs and 500s',
  async run(harness) {
    harness.inject(
      { operation: 'preparePayment', kind: 'timeoutAfter' },
      { operation: 'preparePayment', kind: 'status500' },
      { operation: 'readyPayment', kind: 'timeoutAfter' },
      { operation: 'readyPayment', kind: 'status500' },
      { operation: 'capturePayment', kind: 'timeoutAfter' },
      { operation: 'capturePayment', kind: 'status500' },
    );
    return { paymentId: (await captured(harness, harness.sale('prepare'))).paymentId };
  },
  rules: [
    repeats('preparePayment'),
    repeats('readyPayment'),
    repeats('capturePayment'),
    answered('capturePayment'),
    goesThrough(['Prepared', 'Paired', 'IssuedToUser', 'Reserved', 'Captured']),
    keepsPace('getPayment'),
  ],
};
