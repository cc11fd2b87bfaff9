/** F. Refunds. */
import { minorUnits } from '../../../domain/money.ts';
import { ServiceUnreachableError } from '../../../wallet/http/errors.ts';
import type { Bench } from '../bench.ts';
import { broken, type Case, notShown, shown } from '../case.ts';
import { answered, goesThrough, keepsPace, mostRequests, never, of, onlyAfter, repeats } from '../checks.ts';
import { isAnswered, isUseless } from '../exchange.ts';
import { captured, refundWatch } from '../steps.ts';

const source = 'document 4, section 7.F';

const refundOf = (bench: Bench, paymentId: string) => ({
  body: { paymentId, refundOrderId: `certify-${bench.uuid().slice(0, 8)}`, amount: minorUnits(bench.money.amountMinor), currencyCode: bench.money.currency },
});

export const refundCases: readonly Case[] = [
  {
    id: '16',
    section: 'F',
    title: 'Complete a refund through time-outs and 500s',
    source,
    async run(bench) {
      const { paymentId } = await captured(bench);
      for (const operation of ['createRefund', 'captureRefund']) bench.inject({ operation, kind: 'timeoutAfter' }, { operation, kind: 'status500' });
      const { refundId } = await bench.client.createRefund(refundOf(bench, paymentId), { idempotencyKey: bench.uuid() });
      bench.refundOpened(refundId);
      const watch = refundWatch(bench, refundId);
      await watch.until('Reserved');
      await bench.client.captureRefund({ refundId });
      await watch.until('Captured');
      bench.refundClosed(refundId);
      return { paymentId, refundId };
    },
    rules: [
      repeats('createRefund'),
      repeats('captureRefund'),
      goesThrough(['Initiated', 'Reserved', 'Captured'], 'getRefund'),
      onlyAfter('captureRefund', 'getRefund', 'Reserved'),
      keepsPace('getPayment', 'getRefund'),
    ],
  },
  {
    id: '17',
    section: 'F',
    title: 'Cancel a refund whose creation was never answered',
    source,
    async run(bench) {
      const { paymentId } = await captured(bench);
      bench.inject({ operation: 'createRefund', kind: 'status500After', times: mostRequests });
      const created = await bench.client.createRefund(refundOf(bench, paymentId), { idempotencyKey: bench.uuid() }).then(
        ({ refundId }) => refundId,
        (error: unknown) => {
          if (error instanceof ServiceUnreachableError) return null;
          throw error;
        },
      );
      const { refundIds } = await bench.client.listRefunds({ query: { paymentId } });
      const refundId = refundIds.at(-1);
      if (refundId === undefined) throw new Error('the refund is not in the list of its payment');
      bench.refundOpened(refundId);
      await bench.client.cancelRefund({ refundId });
      await refundWatch(bench, refundId).until('CancelledByClient');
      bench.refundClosed(refundId);
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
            return broken('it was not looked for and cancelled', of(own, 'createRefund', 'listRefunds', 'cancelRefund'));
          if (!list.path.includes('paymentId=')) return broken('the list was not limited to the payment', [list]);
          if (!isUseless(lost)) return notShown('the service answered when it was created');
          return shown(`unanswered ${lost.attempt} times, then listed and cancelled`, [lost, list, cancel]);
        },
      },
      answered('cancelRefund'),
      goesThrough(['CancelledByClient'], 'getRefund'),
      never('captureRefund', 'it is to be cancelled'),
      keepsPace('getPayment', 'getRefund'),
    ],
  },
];
