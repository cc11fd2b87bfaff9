import { minorUnits } from '../../../core/domain/money.ts';
import * as op from '../../../wallets/epayment/payments/payments-operations.ts';
import * as qr from '../../../wallets/epayment/qr/qr-operations.ts';
import {
  getSalesUnit,
  listSalesUnits,
  type SalesUnit as SalesUnitAnswer,
} from '../../../wallets/epayment/management/management-operations.ts';
import {
  followLedger,
  listLedgerDay,
  listLedgers,
} from '../../../wallets/epayment/report/report-operations.ts';
import {
  deleteRegisteredWebhook,
  listRegisteredWebhooks,
  registerWebhook,
} from '../../../wallets/epayment/webhooks/webhooks-operations.ts';
import { type Call, type Handler, handler } from '../api-module.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { Caller } from './auth.ts';
import { createPayment, digitsInQr, phoneOfToken } from './create.ts';
import { approve, cancel, capture, refund, reservedMinorOf, unlock } from './epayment-payments.ts';
import {
  type CallbackCode,
  checkDigits,
  contentOf,
  digitsOf,
  type Epayments,
  findEpayment,
  keyOf,
  type SalesUnit,
  type SimulatedEpayment,
} from './epayment-registry.ts';
import { checkLedger, handleOf, ledgerDay, ledgerFeed, ledgerIdOf } from './report.ts';
import { ofUnit, register, unregister } from './epayment-webhooks.ts';

const on = handler<Caller>();
const guaranteedMs = 7 * 24 * 60 * 60_000;
const defaultImageSize = 1_024;
/** Of every customer's card. */
const cardBin = '457199';
const bankAccount = { scheme: 'BBAN:DK', id: '12345678901234' } as const;
const business = { scheme: 'business:DK:CVR', id: '90000028' } as const;

export function epaymentHandlers(epayments: Epayments): readonly Handler[] {
  const { world } = epayments;
  const paymentIn = ({
    caller: { unit },
    path: { reference },
  }: {
    caller: Caller;
    path: { reference: string };
  }) => findEpayment(epayments, unit, reference);

  /** A capture, cancel or refund. Each is answered with the payment's new totals. */
  const changed = (
    call: Pick<Call<typeof op.captureEpayment, Caller>, 'caller' | 'path'>,
    change: (payment: SimulatedEpayment) => void,
  ) => {
    const payment = paymentIn(call);
    unlock(payment);
    change(payment);
    return { ...totals(payment), reference: payment.reference, pspReference: payment.pspReference };
  };
  const exchanged = ({ phoneNumber }: Phone) => ({
    msisdn: digitsOf(phoneNumber),
    timestamp: world.at(),
  });
  const part = ({
    modificationAmount: { value, currency },
  }: Call<typeof op.captureEpayment, Caller>['body']) => ({ amountMinor: value, currency });

  return [
    on(op.createEpayment, ({ caller, body }) => createPayment(epayments, caller, body)),
    on(op.getEpayment, (call) => {
      const payment = paymentIn(call);
      const { reference, pspReference, metadata, state, authorizedAtMs, scope, phone } = payment;
      const isApproved = state === 'AUTHORIZED';
      // `redirectUrl` is optional here and left out, so that no client relies on it.
      return {
        ...totals(payment),
        reference,
        pspReference,
        paymentMethod: { type: 'WALLET', ...(isApproved && { cardBin }) },
        profile: isApproved && scope !== null && phone !== null ? { sub: phone.userId } : {},
        ...(metadata !== null && { metadata: { ...metadata } }),
        ...(isApproved && { captureGuaranteedUntil: world.at(authorizedAtMs + guaranteedMs) }),
      };
    }),
    on(op.listEpaymentEvents, (call) => {
      const { reference, currency, events } = paymentIn(call);
      return events.map(
        ({ pspReference, name, amountMinor, at: timestamp, idempotencyKey, success }) => ({
          reference,
          pspReference,
          name,
          amount: { currency, value: minorUnits(amountMinor) },
          timestamp,
          ...(idempotencyKey !== null && { idempotencyKey }),
          success,
        }),
      );
    }),
    on(op.captureEpayment, (call) =>
      changed(call, (payment) => capture(epayments, payment, part(call.body), call.caller.key)),
    ),
    on(op.cancelEpayment, (call) =>
      changed(call, (payment) =>
        cancel(epayments, payment, call.body.cancelTransactionOnly, call.caller.key),
      ),
    ),
    on(op.refundEpayment, (call) =>
      changed(call, (payment) => refund(epayments, payment, part(call.body), call.caller.key)),
    ),
    on(op.forceApproveEpayment, (call) => {
      const payment = paymentIn(call);
      const digits = 'customer' in call.body ? call.body.customer.phoneNumber : null;
      if (digits === null && payment.phone === null)
        throw new ServiceError(400, '10020', 'The request went to no phone');
      const phone = digits === null ? payment.phone : checkDigits(epayments, digits);
      if (phone === null || payment.state !== 'CREATED' || !approve(epayments, payment, phone))
        throw new ServiceError(400, '10010', 'The approval failed');
    }),

    on(qr.putCallbackQr, ({ caller: { unit }, path, body }) =>
      putCode(epayments, unit, path.merchantQrId, body.locationDescription),
    ),
    on(qr.adoptBeacon, ({ caller: { unit }, path, body }) =>
      adoptBeacon(epayments, unit, path.beaconId, body.locationDescription),
    ),
    on(qr.getCallbackQr, ({ caller, path, query }) =>
      codeAnswer(codeOf(epayments, caller, path.merchantQrId), caller, query),
    ),
    on(qr.listCallbackQrs, ({ caller, query }) =>
      [...epayments.callbackCodes.values()]
        .filter(({ unit }) => unit === caller.unit)
        .map((code) => codeAnswer(code, caller, query)),
    ),
    on(qr.deleteCallbackQr, ({ caller, path }) => {
      const { unit, merchantQrId } = codeOf(epayments, caller, path.merchantQrId);
      epayments.callbackCodes.delete(keyOf(unit, merchantQrId));
    }),
    on(qr.exchangePersonalQr, ({ body }) => ({
      ...exchanged(checkDigits(epayments, digitsInQr(body.qrCode))),
      version: '2.0',
    })),
    on(qr.exchangeCustomerToken, ({ caller, body }) =>
      exchanged(phoneOfToken(epayments, caller.unit, body.customer.customerToken)),
    ),

    on(registerWebhook, ({ caller, body }) => {
      const { id, secret } = register(epayments, caller, body.url, body.events);
      return { id, secret };
    }),
    on(listRegisteredWebhooks, ({ caller }) => ({
      webhooks: ofUnit(epayments, caller.unit).map(({ id, url, events }) => ({
        id,
        url,
        events: [...events],
      })),
    })),
    on(deleteRegisteredWebhook, ({ caller, path }) =>
      unregister(epayments, caller, path.webhookId),
    ),

    on(listLedgers, ({ caller: { unit }, query }) => {
      const { settlesForRecipientHandles: handle = handleOf(unit) } = query;
      const ledger = {
        ledgerId: ledgerIdOf(unit),
        currency: unit.currency,
        payoutBankAccount: bankAccount,
        owner: business,
        settlesForRecipientHandles: [handleOf(unit)],
        salesUnits: [{ name: unit.name, recipientHandle: handleOf(unit) }],
      };
      return { items: handle === handleOf(unit) ? [ledger] : [], cursor: '' };
    }),
    on(listLedgerDay, ({ caller: { unit }, path, query }) => {
      checkLedger(unit, path.ledgerId);
      return path.topic === 'fees'
        ? { items: [], hasMore: false, tryLater: false }
        : ledgerDay(epayments, unit, path.ledgerDate, query.cursor);
    }),
    on(followLedger, ({ caller: { unit }, path, query }) => {
      checkLedger(unit, path.ledgerId);
      return path.topic === 'fees'
        ? { items: [], cursor: '0', hasMore: false, tryLater: true }
        : ledgerFeed(epayments, unit, query.cursor);
    }),

    on(listSalesUnits, ({ caller }) => [unitAnswer(caller.unit)]),
    on(getSalesUnit, ({ caller, path }) => {
      if (path.msn !== caller.unit.msn)
        throw new ServiceError(404, null, 'There is no such sales unit');
      return unitAnswer(caller.unit);
    }),
  ];
}

function totals(payment: SimulatedEpayment) {
  const amount = (value: number) => ({ currency: payment.currency, value: minorUnits(value) });
  const { state, amountMinor, capturedMinor, cancelledMinor, refundedMinor } = payment;
  return {
    state,
    amount: amount(amountMinor),
    aggregate: {
      authorizedAmount: amount(reservedMinorOf(payment)),
      capturedAmount: amount(capturedMinor),
      cancelledAmount: amount(cancelledMinor),
      refundedAmount: amount(refundedMinor),
    },
  };
}

function putCode(
  { callbackCodes }: Epayments,
  unit: SalesUnit,
  merchantQrId: string,
  locationDescription: string,
): void {
  callbackCodes.set(keyOf(unit, merchantQrId), { unit, merchantQrId, locationDescription });
}

/** A printed sticker belongs to one sales unit. @throws ServiceError 409 when another one has it */
function adoptBeacon(
  epayments: Epayments,
  unit: SalesUnit,
  beaconId: string,
  locationDescription: string,
): void {
  const isElsewhere = epayments.callbackCodes
    .values()
    .some((code) => code.unit !== unit && code.merchantQrId === beaconId);
  if (isElsewhere) throw new ServiceError(409, null, 'Another merchant has this code');
  putCode(epayments, unit, beaconId, locationDescription);
}

/** @throws ServiceError 404 */
function codeOf(
  { callbackCodes }: Epayments,
  { unit }: Caller,
  merchantQrId: string,
): CallbackCode {
  const code = callbackCodes.get(keyOf(unit, merchantQrId));
  if (code === undefined) throw new ServiceError(404, null, 'There is no such code');
  return code;
}

type ImageQuery = Call<typeof qr.getCallbackQr, Caller>['query'];

/** The image's address contains its format and size. */
function codeAnswer(
  { unit, merchantQrId, locationDescription }: CallbackCode,
  { host }: Caller,
  { qrImageFormat = 'SVG', qrImageSize = defaultImageSize }: ImageQuery,
) {
  const image = [keyOf(unit, merchantQrId), qrImageFormat, qrImageSize].join('/');
  return {
    merchantSerialNumber: unit.msn,
    merchantQrId,
    locationDescription,
    qrImageUrl: `http://${host}/simulator/epayment-code/${encodeURIComponent(image)}`,
    qrContent: contentOf(unit, merchantQrId),
  };
}

function unitAnswer({
  msn,
  name,
  isActive,
  mayPush,
  mayCaptureParts,
  mayLiveLong,
}: SalesUnit): SalesUnitAnswer {
  const configuration = {
    paymentAllowed: isActive,
    captureType: 'ReserveCapture',
    skipLandingPageAllowed: mayPush,
    partialCaptureAllowed: mayCaptureParts,
    lateCaptureAllowed: false,
    longLivingPaymentAllowed: mayLiveLong,
    landingPagePhoneNumberLocked: false,
    recurringAllowed: false,
    creditCardPaymentAllowed: false,
  };
  return {
    msn,
    name,
    businessIdentifier: business,
    settlementBankAccount: bankAccount,
    configuration,
  };
}
