/** The point-of-sale interface v10 and its sandbox operations. */
import { z } from 'zod';
import { toMajorUnits } from '../../../core/domain/money.ts';
import { lookUpCheckIn } from '../../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { type TestEndpoint, testEndpoint, type ApiModule } from '../api-module.ts';
import {
  amountText,
  type SummaryTable,
  type SummaryAction,
  summaryTable,
  shortId,
  timeText,
} from '../summary.ts';
import type { RuleChecker } from '../rule-checker.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import type { IntegratorAuth } from './integrator-auth.ts';
import { pointOfSaleHandlers } from './point-of-sale-handlers.ts';
import {
  accept,
  cancelByUser,
  checkIn,
  currentCheckIn,
  leave,
  applyExpiry,
} from './point-of-sale-payments.ts';
import { applyRefundExpiry } from './point-of-sale-refunds.ts';

const refundOperations = /Refund/;
const AtBeacon = z.object({
  beaconId: z.string().default(''),
  phoneNumber: z.string().default(''),
});

export type PhoneAction = 'checkin' | 'accept' | 'refuse' | 'leave';

/** An action of the customer in the app, at a beacon. @throws ServiceError */
export function performPhoneAction(
  world: World,
  action: PhoneAction,
  beaconId: string,
  phoneNumber: string,
): void {
  const pos = world.posByBeaconId.get(beaconId.toLowerCase());
  if (pos === undefined) throw new ServiceError(409, '1000', 'No point of sale has this beacon');
  switch (action) {
    case 'checkin':
      return checkIn(world, pos, world.phoneByNumber(phoneNumber));
    case 'accept':
      return accept(world, pos, world.phoneByNumber(phoneNumber));
    case 'refuse':
      return cancelByUser(world, pos);
    case 'leave':
      return leave(world, pos);
  }
}

export function pointOfSaleApi(
  world: World,
  integratorAuth: IntegratorAuth,
  ruleChecker: RuleChecker,
): ApiModule {
  const phone = (action: PhoneAction): TestEndpoint =>
    testEndpoint(AtBeacon, ({ beaconId, phoneNumber }) =>
      performPhoneAction(world, action, beaconId, phoneNumber),
    );
  return {
    handlers: pointOfSaleHandlers,
    authenticate(request) {
      const caller = integratorAuth.caller(request);
      return { caller, keyScope: `${caller.integratorId}|${caller.merchantVat}` };
    },
    refusal: ({ code, message }, operation, correlationId) => ({
      code,
      message,
      correlationId,
      ...(refundOperations.test(operation.name) ? { origin: 'PoS' } : {}),
    }),
    unspecifiedCode: '1099',
    keyReusedCode: () => '1306',
    state: () => state(world),
    summary: () => [pointsOfSaleTable(world), paymentsTable(world), refundsTable(world)],
    testEndpoints: {
      'phone/checkin': phone('checkin'),
      'phone/accept': phone('accept'),
      'phone/refuse': phone('refuse'),
      'phone/leave': phone('leave'),
    },
    arrived(operation, { posId = '' }) {
      if (operation.name !== lookUpCheckIn.name) return;
      const pos = world.pointsOfSale.get(posId.toLowerCase());
      // "Only while the QR is displayed" (document 4, section 1.5). The service cannot see the
      // screen, but without a QR beacon it has no code to display.
      if (pos?.supportedBeaconTypes.includes('QR') === false)
        ruleChecker.violations.checkinPollsWithoutQr += 1;
    },
  };
}

function pointsOfSaleTable(world: World): SummaryTable {
  const there = [...world.pointsOfSale.values()].filter(({ deleted }) => !deleted);
  return summaryTable(
    'Points of sale',
    ['Name', 'Own name', 'Beacon', 'Customer', 'Payment'],
    there,
    (pos) => {
      const { beaconId, active } = pos;
      const phone = currentCheckIn(world, pos);
      const act = (label: string, action: PhoneAction): SummaryAction => ({
        label,
        endpoint: `phone/${action}`,
        body: { beaconId },
        byPhone: true,
      });
      return {
        cells: [
          pos.name,
          pos.merchantPosId,
          shortId(beaconId),
          phone?.phoneNumber ?? '',
          active === null
            ? ''
            : `${active.status} ${amountText(active.terms?.amountMinor ?? null, active.terms?.currency ?? null)}`,
        ],
        actions: [
          act('Check in', 'checkin'),
          act('Approve', 'accept'),
          act('Refuse', 'refuse'),
          act('Walk away', 'leave'),
        ],
      };
    },
  );
}

function paymentsTable(world: World): SummaryTable {
  return summaryTable(
    'Payments',
    ['Payment', 'Order', 'Amount', 'State', 'At'],
    [...world.payments.values()],
    (payment) => {
      const { paymentId, orderId, terms, status, history } = applyExpiry(world, payment);
      const amount = amountText(terms?.amountMinor ?? null, terms?.currency ?? null);
      return {
        cells: [shortId(paymentId), orderId, amount, status, timeText(history.at(-1)?.at)],
        actions: [],
      };
    },
  );
}

function refundsTable(world: World): SummaryTable {
  return summaryTable(
    'Refunds',
    ['Refund', 'Of payment', 'Amount', 'State', 'At'],
    [...world.refunds.values()],
    (refund) => {
      const { refundId, payment, amountMinor, currency, status, history } = applyRefundExpiry(
        world,
        refund,
      );
      return {
        cells: [
          shortId(refundId),
          shortId(payment.paymentId),
          amountText(amountMinor, currency),
          status,
          timeText(history.at(-1)?.at),
        ],
        actions: [],
      };
    },
  );
}

/** Everything, oldest first. */
function state(world: World) {
  return {
    payments: [...world.payments.values()].map((payment) => {
      const { paymentId, pos, orderId, terms, status, history, captureCount, capturedMinor } =
        applyExpiry(world, payment);
      return {
        paymentId,
        posId: pos.posId,
        orderId,
        amount: terms === null ? null : toMajorUnits(terms.amountMinor),
        currencyCode: terms?.currency ?? null,
        status,
        history,
        captureCount,
        capturedAmount: toMajorUnits(capturedMinor),
      };
    }),
    refunds: [...world.refunds.values()].map((refund) => {
      const { refundId, payment, refundOrderId, amountMinor, currency, status, history } =
        applyRefundExpiry(world, refund);
      return {
        refundId,
        paymentId: payment.paymentId,
        refundOrderId,
        amount: toMajorUnits(amountMinor),
        currencyCode: currency,
        status,
        history,
      };
    }),
    pointsOfSale: [...world.pointsOfSale.values()].map(
      ({ posId, merchantPosId, name, storeId, beaconId, supportedBeaconTypes, deleted }) => ({
        posId,
        merchantPosId,
        name,
        storeId,
        beaconId,
        supportedBeaconTypes,
        deleted,
      }),
    ),
  };
}
