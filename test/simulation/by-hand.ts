/** The rules about payments by hand, as checks (see `invariants.ts`). */
import type { NotPaidReason } from '../../main/core/domain/sale.ts';
import { screenPaymentId } from '../../main/core/domain/ids.ts';
import { saysPaid } from './books.ts';
import { isItsAmount } from './cashier.ts';
import type { Check, Outcome } from './invariants.ts';

export const byHandChecks: readonly Check[] = [
  [2, 'the cashier sees "paid" when the journal says so', cashierAgrees],
  [2, 'no till hears of what is paid by hand', tillsHearNothing],
  [3, 'what a cashier has left is cancelled', leftIsCancelled],
  [4, 'one action, one payment', oneAction],
  [6, 'the cashier learns how it ended', cashierLearns],
];

function cashierAgrees({ cashier, books }: Outcome): string[] {
  return cashier.actions.flatMap(({ actionId, amountMinor, belief }) => {
    const payment = books.payments.get(screenPaymentId(actionId));
    const isPaid = payment !== undefined && saysPaid(payment);
    // A manager may decide about the reservation at any time.
    return belief === 'held' || isPaid === (belief === 'yes')
      ? []
      : `of ${amountMinor} by hand the cashier believes ${belief}, the journal says ${payment?.kind ?? 'nothing'}`;
  });
}

/** Reasons that only a till can cause. */
const reasonsOfTills: ReadonlySet<NotPaidReason> = new Set([
  'cancelledByTill',
  'tillGone',
  'notDelivered',
]);

function tillsHearNothing({ tills, books }: Outcome): string[] {
  return [...books.payments.values()].flatMap((payment) => {
    const { by, laneId, orderId, receiptNumber } = payment.sale;
    if (by !== 'cashier') return [];
    const till = tills.find((one) => one.laneId === laneId);
    if (till?.receiptsTold.has(receiptNumber))
      return `the till was told of receipt ${receiptNumber}, order ${orderId}`;
    return payment.kind === 'notPaid' && reasonsOfTills.has(payment.reason)
      ? `order ${orderId} ended because of a till: ${payment.reason}`
      : [];
  });
}

/**
 * A payment that the cashier has left is cancelled on purpose and confirmed as cancelled, a till's
 * sale as well.
 */
function leftIsCancelled({ kept, books, story, meddled }: Outcome): string[] {
  return [...books.payments].flatMap(([saleId, payment]) => {
    if (!('reason' in payment) || payment.reason !== 'leftByCashier') return [];
    const { orderId } = payment.sale;
    const own = story(saleId).flatMap(({ refundOrderId, event: { type } }) =>
      refundOrderId === null ? type : [],
    );
    const intended = own.indexOf('cancelIntended');
    if (intended < 0 || own.indexOf('ended') < intended)
      return `order ${orderId} was left, and its story is ${own.join(', ')}`;
    if (meddled.has(orderId)) return [];
    const there = kept.ofOrder(orderId);
    // Whether it was done in time is checked by another rule.
    return there === undefined || there.status.includes('Cancelled')
      ? []
      : `order ${orderId} was left, and is ${there.status} at the service`;
  });
}

function oneAction({ cashier, books }: Outcome): string[] {
  const byHand = [...books.payments.values()].filter(({ sale }) => sale.by === 'cashier');
  const actions = new Map(
    cashier.actions.map((action) => [screenPaymentId(action.actionId), action]),
  );
  const byAmount = Map.groupBy(books.payments.values(), ({ sale }) => sale.amountMinor);
  return [
    ...byHand.flatMap((payment) => {
      const { saleId, orderId, laneId, amountMinor } = payment.sale;
      const action = actions.get(saleId);
      const isAsked =
        action?.laneId === laneId && isItsAmount(action, amountMinor, saysPaid(payment));
      return isAsked
        ? []
        : `nobody asked for order ${orderId} of ${amountMinor} by hand at lane ${laneId}`;
    }),
    ...cashier.actions.flatMap(({ amountMinor, agreedMinor }) => {
      const amounts = new Set([amountMinor, agreedMinor ?? amountMinor]);
      const length = [...amounts].reduce((sum, one) => sum + (byAmount.get(one)?.length ?? 0), 0);
      return length > 1 ? `${amountMinor} was asked for once by hand and is ${length} sales` : [];
    }),
  ];
}

function cashierLearns({ cashier }: Outcome): string[] {
  return cashier.actions.flatMap(({ amountMinor, belief }) =>
    belief === 'open' ? `the cashier never saw what became of ${amountMinor} by hand` : [],
  );
}
