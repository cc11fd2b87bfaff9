/** The rules as checks while it happens: what is broken then may be mended in the end. */
import type { Lane } from '../../main/lane/lane.ts';
import { outcomeOf } from '../../main/domain/settlement/outcome.ts';
import type { Payment } from '../../main/domain/settlement/payment.ts';
import type { Refund } from '../../main/domain/settlement/refund.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import type { Books } from './books.ts';
import type { Written } from './disk.ts';
import type { Arrived } from './network.ts';
import type { Broken } from './rules.ts';

/** When a request comes to the service: what it settles must have been decided on disk before. */
export function checkRequest({ operation, parameters }: Arrived, world: World, books: Books): Broken | null {
  const id = parameters[0] ?? '';
  switch (operation) {
    case 'capturePayment': {
      const there = world.payments.get(id);
      const order = there?.orderId ?? 'of nobody';
      const known = books.ofOrder(order);
      const kind = known?.kind;
      if (known !== undefined && known.sale.amountMinor !== there?.terms?.amountMinor)
        return { rule: 1, what: `a capture came for order ${order} over ${known.sale.amountMinor}, of which ${there?.terms?.amountMinor} are reserved` };
      // No longer capturing: one that was late on the way, overtaken by its own repetition.
      return kind === 'capturing' || kind === 'paid' || kind === 'needsPerson' || kind === undefined
        ? null
        : { rule: 1, what: `a capture came for order ${order} that is ${kind} on disk` };
    }
    case 'cancelPayment': {
      const order = world.payments.get(id)?.orderId ?? 'of nobody';
      const kind = books.ofOrder(order)?.kind;
      const isDecided = kind === 'cancelling' || kind === 'notPaid' || kind === 'needsPerson';
      return isDecided || kind === undefined ? null : { rule: 3, what: `a cancel came for order ${order} that is ${kind} on disk` };
    }
    case 'captureRefund':
    case 'cancelRefund': {
      const order = world.refunds.get(id)?.refundOrderId ?? 'of nobody';
      const refund = books.refunds.get(order);
      if (refund === undefined || refund.kind === 'needsPerson') return null;
      const isRight = outcomeOf(refund)?.refunded === (operation === 'captureRefund');
      return isRight ? null : { rule: 5, what: `${operation} came for refund ${order} that is ${refund.kind} on disk` };
    }
    default:
      return null;
  }
}

export const isToBeShown = (event: Written['events'][number]): boolean =>
  event.type === 'attemptFailed' || event.type === 'personNeeded' || (event.type === 'cancelIntended' && event.reason === 'leftByCashier');

/** From the first failed attempt on, or from when a cashier has left it, it is on the screens. */
export function checkShown(money: Payment | Refund, lane: Lane): Broken | null {
  const isUnderWay = money.kind === 'capturing' || money.kind === 'cancelling';
  const isLeft = money.kind === 'cancelling' && money.reason === 'leftByCashier';
  const isDue = money.kind === 'needsPerson' || isLeft || (isUnderWay && money.failedAttempts > 0);
  const order = 'sale' in money ? money.sale.orderId : money.request.refundOrderId;
  if (!isDue || lane.snapshot().unsettled.some(({ orderId }) => orderId === order)) return null;
  return { rule: 2, what: `order ${order} is ${money.kind}, ${isLeft ? 'a cashier has left it' : 'its first attempt has failed'}, and no screen shows it` };
}
