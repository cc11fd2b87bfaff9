/** G. Order ids and capture delays of all requests (21 and 22). */
import { headerNames } from '../../../wallets/v10/v10-profile.ts';
import type { CaseDefinition } from '../case.ts';
import { broken, counted, notShown, holds } from '../finding.ts';
import { of } from '../checks.ts';
import { answeredField, headerOf, isAnswered, sentField } from '../exchange.ts';

export const uniqueOrderIds: CaseDefinition = {
  id: '21',
  title: 'Order ids are unique',
  rules: [
    {
      says: 'no order id belongs to two wishes: each comes with one idempotency key',
      source: 'document 4, sections 1.1 and 1.9',
      kind: 'conduct',
      look({ all, profile }) {
        const creates = of(all, 'initiatePayment', 'preparePayment', 'createRefund');
        const orders = Map.groupBy(creates, (exchange) =>
          String(sentField(exchange, 'orderId') ?? sentField(exchange, 'refundOrderId')),
        );
        for (const [orderId, sent] of orders) {
          const keys = new Set(
            sent.map((exchange) => headerOf(exchange, headerNames(profile).idempotencyKey)),
          );
          if (keys.size > 1)
            return broken(`order id ${orderId} was sent with ${keys.size} keys`, sent);
        }
        return orders.size === 0
          ? notShown('nothing was created')
          : holds(`${orders.size} order ids in ${creates.length} requests`, creates);
      },
    },
  ],
  documented: [
    'The order ids of this run are the tool’s own. Those of the daemon consist of the lane’s id, its trace number and a random part. ' +
      'A new one is made for each sale and is on disk before it is sent (test/unit/core/lane/lane.test.ts).',
  ],
};

export const truthfulCaptureDelay: CaseDefinition = {
  id: '22',
  title: 'plannedCaptureDelay is truthful',
  rules: [
    {
      says: 'every payment announces plannedCaptureDelay None, and what is captured is captured at once',
      source: 'document 4, section 1.11',
      kind: 'conduct',
      look({ all }) {
        const announced = of(all, 'initiatePayment', 'readyPayment');
        const other = announced.find(
          (exchange) => sentField(exchange, 'plannedCaptureDelay') !== 'None',
        );
        if (other !== undefined)
          return broken(
            `request ${other.number} announces ${String(sentField(other, 'plannedCaptureDelay'))}`,
            [other],
          );
        const captures = of(all, 'capturePayment').filter((exchange) => isAnswered(exchange));
        const delays = captures.flatMap((capture) => {
          const poll = of(all, 'getPayment').find(
            (exchange) =>
              capture.path.startsWith(exchange.path) &&
              answeredField(exchange, 'status') === 'Reserved',
          );
          return poll === undefined ? [] : [capture.endedAtMs - poll.endedAtMs];
        });
        if (delays.length === 0) return notShown('nothing was captured');
        const longest = Math.max(...delays) / 1000;
        return longest < 24 * 60 * 60
          ? holds(
              `${counted(captures.length, 'capture')}, the latest ${longest.toFixed(1)} s after the reservation was seen`,
              captures,
            )
          : broken(`a capture came ${Math.round(longest)} s after the reservation`, captures);
      },
    },
  ],
};
