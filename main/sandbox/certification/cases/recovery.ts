/** G. What is open survives failures and restarts (20 and 23). */
import type { CaseDefinition } from '../case.ts';
import { broken, notShown, holds } from '../finding.ts';
import { goesThrough, maxRequests, of, onlyAfter } from '../checks.ts';
import { isAnswered, isUseless, sentField } from '../exchange.ts';
import { cancelled, done, expectStatus, reserved } from '../steps.ts';

export const periodicSettlement: CaseDefinition = {
  id: '20',
  title: 'A periodic job for what is left Reserved',
  async run(harness) {
    const { counter } = await harness.counter();
    const { paymentId } = await reserved(harness);
    harness.inject({ operation: 'capturePayment', kind: 'status500', times: maxRequests });
    const first = await counter.capture(paymentId, harness.money);
    const restarted = await harness.restarted();
    const watch = restarted.watch(paymentId);
    expectStatus(
      await harness.follow(watch, paymentId, 'reserved', 'captured'),
      'reserved',
      'captured',
    );
    done('capture', await restarted.capture(paymentId, harness.money));
    expectStatus(await harness.follow(watch, paymentId, 'captured'), 'captured');
    return { paymentId, first };
  },
  rules: [
    {
      says: 'a capture that was never answered is asked for again later, with the same amount, until it is confirmed',
      source: 'document 4, sections 1.9 and 1.11',
      kind: 'conduct',
      look({ own }) {
        const captures = of(own, 'capturePayment');
        const amounts = new Set(captures.map((exchange) => sentField(exchange, 'amount')));
        if (amounts.size > 1) return broken('the amount changed', captures);
        const last = captures.at(-1);
        if (last === undefined) return notShown('nothing was to be captured');
        if (!isAnswered(last)) return broken('it was not confirmed', captures);
        return captures.some(isUseless)
          ? holds(`${captures.length} requests, the last one confirmed`, captures)
          : notShown('the service confirmed it at once');
      },
    },
    goesThrough(['Reserved', 'Captured']),
    onlyAfter('capturePayment', 'getPayment', 'Reserved'),
  ],
  documented: [
    'The daemon itself repeats a capture or cancellation that is on disk until the service confirms it, however long that takes, and also after a restart; ' +
      'the next sale need not wait for it. Tested with SIGKILL at each step (test/counter/recovery.test.ts) and with a service that does not answer ' +
      '(test/unit/core/lane/lane.test.ts).',
  ],
};

export const intentSurvivesRestart: CaseDefinition = {
  id: '23',
  title: 'Intent survives a restart',
  async run(harness) {
    const { counter } = await harness.counter();
    const sale = harness.sale();
    const paymentId = await harness.create(counter, sale);
    // The restarted client knows only what was chosen before the first request: order id, key and
    // amount.
    const restarted = await harness.restarted();
    const again = await restarted.create(sale);
    const lookUp = await restarted.lookUp(sale.orderId);
    if (lookUp.kind !== 'found')
      throw new Error(`the payment was not found by its order id: ${lookUp.kind}`);
    await cancelled(harness, {
      paymentId: lookUp.paymentId,
      watch: restarted.watch(lookUp.paymentId),
    });
    return {
      before: paymentId,
      createdAgain: 'paymentId' in again ? again.paymentId : again.kind,
      found: lookUp.paymentId,
    };
  },
  rules: [
    {
      says: 'a client that starts anew, with the intent alone, asks with the same key and finds the same payment by its order id',
      source: 'document 4, sections 1.8 and 1.9',
      kind: 'outcome',
      look({ own, evidence }) {
        const [before, again, found] = [
          evidence['before'],
          evidence['createdAgain'],
          evidence['found'],
        ];
        const requests = of(own, 'initiatePayment', 'listPayments');
        return before === again && before === found
          ? holds(`payment ${String(found)}`, requests)
          : broken(`${String(before)}, then ${String(again)}, then ${String(found)}`, requests);
      },
    },
    goesThrough(['CancelledByClient']),
  ],
  documented: [
    'The daemon writes every intent to its journal on disk before the request leaves, and takes none back (test/unit/core/lane/lane.test.ts, test/counter/recovery.test.ts).',
  ],
};
