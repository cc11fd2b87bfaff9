/** F. Refunds. */
import { minorUnits } from '../../../core/domain/money.ts';
import { ServiceUnreachableError } from '../../../wallets/http/errors.ts';
import { currencyCodeOf } from '../../../wallets/v10/point-of-sale/currency.ts';
import type { Harness } from '../harness.ts';
import type { CaseDefinition } from '../case.ts';
import { broken, notShown, holds } from '../finding.ts';
import {
  answered,
  goesThrough,
  keepsPace,
  maxRequests,
  never,
  of,
  onlyAfter,
  repeats,
} from '../checks.ts';
import { isAnswered, isUseless } from '../exchange.ts';
import { captured, refundWatch } from '../steps.ts';

const refundOf = (harness: Harness, paymentId: string) => ({
  body: {
    paymentId,
    refundOrderId: `certify-${harness.uuid().slice(0, 8)}`,
    amount: minorUnits(harness.money.amountMinor),
    currencyCode: currencyCodeOf(harness.money.currency, 'createRefund'),
  },
});

export const completeRefund: CaseDefinition = {
  id: '16',
  title: 'Complete a refund through time-outs and 500s',
  async run(harness) {
    const { paymentId } = await captured(harness);
    for (const operation of ['createRefund', 'captureRefund'])
      harness.inject({ operation, kind: 'timeoutAfter' }, { operation, kind: 'status500' });
    const { refundId } = await harness.client.createRefund(refundOf(harness, paymentId), {
      idempotencyKey: harness.uuid(),
    });
    harness.refundOpened(refundId);
    const watch = refundWatch(harness, refundId);
    await watch.until('Reserved');
    await harness.client.captureRefund({ refundId });
    await watch.until('Captured');
    harness.refundClosed(refundId);
    return { paymentId, refundId };
  },
  rules: [
    repeats('createRefund'),
    repeats('captureRefund'),
    goesThrough(['Initiated', 'Reserved', 'Captured'], 'getRefund'),
    onlyAfter('captureRefund', 'getRefund', 'Reserved'),
    keepsPace('getPayment', 'getRefund'),
  ],
};

export const cancelUnansweredRefund: CaseDefinition = {
  id: '17',
  title: 'Cancel a refund whose creation was never answered',
  async run(harness) {
    const { paymentId } = await captured(harness);
    harness.inject({ operation: 'createRefund', kind: 'status500After', times: maxRequests });
    const created = await harness.client
      .createRefund(refundOf(harness, paymentId), { idempotencyKey: harness.uuid() })
      .then(
        ({ refundId }) => refundId,
        (error: unknown) => {
          if (error instanceof ServiceUnreachableError) return null;
          throw error;
        },
      );
    const { refundIds } = await harness.client.listRefunds({ query: { paymentId } });
    const refundId = refundIds.at(-1);
    if (refundId === undefined) throw new Error('the refund is not in the list of its payment');
    harness.refundOpened(refundId);
    await harness.client.cancelRefund({ refundId });
    await refundWatch(harness, refundId).until('CancelledByClient');
    harness.refundClosed(refundId);
    return { paymentId, created, refundId };
  },
  rules: [
    {
      says: 'a refund whose creation has no known result is looked for by its payment, found, and cancelled',
      source: 'document 4, sections 1.4 and 1.9',
      kind: 'conduct',
      look({ own }) {
        const lost = of(own, 'createRefund').at(-1);
        if (lost === undefined) return notShown('no refund was asked for');
        const list = of(own, 'listRefunds').find((exchange) => isAnswered(exchange));
        const cancel = of(own, 'cancelRefund').find((exchange) => isAnswered(exchange));
        if (list === undefined || cancel === undefined)
          return broken(
            'it was not looked for and cancelled',
            of(own, 'createRefund', 'listRefunds', 'cancelRefund'),
          );
        if (!list.path.includes('paymentId='))
          return broken('the list was not limited to the payment', [list]);
        if (!isUseless(lost)) return notShown('the service answered when it was created');
        return holds(`unanswered ${lost.attempt} times, then listed and cancelled`, [
          lost,
          list,
          cancel,
        ]);
      },
    },
    answered('cancelRefund'),
    goesThrough(['CancelledByClient'], 'getRefund'),
    never('captureRefund', 'it is to be cancelled'),
    keepsPace('getPayment', 'getRefund'),
  ],
};
