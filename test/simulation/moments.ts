/**
 * Days on which everything happens at the same moment. What a lane asks the service is the sign for
 * it: somebody wants out, the disk fills up, or somebody at the service is faster, just then. Few
 * shops have such a day; without it some inputs would never meet some states.
 */
import type { SimulatedEpayment } from '../../main/sandbox/simulator/epayment/epayment-registry.ts';
import {
  applyExpiry,
  cancel,
  cancelByUser,
  capture,
  createPayment,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-payments.ts';
import {
  applyRefundExpiry,
  cancelRefund,
  captureRefund,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-refunds.ts';
import type {
  SimulatedPayment,
  SimulatedRefund,
} from '../../main/sandbox/simulator/point-of-sale/point-of-sale-model.ts';
import { ServiceError } from '../../main/sandbox/simulator/service-error.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import type { Arrived } from './network.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/** Who can cancel. `cut`: the till's connection breaks; `stop`: the daemon is asked to stop. */
export type Exit = 'till' | 'cashier' | 'manager' | 'cut' | 'stop';

export type Elsewhere = 'cancels' | 'captures' | 'forgets' | 'ends' | 'refuses';

/** Probabilities for each request of a lane, unless the field says otherwise. */
export interface Moments {
  /** Whether they apply to refunds, and otherwise to payments. */
  readonly isOfRefunds: boolean;
  /** Probability that somebody cancels. */
  readonly races: number;
  /** Probability that somebody cancels a payment that is reserved but not polled yet. */
  readonly racesWithApproval: number;
  /**
   * For an input of a state machine, named by its pair (the first that fits): the disk refuses the
   * following write once, and then somebody cancels.
   */
  readonly strikes: readonly { readonly at: RegExp; readonly probability: number }[];
  /** Probability that the disk refuses everything for a while. */
  readonly diskFull: number;
  /**
   * Probability that somebody at the service settles the payment, or that the service ends or
   * forgets it.
   */
  readonly settledElsewhere: number;
  /** Probability of the same for a payment that is reserved but not polled yet. */
  readonly settledAtApproval: number;
  /**
   * What happens at the service. `ends`: the bank takes a reservation back, or it has expired;
   * `refuses`: the customer refuses.
   */
  readonly elsewhere: readonly Elsewhere[];
  /** Probability that another merchant's payment is created before a request that creates. */
  readonly squatting: number;
  /** The ones who cancel. */
  readonly exits: readonly Exit[];
}

export const noMoments: Moments = {
  isOfRefunds: false,
  races: 0,
  racesWithApproval: 0,
  strikes: [],
  diskFull: 0,
  settledElsewhere: 0,
  settledAtApproval: 0,
  elsewhere: ['cancels', 'captures', 'forgets', 'ends', 'refuses'],
  squatting: 0,
  exits: ['till', 'cashier', 'cut', 'stop'],
};

export interface MomentsOptions {
  readonly stage: Stage;
  readonly world: World;
  readonly chance: Chance;
  readonly moments: Moments;
  /** Called with each order that somebody else has touched at the service. */
  readonly meddled: (orderId: string) => void;
  readonly wantsOut: (who: Exit) => void;
  /** Payments at the ePayment service, by reference. */
  readonly epayment: (reference: string) => SimulatedEpayment | undefined;
  readonly settleEpayment: (payment: SimulatedEpayment, what: Elsewhere) => void;
  readonly squatEpayment: (reference: string) => void;
}

export interface MomentsPlayed {
  /** Must be called with each request before the service acts on it. */
  readonly arrived: (arrived: Arrived) => void;
  /** Must be called with each input before a state machine takes it. */
  readonly taken: (pair: string, of: 'payment' | 'refund') => void;
  /** Must be called when a customer has approved a payment at the ePayment service. */
  readonly approved: (payment: SimulatedEpayment) => void;
}

const isOfRefund = (operation: string): boolean => /refund|EpaymentEvents/i.test(operation);

export function playMoments(options: MomentsOptions): MomentsPlayed {
  const { stage, world, chance, moments, meddled, wantsOut } = options;
  const { time, weather } = stage;
  const defaultDiskFault = weather.diskFault;
  let fullUntilMs = 0;

  const refuse = (forMs: number): void => {
    stage.say('disk', () => `refuses everything for ${forMs} ms`);
    fullUntilMs = Math.max(fullUntilMs, time.monotonicMs() + forMs);
    weather.diskFault = 1;
    time.after(forMs, () => {
      if (time.monotonicMs() >= fullUntilMs) weather.diskFault = defaultDiskFault;
    });
  };

  const attempt = (what: Elsewhere, orderId: string, act: () => void): void => {
    try {
      act();
      stage.say('service', () => `somebody else ${what} order ${orderId}`);
      meddled(orderId);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };

  const settlePayment = (payment: SimulatedPayment): void => {
    const what = chance.one(moments.elsewhere);
    attempt(what, payment.orderId, () => {
      switch (what) {
        case 'cancels':
          return cancel(world, payment);
        case 'captures':
          return capture(world, payment, payment.terms?.amountMinor ?? 0);
        case 'forgets':
          world.payments.delete(payment.paymentId);
          payment.pos.open.delete(payment);
          if (payment.pos.active === payment) payment.pos.active = null;
          return;
        case 'refuses':
          return payment.pos.active === payment ? cancelByUser(world, payment.pos) : undefined;
        case 'ends':
          payment.expiresAtMs = Math.min(payment.expiresAtMs, time.monotonicMs());
          applyExpiry(world, payment);
      }
    });
  };

  const settleRefundElsewhere = (refund: SimulatedRefund): void => {
    const what = chance.one(moments.elsewhere);
    attempt(what, refund.refundOrderId, () => {
      switch (what) {
        case 'cancels':
          return cancelRefund(world, refund);
        case 'captures':
          return captureRefund(world, refund);
        case 'forgets':
          world.refunds.delete(refund.refundId);
          refund.payment.refunds.splice(refund.payment.refunds.indexOf(refund), 1);
          return;
        case 'ends':
        case 'refuses':
          return endRefund(refund);
      }
    });
  };

  const endRefund = (refund: SimulatedRefund): void => {
    if (refund.status === 'Initiated') {
      cancelRefund(world, refund);
      refund.status = world.profile.cancelledByProvider;
    } else if (refund.status === 'Reserved') {
      refund.expiresAtMs = time.monotonicMs();
      applyRefundExpiry(world, refund);
    } else throw new ServiceError(409, null, 'it has ended');
  };

  const settleNewestRefund = (): void => {
    const newest = [...world.refunds.values()].findLast(({ status }) => status === 'Reserved');
    if (newest !== undefined) settleRefundElsewhere(newest);
  };

  const squat = (): void => {
    const pos = [...world.pointsOfSale.values()].find(({ active }) => active === null);
    if (pos === undefined) return;
    const terms = {
      amountMinor: 999_999,
      currency: 'DKK',
      plannedCaptureDelay: 'None',
      restrictions: null,
      merchantPaymentLabel: null,
    } as const;
    const orderId = `squatter-${world.payments.size}`;
    meddled(orderId);
    createPayment(world, pos, orderId, terms);
    stage.say('service', () => `somebody else has a payment at ${pos.merchantPosId}`);
  };

  const race = (delayMs: number): void => {
    const who = chance.one(moments.exits);
    time.after(delayMs, () => !stage.calm && wantsOut(who));
    // Sometimes a second one cancels too.
    if (chance.is(0.5)) race(delayMs + chance.steeply(5, 1_500));
  };

  const atApproval = (settle: () => void): void => {
    if (stage.fault(chance, moments.racesWithApproval)) race(chance.between(1, 900));
    if (stage.fault(chance, moments.settledAtApproval))
      time.after(chance.is(0.6) ? chance.between(1, 600) : chance.between(600, 4_000), settle);
  };

  const approved = new Set<SimulatedPayment>();
  if (!moments.isOfRefunds) {
    world.onChange((posId) => {
      for (const payment of world.pointsOfSale.get(posId)?.open ?? []) {
        if (payment.status !== 'Reserved' || approved.has(payment)) continue;
        approved.add(payment);
        atApproval(() => settlePayment(payment));
      }
    });
  }

  const arrived = ({ operation, parameters: [id = ''], body }: Arrived): void => {
    if (isOfRefund(operation) !== moments.isOfRefunds) return;
    if (operation === 'createRefund') {
      const { refundReservationMs } = world.policy;
      if (stage.fault(chance, moments.racesWithApproval))
        race(refundReservationMs + chance.between(1, 900));
      if (stage.fault(chance, moments.settledAtApproval))
        time.after(refundReservationMs + chance.between(100, 900), () => settleNewestRefund());
    }
    if (stage.fault(chance, moments.races)) race(chance.between(1, 1_200));
    if (stage.fault(chance, moments.diskFull))
      refuse(chance.is(0.3) ? chance.steeply(1_000, 10_000) : chance.between(31_000, 60_000));
    if (
      (operation === 'initiatePayment' || operation === 'preparePayment') &&
      stage.fault(chance, moments.squatting)
    )
      squat();
    if (operation === 'createEpayment' && stage.fault(chance, moments.squatting))
      options.squatEpayment((JSON.parse(body ?? '{}') as { reference?: string }).reference ?? '');
    if (!stage.fault(chance, moments.settledElsewhere)) return;
    const payment = world.payments.get(id);
    const refund = world.refunds.get(id);
    const epayment = options.epayment(id);
    const settleIt = (): void => {
      if (payment !== undefined) settlePayment(payment);
      if (refund !== undefined) settleRefundElsewhere(refund);
      if (epayment !== undefined) options.settleEpayment(epayment, chance.one(moments.elsewhere));
    };
    if (chance.is(0.3)) settleIt();
    else time.after(chance.steeply(5, 1_200), () => !stage.calm && settleIt());
  };

  const taken = (pair: string, of: 'payment' | 'refund'): void => {
    if ((of === 'refund') !== moments.isOfRefunds) return;
    const strike = moments.strikes.find(({ at }) => at.test(pair));
    if (strike === undefined || !stage.fault(chance, strike.probability)) return;
    stage.say('disk', () => `strikes at ${pair}`);
    refuse(1);
    race(chance.between(5, 950));
  };
  const epaymentApproved = (payment: SimulatedEpayment): void => {
    if (!moments.isOfRefunds)
      atApproval(() => options.settleEpayment(payment, chance.one(moments.elsewhere)));
  };
  return { arrived, taken, approved: epaymentApproved };
}
