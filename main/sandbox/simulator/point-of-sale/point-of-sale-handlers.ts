/** Implements the operations of wallet/v10/point-of-sale/operations.ts. */
import { minorUnits } from '../../../core/domain/money.ts';
import type { OperationBody, OperationQuery } from '../../../wallets/http/operation.ts';
import * as op from '../../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { type Handler, handler } from '../api-module.ts';
import type { Phone } from '../phone.ts';
import type {
  Caller,
  PaymentTerms,
  PointOfSale,
  SimulatedPayment,
  SimulatedRefund,
  Store,
} from './point-of-sale-model.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import {
  accept,
  cancel,
  cancelByUser,
  capture,
  checkIn,
  checkOwner,
  createPayment,
  currentCheckIn,
  findPayment,
  ready,
  applyExpiry,
} from './point-of-sale-payments.ts';
import { createPointOfSale, deletePointOfSale, findByMerchantPosId } from './points-of-sale.ts';
import {
  cancelRefund,
  captureRefund,
  createRefund,
  applyRefundExpiry,
} from './point-of-sale-refunds.ts';

interface Request {
  readonly world: World;
  readonly caller: Caller;
}

function paymentInPath(
  { world, caller, path }: Request & { path: { paymentId: string } },
  otherMerchant: string,
): SimulatedPayment {
  const payment = findPayment(world, path.paymentId);
  if (payment === undefined) throw new ServiceError(404, null, '');
  checkOwner(payment.pos, caller, '1401', otherMerchant);
  return payment;
}

function posInPath(
  { world, caller, path }: Request & { path: { posId: string } },
  otherMerchant: string,
): PointOfSale {
  const pos = world.pointsOfSale.get(path.posId);
  if (pos === undefined || pos.deleted) throw new ServiceError(404, null, '');
  checkOwner(pos, caller, '1400', otherMerchant);
  return pos;
}

function refundInPath({
  world,
  caller,
  path,
}: Request & { path: { refundId: string } }): SimulatedRefund {
  const refund = world.refunds.get(path.refundId);
  if (refund === undefined) throw new ServiceError(404, null, '');
  checkOwner(refund.payment.pos, caller, '1402', '1402');
  return applyRefundExpiry(world, refund);
}

function posInBody({ world, caller, body }: Request & { body: { posId: string } }): PointOfSale {
  const pos = world.pointsOfSale.get(body.posId.toLowerCase());
  if (pos === undefined || pos.deleted)
    throw new ServiceError(409, '1000', 'There is no such point of sale');
  checkOwner(pos, caller, '1400', '1400');
  return pos;
}

function beaconInBody({ world, body }: { world: World; body: { beaconId: string } }): PointOfSale {
  const pos = world.posByBeaconId.get(body.beaconId.toLowerCase());
  if (pos === undefined) throw new ServiceError(409, '1000', 'No point of sale has this beacon');
  return pos;
}

function termsOf(body: OperationBody<typeof op.readyPayment>): PaymentTerms {
  return {
    amountMinor: body.amount,
    currency: body.currencyCode,
    plannedCaptureDelay: body.plannedCaptureDelay,
    restrictions: body.restrictions ?? null,
    merchantPaymentLabel: body.merchantPaymentLabel ?? null,
  };
}

function paymentAnswer(world: World, payment: SimulatedPayment) {
  const { phone, terms } = payment;
  return {
    paymentId: payment.paymentId,
    posId: payment.pos.posId,
    orderId: payment.orderId,
    amount: terms === null ? null : minorUnits(terms.amountMinor),
    currencyCode: terms?.currency ?? null,
    restrictions: terms?.restrictions ?? null,
    merchantPaymentLabel: terms?.merchantPaymentLabel ?? null,
    plannedCaptureDelay: terms?.plannedCaptureDelay ?? null,
    status: payment.status,
    ...(Number.isFinite(payment.expiresAtMs)
      ? { paymentExpiresAt: world.at(payment.expiresAtMs) }
      : {}),
    ...(payment.status === 'Reserved'
      ? { partialCapturePossible: phone?.partialCapture === true }
      : {}),
    ...(phone === null ? {} : customerFields(phone)),
    ...pollDelay(world.policy.pollDelayInMs),
  };
}

const pollDelay = (pollDelayInMs: number | null) =>
  pollDelayInMs === null ? {} : { pollDelayInMs };

function storeAnswer({
  storeId,
  storeName,
  storeStreet,
  storeZipCode,
  storeCity,
  brandName,
  merchantBrandId,
  merchantLocationId,
}: Store) {
  return {
    storeId,
    storeName,
    storeStreet,
    storeZipCode,
    storeCity,
    brandName,
    merchantBrandId,
    merchantLocationId,
  };
}

function matchingStores({
  world,
  caller,
  query,
}: Request & { query: OperationQuery<typeof op.listStores> }): Store[] {
  const { merchantBrandId, merchantLocationId } = query;
  if ((merchantBrandId === undefined) !== (merchantLocationId === undefined))
    throw new ServiceError(
      400,
      '1122',
      'Give both merchantBrandId and merchantLocationId, or neither',
    );
  return [...world.stores.values()].filter(
    (store) =>
      store.merchantVat === caller.merchantVat &&
      (merchantBrandId === undefined ||
        (store.merchantBrandId === merchantBrandId &&
          store.merchantLocationId === merchantLocationId)),
  );
}

const isOwn = (pos: PointOfSale, { integratorId, merchantVat }: Caller): boolean =>
  pos.owner.integratorId === integratorId && pos.owner.merchantVat === merchantVat;

function listPayments({
  world,
  caller,
  query,
}: Request & { query: OperationQuery<typeof op.listPayments> }) {
  const { posId, orderId, state } = query;
  if (posId === undefined && orderId === undefined)
    throw new ServiceError(400, '1109', 'Give posId or orderId');
  const payments =
    posId === undefined
      ? [...world.pointsOfSale.values()]
      : [world.pointsOfSale.get(posId.toLowerCase())];
  const isWanted = (payment: SimulatedPayment): boolean => {
    applyExpiry(world, payment);
    return state === 'Captured' ? payment.status === 'Captured' : payment.pos.open.has(payment);
  };
  const wanted = payments
    .filter((pos) => pos !== undefined)
    .filter((pos) => isOwn(pos, caller))
    .flatMap((pos) => {
      // "Lookup by posId+orderId returns the latest payment only" (document 4, section 1.1): the
      // latest of those that the filter is about.
      if (orderId !== undefined)
        return pos.paymentsByOrder.get(orderId)?.filter(isWanted).slice(-1) ?? [];
      return (state === undefined ? [...pos.open] : pos.captured).filter(isWanted);
    });
  return { paymentIds: wanted.map(({ paymentId }) => paymentId) };
}

function listPointsOfSale({
  world,
  caller,
  query,
}: Request & { query: OperationQuery<typeof op.listPointsOfSale> }) {
  const { storeId, beaconId, merchantPosId } = query;
  if (storeId === undefined && beaconId === undefined && merchantPosId === undefined)
    throw new ServiceError(400, '1121', 'Give storeId, beaconId or merchantPosId');
  const narrowed: (PointOfSale | undefined)[] =
    merchantPosId !== undefined
      ? [findByMerchantPosId(world, caller, merchantPosId)]
      : beaconId !== undefined
        ? [world.posByBeaconId.get(beaconId.toLowerCase())]
        : [...world.pointsOfSale.values()];
  const points = narrowed
    .filter((pos) => pos !== undefined)
    .filter(
      (pos) =>
        !pos.deleted &&
        isOwn(pos, caller) &&
        (storeId === undefined || pos.storeId === storeId.toLowerCase()) &&
        (beaconId === undefined || pos.beaconId === beaconId.toLowerCase()),
    );
  return { posIds: points.map(({ posId }) => posId) };
}

function pointOfSaleAnswer(pos: PointOfSale) {
  const {
    posId,
    merchantPosId,
    name,
    storeId,
    supportedBeaconTypes,
    beaconId,
    callbackAlias,
    requirePaymentBeforeCheckin,
  } = pos;
  return {
    posId,
    merchantPosId,
    name,
    storeId,
    supportedBeaconTypes: [...supportedBeaconTypes],
    beaconId,
    callbackAlias,
    requirePaymentBeforeCheckin,
  };
}

function checkInAnswer(world: World, pos: PointOfSale) {
  const phone = currentCheckIn(world, pos);
  const delay = pollDelay(world.policy.pollDelayInMs);
  if (phone === null) return { isUserCheckedIn: false, ...delay };
  return { isUserCheckedIn: true, ...customerFields(phone), ...delay };
}

/**
 * What the service tells a shop about the customer: neither name nor phone number (document 4,
 * section 1.2).
 */
const customerFields = ({ loyaltyIds, receiptToken, phoneNumber }: Phone) => ({
  loyaltyIds: [...loyaltyIds],
  customerReceiptToken: receiptToken,
  customerToken: `customer-of-${phoneNumber.slice(-2)}`,
});

function refundAnswer(world: World, refund: SimulatedRefund) {
  const { refundId, refundOrderId, amountMinor, currency, status, payment } = refund;
  const delay = pollDelay(world.policy.refundPollDelayInMs);
  return {
    refundId,
    paymentId: payment.paymentId,
    refundOrderId,
    amount: minorUnits(amountMinor),
    currencyCode: currency,
    status,
    ...delay,
  };
}

const on = handler<Caller>();

export const pointOfSaleHandlers: readonly Handler[] = [
  on(op.getPayment, (call) => paymentAnswer(call.world, paymentInPath(call, '1411'))),
  on(op.listPayments, listPayments),
  on(op.initiatePayment, (call) => ({
    paymentId: createPayment(call.world, posInBody(call), call.body.orderId, termsOf(call.body))
      .paymentId,
  })),
  on(op.preparePayment, (call) => ({
    paymentId: createPayment(call.world, posInBody(call), call.body.orderId, null).paymentId,
  })),
  on(op.readyPayment, (call) => ready(call.world, paymentInPath(call, '1406'), termsOf(call.body))),
  on(op.capturePayment, (call) =>
    capture(call.world, paymentInPath(call, '1407'), call.body.amount),
  ),
  on(op.cancelPayment, (call) => cancel(call.world, paymentInPath(call, '1408'))),
  on(op.getPointOfSale, (call) => pointOfSaleAnswer(posInPath(call, '1410'))),
  on(op.deletePointOfSale, (call) => deletePointOfSale(call.world, posInPath(call, '1409'))),
  on(op.listPointsOfSale, listPointsOfSale),
  on(op.createPointOfSale, ({ world, caller, body }) => ({
    posId: createPointOfSale(world, caller, {
      ...body,
      beaconId: body.beaconId ?? null,
      callbackAlias: body.callbackAlias ?? null,
      requirePaymentBeforeCheckin: body.requirePaymentBeforeCheckin === true,
    }).posId,
  })),
  on(op.lookUpCheckIn, (call) => checkInAnswer(call.world, posInPath(call, '1410'))),
  on(op.getStore, ({ world, caller, path }) => {
    const store = world.stores.get(path.storeId);
    if (store?.merchantVat !== caller.merchantVat) throw new ServiceError(404, null, '');
    return storeAnswer(store);
  }),
  on(op.listStoreIds, (call) => ({ storeIds: matchingStores(call).map(({ storeId }) => storeId) })),
  on(op.listStores, (call) => matchingStores(call).map(storeAnswer)),
  on(op.getRefund, (call) => refundAnswer(call.world, refundInPath(call))),
  on(op.listRefunds, ({ world, caller, query }) => {
    if (query.paymentId === undefined) throw new ServiceError(400, '1110', 'Give paymentId');
    const payment = world.payments.get(query.paymentId.toLowerCase());
    return {
      refundIds:
        payment !== undefined && isOwn(payment.pos, caller)
          ? payment.refunds.map(({ refundId }) => refundId)
          : [],
    };
  }),
  on(op.createRefund, ({ world, caller, body }) => {
    const payment = findPayment(world, body.paymentId);
    if (payment === undefined) throw new ServiceError(409, '1001', 'There is no such payment');
    checkOwner(payment.pos, caller, '1401', '1401');
    const about = {
      refundOrderId: body.refundOrderId,
      amountMinor: body.amount,
      currency: body.currencyCode,
    };
    return { refundId: createRefund(world, payment, about).refundId };
  }),
  on(op.captureRefund, (call) => captureRefund(call.world, refundInPath(call))),
  on(op.cancelRefund, (call) => cancelRefund(call.world, refundInPath(call))),
  on(op.simulateCheckIn, (call) =>
    checkIn(call.world, beaconInBody(call), call.world.phoneByNumber(call.body.phoneNumber)),
  ),
  on(op.simulateAcceptPayment, (call) =>
    accept(call.world, beaconInBody(call), call.world.phoneByNumber(call.body.phoneNumber)),
  ),
  on(op.simulateCancelPaymentByUser, (call) => cancelByUser(call.world, beaconInBody(call))),
];
