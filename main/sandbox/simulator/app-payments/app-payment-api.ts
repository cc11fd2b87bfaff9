/** App payments and their webhooks, as the simulator serves them. */
import { z } from 'zod';
import { testEndpoint, type ApiModule } from '../api-module.ts';
import {
  amountText,
  limitText,
  type SummaryTable,
  summaryTable,
  shortId,
  timeText,
} from '../summary.ts';
import { authenticatedMerchant } from '../merchant-auth.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import {
  addPoint,
  allPoints,
  type AppPaymentRegistry,
  findPayment,
  findPoint,
  openRegistry,
} from './app-payment-registry.ts';
import { appPaymentHandlers } from './app-payment-handlers.ts';
import { accept, reject, returnUri } from './app-payments.ts';
import { announce } from './app-payment-webhooks.ts';

const OfPayment = z.strictObject({
  paymentId: z.guid(),
  phoneNumber: z
    .string()
    .optional()
    .describe('By default the number with which the merchant prefilled the landing page.'),
});
const HangingCaptures = z.strictObject({ paymentId: z.guid(), times: z.int().min(0).default(1) });
const NewPoint = z.strictObject({ merchantVat: z.string(), name: z.string().min(1) });
const OfPoint = z.strictObject({ paymentPointId: z.guid() });
const Funds = z.strictObject({ paymentPointId: z.guid(), balance: z.int().min(0) });

export function appPaymentsApi(world: World): ApiModule {
  const registry = openRegistry(world);
  world.ledger.onTransfer(({ id, merchantVat, paymentPointId }) =>
    announce(registry, 'transfer.succeeded', { merchantVat, paymentPointId, id }),
  );
  return {
    handlers: appPaymentHandlers(registry),
    authenticate: (request, { path }) =>
      authenticatedMerchant(
        world,
        request,
        path.startsWith('/webhooks') ? 'webhooks' : 'merchantpayments',
      ),
    /** "400: message only" (document 4, section 4). */
    refusal: ({ code, message }, _operation, correlationId) => ({
      ...(code === null ? {} : { code }),
      message,
      correlationId,
      origin: 'APP',
    }),
    unspecifiedCode: null,
    keyReusedCode: () => 'idempotency_key_reused',
    state: () => state(registry),
    summary: () => [paymentsTable(registry), usersTable(registry)],
    testEndpoints: {
      // Actions of a phone's owner. Each answers the address to which the app then sends the user.
      'app-payments/accept': testEndpoint(OfPayment, ({ paymentId, phoneNumber }) => {
        const payment = findPayment(registry, null, paymentId);
        const number = phoneNumber ?? (world.rules < 3 ? null : payment.customerPhoneNumber);
        if (number === null)
          throw new ServiceError(400, null, 'phoneNumber: the landing page has none');
        const paid = accept(registry, payment, world.phoneByNumber(number));
        return { redirectUri: returnUri(payment, paid ? 'successful' : 'failed') };
      }),
      'app-payments/reject': testEndpoint(OfPayment, ({ paymentId }) => {
        const payment = findPayment(registry, null, paymentId);
        reject(registry, payment);
        return { redirectUri: returnUri(payment, 'rejected') };
      }),
      // Actions that only a test can do.
      'app-payments/hang-captures': testEndpoint(HangingCaptures, ({ paymentId, times }) => {
        findPayment(registry, null, paymentId).hangingCaptures = times;
      }),
      'app-payments/create-payment-point': testEndpoint(NewPoint, ({ merchantVat, name }) => {
        const merchant = world.merchants.get(merchantVat);
        if (merchant === undefined)
          throw new ServiceError(404, null, `There is no merchant ${merchantVat}`);
        return {
          paymentPointId: addPoint(registry, {
            paymentPointId: world.ids.uuid(),
            merchant,
            name,
            state: 'created',
          }).paymentPointId,
        };
      }),
      // The balance for refunds, in minor units.
      'app-payments/set-funds': testEndpoint(Funds, ({ paymentPointId, balance }) => {
        findPoint(registry, null, paymentPointId).balanceMinor = balance;
      }),
      'app-payments/activate-payment-point': testEndpoint(OfPoint, ({ paymentPointId }) => {
        const point = findPoint(registry, null, paymentPointId);
        if (point.state === 'active') return;
        point.state = 'active';
        announce(registry, 'paymentpoint.activated', {
          merchantVat: point.merchant.vat,
          paymentPointId,
          id: paymentPointId,
        });
      }),
    },
  };
}

function paymentsTable(registry: AppPaymentRegistry): SummaryTable {
  return summaryTable(
    'App payments',
    ['Payment', 'Reference', 'Amount', 'State', 'At', 'Prefilled phone'],
    [...registry.payments.values()],
    (payment) => {
      const { paymentId, reference, amountMinor, point, state, history, customerPhoneNumber } =
        payment;
      const act = (label: string, action: 'accept' | 'reject') => ({
        label,
        endpoint: `app-payments/${action}`,
        body: { paymentId },
        byPhone: customerPhoneNumber === null,
      });
      return {
        cells: [
          shortId(paymentId),
          reference,
          amountText(amountMinor, point.merchant.currency),
          state,
          timeText(history.at(-1)?.at),
          customerPhoneNumber ?? '',
        ],
        actions: state === 'initiated' ? [act('Approve', 'accept'), act('Refuse', 'reject')] : [],
      };
    },
  );
}

/** The users who approved payments, and those whose limit of a year is set. */
function usersTable({ world, payments }: AppPaymentRegistry): SummaryTable {
  const limited = [...world.phones.values()].filter(
    ({ yearLimitMinor }) => yearLimitMinor !== Number.POSITIVE_INFINITY,
  );
  const numbers = new Set(
    [...limited, ...[...payments.values()].flatMap(({ phone }) => phone ?? [])].map(
      ({ phoneNumber }) => phoneNumber,
    ),
  );
  return summaryTable(
    'Users of app payments',
    ['User', 'Limit a day', 'Limit a year', 'Paid today', 'Paid this year'],
    [...numbers],
    (phoneNumber) => {
      const { dayLimitMinor, yearLimitMinor } = world.phoneByNumber(phoneNumber);
      const { onDay, inYear } = world.appSpending;
      const at = world.at();
      return {
        cells: [
          phoneNumber,
          limitText(dayLimitMinor),
          limitText(yearLimitMinor),
          amountText(onDay(phoneNumber, at), null),
          amountText(inYear(phoneNumber, at), null),
        ],
        actions: [],
      };
    },
  );
}

/** Everything, oldest first. */
function state(registry: AppPaymentRegistry) {
  return {
    appPayments: [...registry.payments.values()].map(
      ({ paymentId, point, phone, customerPhoneNumber, ...payment }) => ({
        paymentId,
        paymentPointId: point.paymentPointId,
        amount: payment.amountMinor,
        reference: payment.reference,
        state: payment.state,
        history: payment.history,
        customerPhoneNumber,
        phoneNumber: phone?.phoneNumber ?? null,
        capturedAmount: payment.capturedMinor,
        refundedAmount: payment.refundedMinor,
      }),
    ),
    appRefunds: [...registry.refunds.values()].map(
      ({ refundId, payment, amountMinor, reference }) => ({
        refundId,
        paymentId: payment.paymentId,
        amount: amountMinor,
        reference,
      }),
    ),
    appPaymentPoints: allPoints(registry).map(({ paymentPointId, merchant, name, state }) => ({
      paymentPointId,
      merchantVat: merchant.vat,
      name,
      state,
    })),
  };
}
