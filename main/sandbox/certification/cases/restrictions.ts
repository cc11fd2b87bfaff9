/** E. Payments and prepared payments with restrictions. */
import { minorUnits } from '../../../domain/money.ts';
import type { SeenStatus } from '../../../wallet/port.ts';
import type { Harness } from '../harness.ts';
import type { CaseDefinition, Rule } from '../case.ts';
import { broken, shown } from '../finding.ts';
import { keepsPace, never, of, statuses } from '../checks.ts';
import type { Card } from '../customer.ts';
import { isAnswered, sentField } from '../exchange.ts';
import { expectStatus, type Open } from '../steps.ts';

const refusal: readonly SeenStatus[] = ['cancelledByService', 'cancelledByUser'];

const terms = (harness: Harness) => ({
  amount: minorUnits(harness.money.amountMinor),
  currencyCode: harness.money.currency,
  plannedCaptureDelay: 'None' as const,
});

/** The customer tries with a card that the shop does not take; no capture, whatever comes of it. */
async function refused(harness: Harness, { paymentId, watch }: Open, card: Card): Promise<void> {
  const { customer } = await harness.counter();
  expectStatus(await harness.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
  await customer.approve(card);
  expectStatus(await harness.follow(watch, paymentId, 'reserved'), ...refusal);
}

function carriesRestrictions(operation: 'initiatePayment' | 'readyPayment'): Rule {
  return {
    says: `the restriction leaves with ${operation} and is taken`,
    source: 'document 4, section 1.2',
    kind: 'outcome',
    look({ own }) {
      const sent = of(own, operation).filter((exchange) => isAnswered(exchange));
      const restricted = sent.filter((exchange) => Object.values(Object(sentField(exchange, 'restrictions'))).includes(true));
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

export const restrictedPayment: CaseDefinition = {
  id: '15 E1',
  title: 'Restrictions on a payment',
  async run(harness) {
    const { counter, posId, customer } = await harness.counter();
    const { orderId, idempotencyKey } = harness.sale();
    const body = { posId, orderId, ...terms(harness), restrictions: { debitCardDisallowed: true } };
    const { paymentId } = await harness.client.initiatePayment({ body }, { idempotencyKey });
    harness.paymentOpened(paymentId);
    await customer.checkIn('debit');
    await refused(harness, { paymentId, watch: counter.watch(paymentId) }, 'debit');
    return { paymentId, restriction: 'debitCardDisallowed', card: 'debit' };
  },
  rules: [carriesRestrictions('initiatePayment'), ...sharedRules],
};

export const restrictedPreparedPayment: CaseDefinition = {
  id: '15 E2',
  title: 'Restrictions on a prepared payment',
  async run(harness) {
    const { counter, customer } = await harness.counter();
    const paymentId = await harness.create(counter, harness.sale('prepare'));
    const watch = counter.watch(paymentId);
    await customer.checkIn('credit');
    expectStatus(await harness.follow(watch, paymentId, 'paired'), 'paired');
    await harness.client.readyPayment({ paymentId, body: { ...terms(harness), restrictions: { creditCardDisallowed: true } } });
    await refused(harness, { paymentId, watch }, 'credit');
    return { paymentId, restriction: 'creditCardDisallowed', card: 'credit' };
  },
  rules: [carriesRestrictions('readyPayment'), ...sharedRules],
};
