/** What each operation does in the world: one entry for each declaration in wallet/point-of-sale/operations.ts. */
import { fromMajorUnits, toMajorUnits } from '../primitives/money.ts';
import type { Operation } from '../wallet/operation.ts';
import * as op from '../wallet/point-of-sale/operations.ts';
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
  type PaymentTerms,
  ready,
  settle,
} from './payments.ts';
import { createPointOfSale, deletePointOfSale, findByMerchantPosId } from './points-of-sale.ts';
import { cancelRefund, captureRefund, createRefund, settleRefund } from './refunds.ts';
import { type Caller, type Payment, type Phone, type PointOfSale, type Refund, ServiceError, type Store, type World } from './world.ts';

export interface Call {
  readonly world: World;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, string | undefined>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Handler = (call: Call) => unknown;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const minor = (amountMajor: unknown): number => fromMajorUnits(amountMajor as number) as number;

function pathPayment({ world, caller, path }: Call, otherMerchant: string): Payment {
  const payment = findPayment(world, path['paymentId'] as string);
  if (payment === undefined) throw new ServiceError(404, null, '');
  checkOwner(payment.pos, caller, '1401', otherMerchant);
  return payment;
}

function pathPos({ world, caller, path }: Call, otherMerchant: string): PointOfSale {
  const pos = world.pointsOfSale.get((path['posId'] as string).toLowerCase());
  if (pos === undefined || pos.deleted) throw new ServiceError(404, null, '');
  checkOwner(pos, caller, '1400', otherMerchant);
  return pos;
}

function pathRefund({ world, caller, path }: Call): Refund {
  const refund = world.refunds.get((path['refundId'] as string).toLowerCase());
  if (refund === undefined) throw new ServiceError(404, null, '');
  checkOwner(refund.payment.pos, caller, '1402', '1402');
  return settleRefund(world, refund);
}

function bodyPos({ world, caller, body }: Call): PointOfSale {
  const pos = world.pointsOfSale.get((body['posId'] as string).toLowerCase());
  if (pos === undefined || pos.deleted) throw new ServiceError(409, '1000', 'There is no such point of sale');
  checkOwner(pos, caller, '1400', '1400');
  return pos;
}

function terms(body: Call['body']): PaymentTerms {
  return {
    amountMinor: minor(body['amount']),
    currency: body['currencyCode'] as 'DKK' | 'EUR',
    plannedCaptureDelay: body['plannedCaptureDelay'] as string,
    restrictions: body['restrictions'] ?? null,
    merchantPaymentLabel: text(body['merchantPaymentLabel']),
  };
}

function paymentAnswer(world: World, payment: Payment): object {
  const reserved = payment.status === 'Reserved';
  const { phone } = payment;
  return {
    paymentId: payment.paymentId,
    posId: payment.pos.posId,
    orderId: payment.orderId,
    amount: payment.amountMinor === null ? null : toMajorUnits(payment.amountMinor),
    currencyCode: payment.currency,
    restrictions: payment.restrictions,
    merchantPaymentLabel: payment.merchantPaymentLabel,
    plannedCaptureDelay: payment.plannedCaptureDelay,
    status: payment.status,
    paymentExpiresAt: Number.isFinite(payment.endsAtMs) ? world.at(payment.endsAtMs) : null,
    ...(reserved ? { partialCapturePossible: phone?.partialCapture === true } : {}),
    ...(phone === null ? {} : { loyaltyIds: phone.loyaltyIds, customerReceiptToken: '', customerToken: `customer-of-${phone.phoneNumber.slice(-2)}` }),
    ...(world.policy.pollDelayInMs === null ? {} : { pollDelayInMs: world.policy.pollDelayInMs }),
  };
}

const storeAnswer = ({ activated: _activated, balanceMinor: _balanceMinor, merchantVat: _merchantVat, ...store }: Store): object => store;

function matchingStores({ world, caller, query }: Call): Store[] {
  const { merchantBrandId, merchantLocationId } = query;
  if ((merchantBrandId === undefined) !== (merchantLocationId === undefined))
    throw new ServiceError(400, '1122', 'Give both merchantBrandId and merchantLocationId, or neither');
  return [...world.stores.values()].filter(
    (store) =>
      store.merchantVat === caller.merchantVat &&
      (merchantBrandId === undefined || (store.merchantBrandId === merchantBrandId && store.merchantLocationId === merchantLocationId)),
  );
}

function listPayments({ world, caller, query }: Call): object {
  const { posId, orderId, state } = query;
  if (posId === undefined && orderId === undefined) throw new ServiceError(400, '1109', 'Give posId or orderId');
  const found = posId === undefined ? [...world.pointsOfSale.values()] : [world.pointsOfSale.get(posId.toLowerCase())];
  const places = found.filter(
    (pos) => pos !== undefined && pos.owner.integratorId === caller.integratorId && pos.owner.merchantVat === caller.merchantVat,
  ) as PointOfSale[];
  const candidates = places.flatMap((pos) => {
    if (orderId !== undefined) return pos.latestByOrder.get(orderId) ?? [];
    return state === undefined ? [...pos.open] : pos.captured;
  });
  const wanted = candidates.filter((payment) => {
    settle(world, payment);
    return state === 'Captured' ? payment.status === 'Captured' : payment.pos.open.has(payment);
  });
  return { paymentIds: wanted.map(({ paymentId }) => paymentId) };
}

function listPointsOfSale({ world, caller, query }: Call): object {
  const { storeId, beaconId, merchantPosId } = query;
  if (storeId === undefined && beaconId === undefined && merchantPosId === undefined)
    throw new ServiceError(400, '1121', 'Give storeId, beaconId or merchantPosId');
  const narrowed =
    merchantPosId !== undefined
      ? [findByMerchantPosId(world, caller, merchantPosId)]
      : beaconId !== undefined
        ? [world.posByBeaconId.get(beaconId.toLowerCase())]
        : [...world.pointsOfSale.values()];
  const found = narrowed.filter(
    (pos) =>
      pos !== undefined &&
      !pos.deleted &&
      pos.owner.integratorId === caller.integratorId &&
      pos.owner.merchantVat === caller.merchantVat &&
      (storeId === undefined || pos.storeId === storeId.toLowerCase()) &&
      (beaconId === undefined || pos.beaconId === beaconId.toLowerCase()),
  ) as PointOfSale[];
  return { posIds: found.map(({ posId }) => posId) };
}

function pointOfSaleAnswer(pos: PointOfSale): object {
  const { posId, merchantPosId, name, storeId, supportedBeaconTypes, beaconId, callbackAlias, requirePaymentBeforeCheckin } = pos;
  return { posId, merchantPosId, name, storeId, supportedBeaconTypes, beaconId, callbackAlias, requirePaymentBeforeCheckin };
}

function checkInAnswer(world: World, pos: PointOfSale): object {
  const phone = currentCheckIn(world, pos);
  const delay = world.policy.pollDelayInMs === null ? {} : { pollDelayInMs: world.policy.pollDelayInMs };
  if (phone === null) return { isUserCheckedIn: false, ...delay };
  return {
    isUserCheckedIn: true,
    loyaltyIds: phone.loyaltyIds,
    customerReceiptToken: '',
    customerToken: `customer-of-${phone.phoneNumber.slice(-2)}`,
    ...delay,
  };
}

function refundAnswer(world: World, refund: Refund): object {
  const { refundId, refundOrderId, amountMinor, currency, status, payment } = refund;
  const delay = world.policy.refundPollDelayInMs === null ? {} : { pollDelayInMs: world.policy.refundPollDelayInMs };
  return { refundId, paymentId: payment.paymentId, refundOrderId, amount: toMajorUnits(amountMinor), currencyCode: currency, status, ...delay };
}

function beaconPos({ world, body }: Call): PointOfSale {
  const pos = world.posByBeaconId.get((body['beaconId'] as string).toLowerCase());
  if (pos === undefined) throw new ServiceError(409, '1000', 'No point of sale has this beacon');
  return pos;
}

/** Any number is a customer; the documented test numbers have their documented cards. */
export function phoneNumbered(world: World, phoneNumber: string): Phone {
  return world.phones.get(phoneNumber) ?? { phoneNumber, card: 'credit', loyaltyIds: [], partialCapture: false };
}

export const handlers: ReadonlyMap<Operation['name'], Handler> = new Map<string, Handler>([
  [op.getPayment.name, (call) => paymentAnswer(call.world, pathPayment(call, '1411'))],
  [op.listPayments.name, listPayments],
  [op.initiatePayment.name, (call) => ({ paymentId: createPayment(call.world, bodyPos(call), call.body['orderId'] as string, terms(call.body)).paymentId })],
  [op.preparePayment.name, (call) => ({ paymentId: createPayment(call.world, bodyPos(call), call.body['orderId'] as string, null).paymentId })],
  [op.readyPayment.name, (call) => ready(call.world, pathPayment(call, '1406'), terms(call.body))],
  [op.capturePayment.name, (call) => capture(call.world, pathPayment(call, '1407'), minor(call.body['amount']))],
  [op.cancelPayment.name, (call) => cancel(call.world, pathPayment(call, '1408'))],
  [op.getPointOfSale.name, (call) => pointOfSaleAnswer(pathPos(call, '1410'))],
  [op.deletePointOfSale.name, (call) => deletePointOfSale(call.world, pathPos(call, '1409'))],
  [op.listPointsOfSale.name, listPointsOfSale],
  [
    op.createPointOfSale.name,
    ({ world, caller, body }) => ({
      posId: createPointOfSale(world, caller, {
        merchantPosId: body['merchantPosId'] as string,
        storeId: body['storeId'] as string,
        name: body['name'] as string,
        supportedBeaconTypes: body['supportedBeaconTypes'] as string[],
        beaconId: text(body['beaconId']),
        callbackAlias: text(body['callbackAlias']),
        requirePaymentBeforeCheckin: body['requirePaymentBeforeCheckin'] === true,
      }).posId,
    }),
  ],
  [op.lookUpCheckIn.name, (call) => checkInAnswer(call.world, pathPos(call, '1410'))],
  [
    op.getStore.name,
    ({ world, caller, path }) => {
      const store = world.stores.get((path['storeId'] as string).toLowerCase());
      if (store?.merchantVat !== caller.merchantVat) throw new ServiceError(404, null, '');
      return storeAnswer(store);
    },
  ],
  [op.listStoreIds.name, (call) => ({ storeIds: matchingStores(call).map(({ storeId }) => storeId) })],
  [op.listStores.name, (call) => matchingStores(call).map(storeAnswer)],
  [op.getRefund.name, (call) => refundAnswer(call.world, pathRefund(call))],
  [
    op.listRefunds.name,
    ({ world, caller, query }) => {
      if (query['paymentId'] === undefined) throw new ServiceError(400, '1110', 'Give paymentId');
      const payment = world.payments.get(query['paymentId'].toLowerCase());
      const isTheirs = payment?.pos.owner.integratorId === caller.integratorId && payment.pos.owner.merchantVat === caller.merchantVat;
      return { refundIds: isTheirs ? payment.refunds.map(({ refundId }) => refundId) : [] };
    },
  ],
  [
    op.createRefund.name,
    ({ world, caller, body }) => {
      const payment = findPayment(world, body['paymentId'] as string);
      if (payment === undefined) throw new ServiceError(409, '1001', 'There is no such payment');
      checkOwner(payment.pos, caller, '1401', '1401');
      const about = { refundOrderId: body['refundOrderId'] as string, amountMinor: minor(body['amount']), currency: body['currencyCode'] as string };
      return { refundId: createRefund(world, payment, about).refundId };
    },
  ],
  [op.captureRefund.name, (call) => captureRefund(call.world, pathRefund(call))],
  [op.cancelRefund.name, (call) => cancelRefund(call.world, pathRefund(call))],
  [op.simulateCheckIn.name, (call) => checkIn(call.world, beaconPos(call), phoneNumbered(call.world, call.body['phoneNumber'] as string))],
  [op.simulateAcceptPayment.name, (call) => accept(call.world, beaconPos(call), phoneNumbered(call.world, call.body['phoneNumber'] as string))],
  [op.simulateCancelPaymentByUser.name, (call) => cancelByUser(call.world, beaconPos(call))],
]);
