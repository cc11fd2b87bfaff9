/** Implements the operations of wallet/v10/app-payments/operations.ts. */
import { minorUnits } from '../../../core/domain/money.ts';
import * as op from '../../../wallets/v10/app-payments/app-payments-operations.ts';
import {
  type AppPayment,
  type AppRefund,
  appRedirectField,
  type PaymentPoint,
  defaultPageSize,
} from '../../../wallets/v10/app-payments/app-payments-schemas.ts';
import type { Webhook } from '../../../wallets/v10/app-payments/webhook.ts';
import type { OperationQuery } from '../../../wallets/http/operation.ts';
import { type Handler, handler } from '../api-module.ts';
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import {
  allPoints,
  type AppPaymentRegistry,
  conflict,
  findPayment,
  findPoint,
  keyOf,
  type SimulatedAppPayment,
  type Point,
  type SimulatedAppRefund,
  type SimulatedWebhook,
} from './app-payment-registry.ts';
import { accept, cancel, cancelInitiated, capture, initiate } from './app-payments.ts';
import { issueRefund } from './app-payment-refunds.ts';
import { announceTest, findWebhook, resubscribe, subscribe } from './app-payment-webhooks.ts';

const on = handler<Merchant>();

export const appPaymentHandlers = (registry: AppPaymentRegistry): readonly Handler[] => [
  on(op.initiateAppPayment, ({ world, caller, body }) => {
    const {
      idempotencyKey,
      amount: amountMinor,
      reference,
      description = null,
      redirectUri,
      paymentPointId,
    } = body;
    const customerPhoneNumber = body.customerPhoneNumber
      ? `+${body.customerPhoneNumber.replace('+', '')}`
      : null;
    const point = findPoint(registry, caller, paymentPointId);
    const { paymentId } = initiate(registry, point, {
      idempotencyKey,
      amountMinor,
      reference,
      description,
      redirectUri,
      customerPhoneNumber,
    });
    // Only the fact that the number prefills the page is documented, not the parameter's name.
    const prefill =
      customerPhoneNumber === null
        ? ''
        : `&phone_number=${encodeURIComponent(customerPhoneNumber)}`;
    const toApp = `https://app.example/payments?id=${paymentId}&payment_point_id=${point.paymentPointId}${prefill}`;
    return { paymentId, [appRedirectField(world.profile)]: toApp };
  }),
  on(op.listAppPayments, ({ caller, query }) => {
    const { items, ...page } = pageOf(matchingPayments(registry, caller, query), query);
    return { ...page, payments: items.map(paymentAnswer) };
  }),
  on(op.getAppPayment, ({ caller, path }) => {
    if (!registry.payments.has(path.paymentId)) throw new ServiceError(404, null, '');
    return paymentAnswer(findPayment(registry, caller, path.paymentId));
  }),
  on(op.captureAppPayment, ({ caller, path, body }) =>
    capture(registry, findPayment(registry, caller, path.paymentId), body.amount),
  ),
  on(op.cancelAppPayment, ({ caller, path }) =>
    cancel(registry, findPayment(registry, caller, path.paymentId)),
  ),
  on(op.cancelAppPaymentByKey, ({ caller, body }) => {
    const payment = registry.paymentByKey.get(keyOf(caller, body.idempotencyKey));
    if (payment === undefined) throw conflict('payment_not_found', 'There is no such payment');
    cancelInitiated(registry, payment);
  }),
  on(op.simulateAppPaymentConfirmation, ({ world, caller, path, body }) => {
    const phone =
      world.phones.values().find(({ userId }) => userId === body.userId.toLowerCase()) ?? null;
    if (!accept(registry, findPayment(registry, caller, path.paymentId), phone))
      throw conflict('processing_error', 'The card or the limits of the user do not allow it');
  }),
  on(op.listPaymentPoints, ({ caller, query }) => {
    const theirs = allPoints(registry).filter(({ merchant }) => merchant.vat === caller.vat);
    const { items, ...page } = pageOf(theirs, {
      ...query,
      pageNumber: Math.max(1, query.pageNumber ?? 1),
    });
    return { ...page, paymentPoints: items.map(pointAnswer) };
  }),
  on(op.issueAppRefund, ({ caller, body }) => {
    const { amount: amountMinor, reference, description = null, paymentId } = body;
    const refund = issueRefund(registry, findPayment(registry, caller, paymentId), {
      amountMinor,
      reference,
      description,
    });
    return { ...refundFacts(refund), remainingAmount: minorUnits(refund.remainingMinor) };
  }),
  on(op.listAppRefunds, ({ caller, query }) => {
    const { items, ...page } = pageOf(matchingRefunds(registry, caller, query), query);
    return { ...page, refunds: items.map(refundAnswer) };
  }),
  on(op.getAppRefund, ({ caller, path }) => {
    const refund = registry.refunds.get(path.refundId);
    if (refund?.payment.point.merchant.vat !== caller.vat) throw new ServiceError(404, null, '');
    return refundAnswer(refund);
  }),
  on(op.listWebhooks, ({ caller }) => ({
    webhooks: [...registry.webhooks.values()]
      .filter(({ merchant }) => merchant.vat === caller.vat)
      .map(webhookAnswer),
  })),
  on(op.createWebhook, ({ caller, body }) => webhookAnswer(subscribe(registry, caller, body))),
  on(op.getWebhook, ({ caller, path }) =>
    webhookAnswer(findWebhook(registry, caller, path.webhookId)),
  ),
  on(op.updateWebhook, ({ caller, path, body }) =>
    webhookAnswer(resubscribe(registry, findWebhook(registry, caller, path.webhookId), body)),
  ),
  on(
    op.deleteWebhook,
    ({ caller, path }) =>
      void registry.webhooks.delete(findWebhook(registry, caller, path.webhookId).webhookId),
  ),
  on(op.publishTestNotification, ({ caller, path }) =>
    announceTest(registry, findWebhook(registry, caller, path.webhookId)),
  ),
];

function pageOf<Item>(
  all: readonly Item[],
  {
    pageNumber = 1,
    pageSize = defaultPageSize,
  }: { pageNumber?: number | undefined; pageSize?: number | undefined },
) {
  const from = (pageNumber - 1) * pageSize;
  const items = all.slice(from, from + pageSize);
  return {
    pageSize,
    nextPageNumber: from + pageSize < all.length ? pageNumber + 1 : null,
    items,
  };
}

/** Whether a time lies between both ends, which are included. */
const isBetween = (at: string, from: string | undefined, until: string | undefined): boolean =>
  (from === undefined || Date.parse(at) >= Date.parse(from)) &&
  (until === undefined || Date.parse(at) <= Date.parse(until));

function matchingPayments(
  registry: AppPaymentRegistry,
  caller: Merchant,
  query: OperationQuery<typeof op.listAppPayments>,
): SimulatedAppPayment[] {
  const { paymentPointId = '', stateFilter, startDate, endDate } = query;
  return [...registry.payments.values()].filter(
    (payment) =>
      payment.point.merchant.vat === caller.vat &&
      ['', payment.point.paymentPointId].includes(paymentPointId.toLowerCase()) &&
      (stateFilter === undefined || stateFilter.includes(payment.state)) &&
      isBetween(initiatedOn(payment), startDate, endDate),
  );
}

function matchingRefunds(
  registry: AppPaymentRegistry,
  caller: Merchant,
  query: OperationQuery<typeof op.listAppRefunds>,
): SimulatedAppRefund[] {
  const { paymentId = '', paymentPointId = '', createdAfter, createdBefore } = query;
  return [...registry.refunds.values()].filter(
    ({ payment, createdOn }) =>
      payment.point.merchant.vat === caller.vat &&
      ['', payment.paymentId].includes(paymentId.toLowerCase()) &&
      ['', payment.point.paymentPointId].includes(paymentPointId.toLowerCase()) &&
      isBetween(createdOn, createdAfter, createdBefore),
  );
}

const initiatedOn = ({ history }: SimulatedAppPayment): string => history[0]?.at ?? '';

function paymentAnswer(payment: SimulatedAppPayment): AppPayment {
  const { paymentId, amountMinor, description, point, reference, redirectUri, state, history } =
    payment;
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

const pointAnswer = ({ paymentPointId, name, state }: Point): PaymentPoint => ({
  paymentPointId,
  paymentPointName: name,
  state,
});

const refundFacts = ({
  refundId,
  payment,
  amountMinor,
  description,
  reference,
  createdOn,
}: SimulatedAppRefund) => ({
  refundId,
  paymentId: payment.paymentId,
  amount: minorUnits(amountMinor),
  description,
  reference,
  createdOn,
});

function refundAnswer(refund: SimulatedAppRefund): AppRefund {
  const { paymentPointId, merchant } = refund.payment.point;
  return {
    ...refundFacts(refund),
    paymentPointId,
    merchantId: merchant.merchantId,
    isoCurrencyCode: merchant.currency,
  };
}

const webhookAnswer = ({ merchant: _merchant, ...webhook }: SimulatedWebhook): Webhook => webhook;
