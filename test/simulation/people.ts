/**
 * The people before a counter: a customer with a phone, and now and then somebody who changes a
 * payment at the service.
 */
import { performPhoneAction } from '../../main/sandbox/simulator/point-of-sale/point-of-sale-api.ts';
import {
  cancel,
  capture,
  createPayment,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-payments.ts';
import {
  cancelRefund,
  captureRefund,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-refunds.ts';
import type {
  PointOfSale,
  SimulatedPayment,
  SimulatedRefund,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-model.ts';
import { ServiceError } from '../../main/sandbox/simulator/service-error.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

const phone = '+4520031801';
/** The phone of a customer whose card allows less to be captured than is reserved. */
const partPhone = '+4520031805';
const emptyPhone = '+4520031899';

/**
 * Plays every customer at every point of sale of this world.
 * @param cards whose allow less than their payment to be captured, where nothing was to be reserved
 * @param meddled hears of each order that somebody else touched at the service
 * @returns to be called when there may be a new refund
 */
export function letCustomersCome(
  stage: Stage,
  world: World,
  chance: Chance,
  cards: Chance,
  meddled: (orderId: string) => void,
): () => void {
  const { time, weather } = stage;
  const seen = new Set<SimulatedPayment>();
  const asked = new Set<SimulatedPayment>();
  world.addPhone({ phoneNumber: emptyPhone, balanceMinor: 1 });

  const act = (
    what: Parameters<typeof performPhoneAction>[1],
    pos: PointOfSale,
    number: string,
  ): void => {
    try {
      performPhoneAction(world, what, pos.beaconId, number);
      stage.say('customer', () => `${what} at ${pos.merchantPosId}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      stage.say('customer', () => `wants to ${what} at ${pos.merchantPosId}: ${error.message}`);
    }
  };

  const meet = (payment: SimulatedPayment): void => {
    const { pos } = payment;
    const isReluctant = stage.fault(chance, weather.reluctance);
    const toReserve = payment.terms !== null && payment.terms.plannedCaptureDelay !== 'None';
    const allowsPart = toReserve ? chance.is(0.7) : cards.is(0.5);
    const number = isReluctant && chance.is(0.2) ? emptyPhone : allowsPart ? partPhone : phone;
    const comes = !(isReluctant && chance.is(0.3));
    if (comes)
      time.after(
        chance.steeply(50, 20_000),
        () => pos.active === payment && act('checkin', pos, number),
      );
    if (isReluctant && chance.is(0.3))
      time.after(
        chance.steeply(50, 60_000),
        () => pos.active === payment && act(chance.is(0.5) ? 'refuse' : 'leave', pos, number),
      );
    if (stage.fault(chance, weather.meddling))
      time.after(chance.steeply(500, 30_000), () => meddle(payment));
  };

  const decide = (payment: SimulatedPayment): void => {
    const { pos } = payment;
    const isReluctant = stage.fault(chance, weather.reluctance);
    if (isReluctant && chance.is(0.4)) return;
    const what = isReluctant && chance.is(0.6) ? 'refuse' : 'accept';
    const number = payment.phone?.phoneNumber ?? phone;
    time.after(
      isReluctant ? chance.steeply(1_000, 150_000) : chance.steeply(50, 15_000),
      () => pos.active === payment && act(what, pos, number),
    );
  };

  const attempt = (what: string, orderId: string, run: () => unknown): void => {
    try {
      run();
      stage.say('meddler', () => `${what} order ${orderId}`);
      meddled(orderId);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };

  /** Somebody in the back office who uses the merchant's portal. */
  const meddle = (payment: SimulatedPayment): void => {
    switch (chance.between(0, 4)) {
      case 0:
        return attempt('cancels', payment.orderId, () => cancel(world, payment));
      case 1:
        return attempt('captures', payment.orderId, () =>
          capture(world, payment, payment.terms?.amountMinor ?? 0),
        );
      case 2:
        // The service forgets the payment and answers 404 from now on.
        return attempt('makes the service forget', payment.orderId, () => {
          world.payments.delete(payment.paymentId);
          payment.pos.open.delete(payment);
          if (payment.pos.active === payment) payment.pos.active = null;
        });
      case 3:
        // The amount changes before the approval, so that another amount than requested is
        // reserved.
        const { terms } = payment;
        if (terms === null || payment.status === 'Reserved' || payment.status === 'Captured')
          return;
        return attempt('changes the amount of', payment.orderId, () => {
          payment.terms = { ...terms, amountMinor: terms.amountMinor + chance.one([-1, 1, 100]) };
        });
      default: {
        const other = [...world.pointsOfSale.values()].find(({ active }) => active === null);
        if (other === undefined) return;
        const terms = {
          amountMinor: 999_999,
          currency: 'DKK',
          plannedCaptureDelay: 'None',
          restrictions: null,
          merchantPaymentLabel: null,
        } as const;
        const foreign = createPayment(world, other, `foreign-${world.payments.size}`, terms);
        stage.say('meddler', () => `has a payment of his own at ${other.merchantPosId}`);
        meddled(foreign.orderId);
      }
    }
  };

  world.onChange((posId) => {
    const payment = world.pointsOfSale.get(posId)?.active;
    if (payment == null) return;
    if (!seen.has(payment)) {
      seen.add(payment);
      meet(payment);
    }
    if (payment.status === 'IssuedToUser' && !asked.has(payment)) {
      asked.add(payment);
      decide(payment);
    }
  });

  const meddleWithRefund = (refund: SimulatedRefund): void => {
    if (!stage.fault(chance, weather.meddling)) return;
    time.after(chance.steeply(10, 10_000), () => {
      const { refundOrderId } = refund;
      switch (chance.between(0, 2)) {
        case 0:
          return attempt('pays out', refundOrderId, () => captureRefund(world, refund));
        case 1:
          return attempt('cancels', refundOrderId, () => cancelRefund(world, refund));
        default:
          return attempt('makes the service forget', refundOrderId, () => {
            world.refunds.delete(refund.refundId);
            refund.payment.refunds.splice(refund.payment.refunds.indexOf(refund), 1);
          });
      }
    });
  };

  const seenRefunds = new Set<string>();
  return () => {
    for (const refund of world.refunds.values()) {
      if (seenRefunds.has(refund.refundId)) continue;
      seenRefunds.add(refund.refundId);
      meddleWithRefund(refund);
    }
  };
}
