/** E. Payments and prepared payments with restrictions. */
import type { SeenStatus } from '../../../core/lane/wallet-port.ts';
import type { Harness } from '../harness.ts';
import type { CaseDefinition, Rule } from '../case.ts';
import { broken, holds } from '../finding.ts';
import { carriesLabel, keepsPace, never, of, statuses } from '../checks.ts';
import type { Card } from '../customer.ts';
import { isAnswered, sentField } from '../exchange.ts';
import { done, expectStatus, type Open } from '../steps.ts';

const refusal: readonly SeenStatus[] = ['cancelledByService', 'cancelledByUser'];

/**
 * The customer tries to pay with a card that the shop does not take. Nothing is captured, in any
 * the service answers.
 */
async function refused(harness: Harness, { paymentId, watch }: Open, card: Card): Promise<void> {
  const { customer } = await harness.counter();
  expectStatus(await harness.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
  await customer.approve(card);
  expectStatus(await harness.follow(watch, paymentId, 'reserved'), ...refusal);
}

const flags = ['debitCardDisallowed', 'creditCardDisallowed'];
const isSame = (one: unknown, other: unknown): boolean =>
  flags.every((flag) => Object(one)[flag] === Object(other)[flag]);

function carriesRestrictions(operation: 'initiatePayment' | 'readyPayment'): Rule {
  return {
    says: `the restrictions of the lane's settings leave with ${operation} and are taken`,
    source: 'document 4, section 1.2',
    kind: 'outcome',
    look({ own, evidence }) {
      const sent = of(own, operation).filter((exchange) => isAnswered(exchange));
      const restricted = sent.filter((exchange) =>
        Object.values(Object(sentField(exchange, 'restrictions'))).includes(true),
      );
      if (restricted[0] === undefined) return broken('no request carried one', sent);
      const other = restricted.find(
        (exchange) => !isSame(sentField(exchange, 'restrictions'), evidence['restrictions']),
      );
      if (other !== undefined)
        return broken(
          `request ${other.number} carries ${JSON.stringify(sentField(other, 'restrictions'))}`,
          [other],
        );
      return holds(JSON.stringify(sentField(restricted[0], 'restrictions')), restricted);
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
      ? holds(last, of(own, 'getPayment'))
      : broken(`it ended as ${last}`, of(own, 'getPayment'));
  },
};

const sharedRules = [
  endsAsRefusal,
  never('capturePayment', 'the card was not taken'),
  keepsPace('getPayment'),
];

export const restrictedPayment: CaseDefinition = {
  id: '15 E1',
  title: 'Restrictions on a payment',
  async run(harness) {
    const { customer } = await harness.counter();
    const { counter, restrictions, card } = await harness.restricted('debit');
    const paymentId = await harness.create(counter, harness.sale());
    await customer.checkIn(card);
    await refused(harness, { paymentId, watch: counter.watch(paymentId) }, card);
    return { paymentId, restrictions, card };
  },
  rules: [carriesRestrictions('initiatePayment'), carriesLabel('initiatePayment'), ...sharedRules],
};

export const restrictedPreparedPayment: CaseDefinition = {
  id: '15 E2',
  title: 'Restrictions on a prepared payment',
  async run(harness) {
    const { customer } = await harness.counter();
    const { counter, restrictions, card } = await harness.restricted('credit');
    const sale = harness.sale('prepare');
    const paymentId = await harness.create(counter, sale);
    const watch = counter.watch(paymentId);
    await customer.checkIn(card);
    expectStatus(await harness.follow(watch, paymentId, 'paired'), 'paired');
    done('ready', await counter.ready(paymentId, sale));
    await refused(harness, { paymentId, watch }, card);
    return { paymentId, restrictions, card };
  },
  rules: [carriesRestrictions('readyPayment'), carriesLabel('readyPayment'), ...sharedRules],
};
