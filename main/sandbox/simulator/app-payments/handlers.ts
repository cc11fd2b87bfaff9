/** What each operation of app payments does: one entry for each declaration in wallet/app-payments/operations.ts. */
import { minorUnits } from '../../../domain/money.ts';
import * as op from '../../../wallet/v10/app-payments/operations.ts';
import { type AppPayment, type AppRefund, appRedirectField, type PaymentPoint, usualPageSize } from '../../../wallet/v10/app-payments/schemas.ts';
import type { Webhook } from '../../../wallet/v10/app-payments/webhook.ts';
import type { OperationQuery } from '../../../wallet/http/operation.ts';
import { type Handler, handler } from '../face.ts';
import { type Merchant, ServiceError } from '../world.ts';
import { allPoints, type Book, conflict, findPayment, findPoint, keyOf, type Payment, type Point, type Refund, type Subscribed } from './book.ts';
import { accept, cancel, cancelInitiated, capture, initiate } from './payments.ts';
import { issueRefund } from './refunds.ts';
import { announceTest, findWebhook, resubscribe, subscribe } from './webhooks.ts';

const on = handler<Merchant>();

export const appPaymentHandlers = (book: Book): readonly Handler[] => [
  on(op.initiateAppPayment, ({ world, caller, body }) => {
    const { idempotencyKey, amount: amountMinor, reference, description = null, redirectUri, paymentPointId } = body;
    const point = findPoint(book, caller, paymentPointId);
    const { paymentId } = initiate(book, point, { idempotencyKey, amountMinor, reference, description, redirectUri });
    const toApp = `https://app.example/payments?id=${paymentId}&payment_point_id=${point.paymentPointId}`;
    return { paymentId, [appRedirectField(world.profile)]: toApp };
  }),
  on(op.listAppPayments, ({ caller, query }) => {
    const { items, ...page } = pageOf(matchingPayments(book, caller, query), query);
    return { ...page, payments: items.map(paymentAnswer) };
  }),
  on(op.getAppPayment, ({ caller, path }) => {
    if (!book.payments.has(path.paymentId)) throw new ServiceError(404, null, '');
    return paymentAnswer(findPayment(book, caller, path.paymentId));
  }),
  on(op.captureAppPayment, ({ caller, path, body }) => capture(book, findPayment(book, caller, path.paymentId), body.amount)),
  on(op.cancelAppPayment, ({ caller, path }) => cancel(book, findPayment(book, caller, path.paymentId))),
  on(op.cancelAppPaymentByKey, ({ caller, body }) => {
    const payment = book.paymentByKey.get(keyOf(caller, body.idempotencyKey));
    if (payment === undefined) throw conflict('payment_not_found', 'There is no such payment');
    cancelInitiated(book, payment);
  }),
  on(op.simulateAppPaymentConfirmation, ({ world, caller, path, body }) => {
    const phone = world.phones.values().find(({ userId }) => userId === body.userId.toLowerCase()) ?? null;
    if (!accept(book, findPayment(book, caller, path.paymentId), phone)) throw conflict('processing_error', 'The card of the user cannot pay it');
  }),
  on(op.listPaymentPoints, ({ caller, query }) => {
    const theirs = allPoints(book).filter(({ merchant }) => merchant.vat === caller.vat);
    const { items, ...page } = pageOf(theirs, { ...query, pageNumber: Math.max(1, query.pageNumber ?? 1) });
    return { ...page, paymentPoints: items.map(pointAnswer) };
  }),
  on(op.issueAppRefund, ({ caller, body }) => {
    const { amount: amountMinor, reference, description = null, paymentId } = body;
    const refund = issueRefund(book, findPayment(book, caller, paymentId), { amountMinor, reference, description });
    return { ...refundFacts(refund), remainingAmount: minorUnits(refund.remainingMinor) };
  }),
  on(op.listAppRefunds, ({ caller, query }) => {
    const { items, ...page } = pageOf(matchingRefunds(book, caller, query), query);
    return { ...page, refunds: items.map(refundAnswer) };
  }),
  on(op.getAppRefund, ({ caller, path }) => {
    const refund = book.refunds.get(path.refundId);
    if (refund?.payment.point.merchant.vat !== caller.vat) throw new ServiceError(404, null, '');
    return refundAnswer(refund);
  }),
  on(op.listWebhooks, ({ caller }) => ({ webhooks: [...book.webhooks.values()].filter(({ merchant }) => merchant.vat === caller.vat).map(webhookAnswer) })),
  on(op.createWebhook, ({ caller, body }) => webhookAnswer(subscribe(book, caller, body))),
  on(op.getWebhook, ({ caller, path }) => webhookAnswer(findWebhook(book, caller, path.webhookId))),
  on(op.updateWebhook, ({ caller, path, body }) => webhookAnswer(resubscribe(book, findWebhook(book, caller, path.webhookId), body))),
  on(op.deleteWebhook, ({ caller, path }) => void book.webhooks.delete(findWebhook(book, caller, path.webhookId).webhookId)),
  on(op.publishTestNotification, ({ caller, path }) => announceTest(book, findWebhook(book, caller, path.webhookId))),
];

function pageOf<Item>(
  found: readonly Item[],
  { pageNumber = 1, pageSize = usualPageSize }: { pageNumber?: number | undefined; pageSize?: number | undefined },
) {
  const from = (pageNumber - 1) * pageSize;
  const items = found.slice(from, from + pageSize);
  return { pageSize, nextPageNumber: from + pageSize < found.length ? pageNumber + 1 : null, items };
}

/** Both ends belong to it. */
const isBetween = (at: string, from: string | undefined, until: string | undefined): boolean =>
  (from === undefined || Date.parse(at) >= Date.parse(from)) && (until === undefined || Date.parse(at) <= Date.parse(until));

function matchingPayments(book: Book, caller: Merchant, query: OperationQuery<typeof op.listAppPayments>): Payment[] {
  const { paymentPointId = '', stateFilter, startDate, endDate } = query;
  return [...book.payments.values()].filter(
    (payment) =>
      payment.point.merchant.vat === caller.vat &&
      ['', payment.point.paymentPointId].includes(paymentPointId.toLowerCase()) &&
      (stateFilter === undefined || stateFilter.includes(payment.state)) &&
      isBetween(initiatedOn(payment), startDate, endDate),
  );
}

function matchingRefunds(book: Book, caller: Merchant, query: OperationQuery<typeof op.listAppRefunds>): Refund[] {
  const { paymentId = '', paymentPointId = '', createdAfter, createdBefore } = query;
  return [...book.refunds.values()].filter(
    ({ payment, createdOn }) =>
      payment.point.merchant.vat === caller.vat &&
      ['', payment.paymentId].includes(paymentId.toLowerCase()) &&
      ['', payment.point.paymentPointId].includes(paymentPointId.toLowerCase()) &&
      isBetween(createdOn, createdAfter, createdBefore),
  );
}

const initiatedOn = ({ history }: Payment): string => history[0]?.at as string;

function paymentAnswer(payment: Payment): AppPayment {
  const { paymentId, amountMinor, description, point, reference, redirectUri, state, history } = payment;
  return {
    paymentId,
    amount: minorUnits(amountMinor),
    description,
    paymentPointId: point.paymentPointId,
    reference,
    redirectUri,
    state,
    initiatedOn: initiatedOn(payment),
    lastUpdatedOn: history.at(-1)?.at,
    merchantId: point.merchant.merchantId,
    isoCurrencyCode: point.merchant.currency,
    paymentPointName: point.name,
  };
}

const pointAnswer = ({ paymentPointId, name, state }: Point): PaymentPoint => ({ paymentPointId, paymentPointName: name, state });

const refundFacts = ({ refundId, payment, amountMinor, description, reference, createdOn }: Refund) => ({
  refundId,
  paymentId: payment.paymentId,
  amount: minorUnits(amountMinor),
  description,
  reference,
  createdOn,
});

function refundAnswer(refund: Refund): AppRefund {
  const { paymentPointId, merchant } = refund.payment.point;
  return { ...refundFacts(refund), paymentPointId, merchantId: merchant.merchantId, isoCurrencyCode: merchant.currency };
}

const webhookAnswer = ({ merchant: _merchant, ...webhook }: Subscribed): Webhook => webhook;
