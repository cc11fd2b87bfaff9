/**
 * The people who scan the code of one payment: a customer, and now and then somebody at the
 * merchant's portal.
 */
import type { Lane } from '../../main/core/lane/lane.ts';
import {
  approve,
  beginApproval,
  cancel,
  capture,
  refund,
  reject,
} from '../../main/sandbox/simulator/epayment/epayment-payments.ts';
import {
  keyOf,
  type SimulatedEpayment,
} from '../../main/sandbox/simulator/epayment/epayment-registry.ts';
import { ServiceError } from '../../main/sandbox/simulator/service-error.ts';
import { referenceOf } from '../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { type Kept, orderIdOf } from './kept.ts';
import type { Elsewhere } from './moments.ts';
import type { Chance } from './random.ts';
import type { Broken } from './rules.ts';
import type { Stage } from './stage.ts';

const phoneNumber = '+4520031801';
const emptyPhoneNumber = '+4520031899';

export interface ScannersOptions {
  readonly stage: Stage;
  readonly chance: Chance;
  readonly kept: Kept;
  /** Called with each order that somebody else has touched at the service. */
  readonly meddled: (orderId: string) => void;
  readonly isMeddled: (orderId: string) => boolean;
  /** Called when a customer has approved the payment. */
  readonly approved: (payment: SimulatedEpayment) => void;
}

export class Scanners {
  readonly broken: Broken[] = [];
  readonly #options: ScannersOptions;
  readonly #met = new Set<string>();

  constructor(options: ScannersOptions) {
    this.#options = options;
  }

  /** Called when a lane's screens have changed: whoever stands there scans what they show. */
  looks(lane: Lane): void {
    const current = lane.snapshot().current;
    if (current === null || current.code === null || current.code === 'awaited') return;
    const { orderId } = current.payment.sale;
    if (this.#met.has(orderId)) return;
    this.#met.add(orderId);
    const payment = this.#options.kept.epayment(referenceOf(orderId));
    // The service has forgotten the payment, or somebody else has touched it.
    if (payment === undefined || this.#options.isMeddled(orderId)) return;
    const { code } = current;
    const says =
      code.kind === 'text'
        ? code.text
        : Buffer.from(code.picture.slice(code.picture.indexOf(',') + 1), 'base64').toString(
            'latin1',
          );
    const isItsOwn =
      code.kind === 'text' ? says === payment.code?.text : says.endsWith(payment.reference);
    if (!isItsOwn)
      this.broken.push({
        rule: 9,
        what: `the screen shows a code for order ${orderId} that is not its own`,
      });
    else this.#meet(payment);
  }

  #meet(payment: SimulatedEpayment): void {
    const { stage, chance } = this.#options;
    const { time, weather } = stage;
    const isReluctant = stage.fault(chance, weather.reluctance);
    if (stage.fault(chance, weather.meddling))
      time.after(chance.steeply(500, 30_000), () => this.#meddle(payment));
    if (isReluctant && chance.is(0.3)) return;
    const number = isReluctant && chance.is(0.2) ? emptyPhoneNumber : phoneNumber;
    time.after(chance.steeply(50, 20_000), () => {
      this.#attempt(payment, 'scans', () => {
        beginApproval(payment, this.#phone(number));
        this.#decide(payment, isReluctant, number);
      });
    });
  }

  #phone(number: string) {
    const { world } = this.#options.kept;
    return number === emptyPhoneNumber
      ? world.addPhone({ phoneNumber: number, balanceMinor: 1 })
      : world.phoneByNumber(number);
  }

  #decide(payment: SimulatedEpayment, isReluctant: boolean, number: string): void {
    const { stage, chance, kept } = this.#options;
    // The customer looks at it, puts the phone away, and may come back to it until it expires.
    const opens = chance.is(0.5);
    if (!opens) payment.isApproving = false;
    if (isReluctant && chance.is(0.3)) return;
    stage.time.after(
      isReluctant ? chance.steeply(1_000, 500_000) : chance.steeply(50, 15_000),
      () => {
        if (isReluctant && chance.is(0.4))
          return this.#attempt(payment, 'refuses', () => reject(kept.epayments, payment));
        this.#attempt(payment, 'approves', () => {
          this.#trouble(payment);
          if (approve(kept.epayments, payment, this.#phone(number)))
            this.#options.approved(payment);
          else if (number === emptyPhoneNumber && chance.is(0.6))
            this.#decide(payment, false, phoneNumber);
        });
      },
    );
  }

  /** The payment is locked for a while, or the bank refuses. */
  #trouble(payment: SimulatedEpayment): void {
    const { stage, chance } = this.#options;
    if (stage.fault(chance, stage.weather.reluctance)) payment.locks = chance.between(1, 3);
    if (!stage.fault(chance, stage.weather.reluctance)) return;
    payment.captureRefusal = chance.one(['6260', '6280']);
    stage.time.after(chance.steeply(1_000, 400_000), () => (payment.captureRefusal = null));
  }

  /** Somebody in the back office who uses the merchant's portal. */
  #meddle(payment: SimulatedEpayment): void {
    const { chance } = this.#options;
    if (chance.is(0.2) && payment.state === 'CREATED') {
      // The amount changes before the approval, so that another amount than requested is reserved.
      this.#options.meddled(orderIdOf(payment));
      Object.assign(payment, { amountMinor: payment.amountMinor + chance.one([1, 100]) });
      return;
    }
    this.settle(payment, chance.one(['cancels', 'captures', 'forgets', 'ends', 'refuses']));
  }

  settle(payment: SimulatedEpayment, what: Elsewhere): void {
    const { kept, stage, chance, meddled } = this.#options;
    const { epayments } = kept;
    const { amountMinor, currency } = payment;
    const part = {
      amountMinor:
        payment.capturedMinor === 0 ? amountMinor : chance.between(1, payment.capturedMinor),
      currency,
    };
    const act = (): void => {
      // A captured payment is never forgotten, because its refunds are found only through it.
      if (what === 'forgets' && payment.capturedMinor === 0)
        return void epayments.payments.delete(keyOf(payment.unit, payment.reference));
      if (what === 'refuses') return reject(epayments, payment);
      if (payment.capturedMinor > 0) return refund(epayments, payment, part, null);
      if (what === 'captures') return capture(epayments, payment, part, null);
      return cancel(epayments, payment, false, null);
    };
    this.#attempt(payment, `somebody else ${what}`, () => {
      act();
      stage.say('meddler', () => `${what} ${payment.reference}`);
      meddled(orderIdOf(payment));
    });
  }

  /** Somebody else creates a payment with our reference. */
  squat(reference: string): void {
    const { kept, meddled, stage } = this.#options;
    const { epayments, unit } = kept;
    if (reference === '' || epayments.payments.has(keyOf(unit, reference))) return;
    const template = epayments.payments.values().next().value;
    if (template === undefined) return;
    const squatter: SimulatedEpayment = {
      ...template,
      reference,
      amountMinor: 999_999,
      metadata: null,
      state: 'CREATED',
      events: [],
      code: null,
      isApproving: false,
      locks: 0,
      captureRefusal: null,
      capturedMinor: 0,
      cancelledMinor: 0,
      refundedMinor: 0,
      cancelTimer: () => {},
    };
    epayments.payments.set(keyOf(unit, reference), squatter);
    stage.say('service', () => `somebody else has a payment ${reference}`);
    meddled(reference);
  }

  #attempt(payment: SimulatedEpayment, what: string, act: () => void): void {
    const { stage } = this.#options;
    try {
      act();
      stage.say('customer', () => `${what} ${payment.reference}, which is ${payment.state}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      stage.say('customer', () => `${what} ${payment.reference}: ${error.message}`);
    }
  }
}
