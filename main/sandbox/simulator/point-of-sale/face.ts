/** The point-of-sale interface v10 and its sandbox, as the simulator serves them. */
import { z } from 'zod';
import { toMajorUnits } from '../../../domain/money.ts';
import { lookUpCheckIn } from '../../../wallet/v10/point-of-sale/operations.ts';
import { type Door, door, type Face } from '../face.ts';
import { amountText, type Glance, type GlanceAction, glance, shortId, timeText } from '../glance.ts';
import type { RuleChecker } from '../rule-checker.ts';
import { type Caller, ServiceError, type World } from '../world.ts';
import type { Authority } from './authority.ts';
import { pointOfSaleHandlers } from './handlers.ts';
import { accept, cancelByUser, checkIn, currentCheckIn, leave, settle } from './payments.ts';
import { settleRefund } from './refunds.ts';

const refundOperations = /Refund/;
const AtBeacon = z.object({ beaconId: z.string().default(''), phoneNumber: z.string().default('') });

export type PhoneAction = 'checkin' | 'accept' | 'refuse' | 'leave';

/** What a phone's owner does at a beacon. @throws ServiceError */
export function phoneAtBeacon(world: World, action: PhoneAction, beaconId: string, phoneNumber: string): void {
  const pos = world.posByBeaconId.get(beaconId.toLowerCase());
  if (pos === undefined) throw new ServiceError(409, '1000', 'No point of sale has this beacon');
  switch (action) {
    case 'checkin':
      return checkIn(world, pos, world.phoneNumbered(phoneNumber));
    case 'accept':
      return accept(world, pos, world.phoneNumbered(phoneNumber));
    case 'refuse':
      return cancelByUser(world, pos);
    case 'leave':
      return leave(world, pos);
  }
}

export function pointOfSaleFace(world: World, authority: Authority, ruleChecker: RuleChecker): Face {
  const phone = (action: PhoneAction): Door => door(AtBeacon, ({ beaconId, phoneNumber }) => phoneAtBeacon(world, action, beaconId, phoneNumber));
  return {
    handlers: pointOfSaleHandlers,
    authorize: (request) => authority.caller(request),
    callerKey: (caller) => `${(caller as Caller).integratorId}|${(caller as Caller).merchantVat}`,
    refusal: ({ code, message }, operation, correlationId) => ({
      code,
      message,
      correlationId,
      ...(refundOperations.test(operation.name) ? { origin: 'PoS' } : {}),
    }),
    unspecifiedCode: '1099',
    keyReusedCode: '1306',
    state: () => state(world),
    glance: () => [pointsOfSaleAtAGlance(world), paymentsAtAGlance(world), refundsAtAGlance(world)],
    doors: { 'phone/checkin': phone('checkin'), 'phone/accept': phone('accept'), 'phone/refuse': phone('refuse'), 'phone/leave': phone('leave') },
    arrived(operation, parameters) {
      if (operation.name !== lookUpCheckIn.name) return;
      const pos = world.pointsOfSale.get((parameters[0] as string).toLowerCase());
      // "Only while the QR is displayed" (document 4, section 1.5): what a screen shows is not to be seen from here,
      // but a point of sale without a QR beacon has none to show.
      if (pos?.supportedBeaconTypes.includes('QR') === false) ruleChecker.violations.checkinPollsWithoutQr += 1;
    },
  };
}

function pointsOfSaleAtAGlance(world: World): Glance {
  const there = [...world.pointsOfSale.values()].filter(({ deleted }) => !deleted);
  return glance('Points of sale', ['Name', 'Own name', 'Beacon', 'Customer', 'Payment'], there, (pos) => {
    const { beaconId, active } = pos;
    const phone = currentCheckIn(world, pos);
    const act = (label: string, action: PhoneAction): GlanceAction => ({ label, door: `phone/${action}`, body: { beaconId }, byPhone: true });
    return {
      cells: [
        pos.name,
        pos.merchantPosId,
        shortId(beaconId),
        phone?.phoneNumber ?? '',
        active === null ? '' : `${active.status} ${amountText(active.amountMinor, active.currency)}`,
      ],
      actions: [act('Check in', 'checkin'), act('Approve', 'accept'), act('Refuse', 'refuse'), act('Walk away', 'leave')],
    };
  });
}

function paymentsAtAGlance(world: World): Glance {
  return glance('Payments', ['Payment', 'Order', 'Amount', 'State', 'At'], [...world.payments.values()], (payment) => {
    const { paymentId, orderId, amountMinor, currency, status, history } = settle(world, payment);
    return { cells: [shortId(paymentId), orderId, amountText(amountMinor, currency), status, timeText(history.at(-1)?.at)], actions: [] };
  });
}

function refundsAtAGlance(world: World): Glance {
  return glance('Refunds', ['Refund', 'Of payment', 'Amount', 'State', 'At'], [...world.refunds.values()], (refund) => {
    const { refundId, payment, amountMinor, currency, status, history } = settleRefund(world, refund);
    return { cells: [shortId(refundId), shortId(payment.paymentId), amountText(amountMinor, currency), status, timeText(history.at(-1)?.at)], actions: [] };
  });
}

/** Everything, oldest first. */
function state(world: World) {
  return {
    payments: [...world.payments.values()].map((payment) => {
      const { paymentId, pos, orderId, amountMinor, currency, status, history, captureCount } = settle(world, payment);
      return {
        paymentId,
        posId: pos.posId,
        orderId,
        amount: amountMinor === null ? null : toMajorUnits(amountMinor),
        currencyCode: currency,
        status,
        history,
        captureCount,
      };
    }),
    refunds: [...world.refunds.values()].map((refund) => {
      const { refundId, payment, refundOrderId, amountMinor, currency, status, history } = settleRefund(world, refund);
      return { refundId, paymentId: payment.paymentId, refundOrderId, amount: toMajorUnits(amountMinor), currencyCode: currency, status, history };
    }),
    pointsOfSale: [...world.pointsOfSale.values()].map(({ posId, merchantPosId, name, storeId, beaconId, supportedBeaconTypes, deleted }) => ({
      posId,
      merchantPosId,
      name,
      storeId,
      beaconId,
      supportedBeaconTypes,
      deleted,
    })),
  };
}
