/** E. Payments and prepared payments with restrictions. */
import { minorUnits } from '../../../domain/money.ts';
import type { SeenStatus } from '../../../wallet/port.ts';
import type { Bench } from '../bench.ts';
import { broken, type Case, type Rule, shown } from '../case.ts';
import { keepsPace, never, of, statuses } from '../checks.ts';
import type { Card } from '../customer.ts';
import { isAnswered, sentField } from '../exchange.ts';
import { expectStatus, type Open } from '../steps.ts';

const source = 'document 4, section 7.E';
const refusal: readonly SeenStatus[] = ['cancelledByService', 'cancelledByUser'];

const terms = (bench: Bench) => ({
  amount: minorUnits(bench.money.amountMinor),
  currencyCode: bench.money.currency,
  plannedCaptureDelay: 'None' as const,
});

/** The customer tries with a card that the shop does not take; no capture, whatever comes of it. */
async function refused(bench: Bench, { paymentId, watch }: Open, card: Card): Promise<void> {
  const { customer } = await bench.counter();
  expectStatus(await bench.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
  await customer.approve(card);
  expectStatus(await bench.follow(watch, paymentId, 'reserved'), ...refusal);
}

function carriesRestrictions(operation: 'initiatePayment' | 'readyPayment'): Rule {
  return {
    says: `the restriction leaves with ${operation} and is taken`,
    source: 'document 4, section 1.2',
    kind: 'outcome',
    look({ own }) {
      const sent = of(own, operation).filter((exchange) => isAnswered(exchange));
      const restricted = sent.filter((exchange) => Object.values(Object(sentField(exchange, 'restrictions')) as object).includes(true));
      return restricted[0] === undefined ? broken('no request carried one', sent) : shown(JSON.stringify(sentField(restricted[0], 'restrictions')), restricted);
    },
  };
}

const endsAsRefusal: Rule = {
  says: 'a card that is not taken ends the payment as cancelled by the provider or the customer',
  source: 'document 4, section 7.E',
  kind: 'outcome',
  look({ own }) {
    const last = statuses(own).at(-1) ?? 'nothing';
    return last.startsWith('CancelledBy') && last !== 'CancelledByClient'
      ? shown(last, of(own, 'getPayment'))
      : broken(`it ended as ${last}`, of(own, 'getPayment'));
  },
};

const sharedRules = [endsAsRefusal, never('capturePayment', 'the card was not taken'), keepsPace('getPayment')];

export const restrictionCases: readonly Case[] = [
  {
    id: '15 E1',
    section: 'E',
    title: 'Restrictions on a payment',
    source,
    async run(bench) {
      const { counter, posId, customer } = await bench.counter();
      const { orderId, idempotencyKey } = bench.sale();
      const body = { posId, orderId, ...terms(bench), restrictions: { debitCardDisallowed: true } };
      const { paymentId } = await bench.client.initiatePayment({ body }, { idempotencyKey });
      bench.paymentOpened(paymentId);
      await customer.checkIn('debit');
      await refused(bench, { paymentId, watch: counter.watch(paymentId) }, 'debit');
      return { paymentId, restriction: 'debitCardDisallowed', card: 'debit' };
    },
    rules: [carriesRestrictions('initiatePayment'), ...sharedRules],
  },
  {
    id: '15 E2',
    section: 'E',
    title: 'Restrictions on a prepared payment',
    source,
    async run(bench) {
      const { counter, customer } = await bench.counter();
      const paymentId = await bench.create(counter, bench.sale('prepare'));
      const watch = counter.watch(paymentId);
      await customer.checkIn('credit');
      expectStatus(await bench.follow(watch, paymentId, 'paired'), 'paired');
      await bench.client.readyPayment({ paymentId, body: { ...terms(bench), restrictions: { creditCardDisallowed: true } } });
      await refused(bench, { paymentId, watch }, 'credit');
      return { paymentId, restriction: 'creditCardDisallowed', card: 'credit' };
    },
    rules: [carriesRestrictions('readyPayment'), ...sharedRules],
  },
];
