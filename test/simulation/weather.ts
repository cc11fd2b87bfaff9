/**
 * The faults of one run. Each run draws its own mixture: a shop where everything fails a little
 * finds less than one where one thing fails often.
 */
import type { Policy } from '../../main/sandbox/simulator/policy.ts';
import { drawDayOfMoments } from './days.ts';
import type { Moments } from './moments.ts';
import type { Chance } from './random.ts';
import type { ServiceName } from '../../main/core/domain/sale.ts';
import type { ShopService } from './wallets.ts';

/**
 * Faults of a request. `…Before`: the service did nothing; `…After`: it did, and the answer is lost
 * or spoilt. `late`: it arrives when nobody waits for it.
 */
const httpFaults = [
  'lostBefore',
  'lostAfter',
  'resetBefore',
  'resetAfter',
  'status500Before',
  'status500After',
  'status401',
  'status429',
  'htmlBefore',
  'htmlAfter',
  'truncatedAfter',
  'wrongTypesAfter',
  'slow',
  'late',
] as const;
/**
 * Faults of the ePayment service. `tooMany`: 429 without a time; `notThereYet`: what was just
 * created is unknown to readers.
 */
const newerFaults = ['tooMany', 'notThereYet'] as const;
/**
 * Of the older service, whose answer to a change shows nothing. `ignoredBefore`: 204 to a change
 * that it does not carry out.
 */
const olderFaults = ['ignoredBefore'] as const;
const allFaults = [...httpFaults, ...newerFaults];
const faultsOf: Readonly<Record<ShopService, readonly HttpFault[]>> = {
  v10: [...httpFaults, ...olderFaults],
  epayment: allFaults,
  change: [...allFaults, ...olderFaults],
};
/**
 * `askedToWait`: 429, and for longer than a cashier waits. `refusedBefore`: 409 with the code for
 * all other errors (document 4, section 1.10: 1099). `muchLater`: it arrives after the last time
 * that the service is asked about it.
 */
export type HttpFault =
  | (typeof httpFaults)[number]
  | (typeof newerFaults)[number]
  | (typeof olderFaults)[number]
  | 'refusedBefore'
  | 'muchLater'
  | 'askedToWait';

export interface Weather {
  /** Probability for one request, where `httpOn` does not say otherwise. */
  readonly httpFault: number;
  readonly httpFaults: readonly HttpFault[];
  /** Probability by the name of the operation; null for the same everywhere. */
  readonly httpOn: ReadonlyMap<string, number> | null;
  /** The service cannot be reached at all; shop's time. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Probability for one write to a line. */
  readonly wireFault: number;
  /** Cables pulled and connections cut, per minute. */
  readonly cutsPerMinute: number;
  /** Probability for one append; 1 while the disk is full. */
  diskFault: number;
  /** Probability at each timer, request, write or append of the daemon. */
  readonly crash: number;
  /** Probability at the same moments that the daemon stands still from then on, for 0.1 to 60 s. */
  readonly standstill: number;
  /** A stop that was asked for, per minute. */
  readonly stopsPerMinute: number;
  /** The shop's wall clock is put forward or back, per minute. */
  readonly clockJumpsPerMinute: number;
  /** The till freezes, refuses, asks to wait or is switched off; of one packet. */
  readonly tillMischief: number;
  /** Somebody presses a key that ends the sale; of one sale. */
  readonly impatience: number;
  /** The customer refuses, walks away, or cannot pay; of one sale. */
  readonly reluctance: number;
  /** Somebody else has a payment at this point of sale, or touches ours; of one sale. */
  readonly meddling: number;
  /** How long a customer has, by the lane's settings. */
  readonly deadlinesMs: readonly number[];
  /** Probability that a lane finds its customers first. */
  readonly preparedFlow: number;
  /** The least and the largest number of sales of a till. */
  readonly sales: readonly [number, number];
  /** How many payments a cashier takes by hand. */
  readonly byHand: readonly number[];
  /** How the service paces its clients. */
  readonly pollDelaysMs: readonly number[];
  /** How long it takes over a refund. */
  readonly refundReservationsMs: readonly number[];
  /** Whether nothing else fails on a day with standstills. */
  readonly isFineOtherwise?: boolean;
  /** null when nothing is arranged to happen at the same time. */
  readonly moments: Moments | null;
}

const usual = {
  deadlinesMs: [15_000, 30_000, 60_000],
  preparedFlow: 0.3,
  sales: [8, 32],
  byHand: [0, 0, 0, 0, 0, 0, 1, 4],
  /**
   * Mostly slow to be asked: polls are most of what a run costs. With the last one, waits end by
   * the sale's deadline or by somebody's wish.
   */
  pollDelaysMs: [1_000, 7_000, 10_000, 10_000, 10_000, 3_600_000],
  refundReservationsMs: [0, 0, 0, 500, 4_000, 60_000],
} as const;

/** The requests of a lane that decide about money. */
const operationsAt = {
  v10: [
    'initiatePayment',
    'preparePayment',
    'readyPayment',
    'getPayment',
    'listPayments',
    'capturePayment',
    'cancelPayment',
    'createRefund',
    'listRefunds',
    'getRefund',
    'captureRefund',
    'cancelRefund',
  ],
  epayment: [
    'createEpayment',
    'getEpayment',
    'captureEpayment',
    'cancelEpayment',
    'refundEpayment',
    'listEpaymentEvents',
    'getAccessToken',
  ],
} as const satisfies Record<ServiceName, readonly string[]>;

export type Operation = (typeof operationsAt)[ServiceName][number];
const operations: Readonly<Record<ShopService, readonly Operation[]>> = {
  ...operationsAt,
  change: [...operationsAt.v10, ...operationsAt.epayment],
};

const often = (chance: Chance, probability: number, least: number, most: number): number =>
  chance.is(probability) ? least * (most / least) ** chance.next() : 0;

export function drawWeather(chance: Chance, service: ShopService): Weather {
  const day = chance.next();
  // On some days nothing fails, which shows what must work then.
  if (day < 0.3) return { ...fine, impatience: 0.2, reluctance: 0.2 };
  if (day >= 0.75 && day < 0.93) return { ...fine, ...drawDayOfMoments(chance, service) };
  const kinds = faultsOf[service].filter(() => chance.is(0.5));
  const on = chance.is(0.4)
    ? [chance.one(operations[service]), chance.one(operations[service])]
    : null;
  const httpFault =
    kinds.length === 0
      ? 0
      : on === null
        ? often(chance, 0.5, 0.005, 0.25)
        : often(chance, 0.9, 0.1, 0.9);
  return {
    httpFault,
    httpFaults: kinds,
    httpOn: on && new Map(on.map((operation) => [operation, httpFault])),
    outages: chance.is(0.15) ? [drawOutage(chance)] : [],
    wireFault: often(chance, 0.4, 0.002, 0.15),
    cutsPerMinute: often(chance, 0.25, 0.05, 3),
    diskFault: often(chance, 0.25, 0.005, 0.3),
    crash: often(chance, 0.4, 0.0003, 0.005),
    standstill: 0,
    stopsPerMinute: often(chance, 0.15, 0.05, 1),
    clockJumpsPerMinute: often(chance, 0.2, 0.1, 2),
    tillMischief: often(chance, 0.4, 0.005, 0.2),
    impatience: often(chance, 0.6, 0.05, 0.8),
    reluctance: often(chance, 0.6, 0.05, 0.6),
    meddling: often(chance, 0.2, 0.1, 1),
    ...usual,
    moments: null,
  };
}

/** Whether nothing takes away what a till has sent. */
export const isOnlyStandstills = (weather: Weather): boolean =>
  weather.standstill > 0 && weather.isFineOtherwise === true;

/**
 * In a quarter of the shops the daemon stands still at times; in half of those nothing else fails.
 */
export function withStandstills(weather: Weather, chance: Chance): Weather {
  if (!chance.is(0.25)) return weather;
  const standstill = chance.steeply(1, 50) / 5_000;
  return chance.is(0.5)
    ? { ...fine, impatience: 0.1, standstill, isFineOtherwise: true }
    : { ...weather, standstill };
}

function drawOutage(chance: Chance): { fromMs: number; toMs: number } {
  const fromMs = chance.between(0, 120_000);
  // Mostly minutes, and seldom longer than a reservation lasts: the service is asked every ten
  // seconds of it, which makes the run slow.
  const lengthMs = chance.is(0.002)
    ? chance.between(1, 8) * 24 * 3_600_000
    : chance.steeply(1_000, 600_000);
  return { fromMs, toMs: fromMs + lengthMs };
}

/** Draws the simulated service's policy. */
export function drawPolicy(
  chance: Chance,
  { refundReservationsMs, pollDelaysMs }: Weather,
): Partial<Policy> {
  const refundReservationMs = chance.one(refundReservationsMs);
  return {
    pollDelayInMs: chance.one(pollDelaysMs),
    refundReservationMs,
    refundPollDelayInMs: Math.max(100, refundReservationMs / 4),
  };
}

const fine: Weather = {
  httpFault: 0,
  httpFaults: [],
  httpOn: null,
  outages: [],
  wireFault: 0,
  cutsPerMinute: 0,
  diskFault: 0,
  crash: 0,
  standstill: 0,
  stopsPerMinute: 0,
  clockJumpsPerMinute: 0,
  tillMischief: 0,
  impatience: 0,
  reluctance: 0,
  meddling: 0,
  ...usual,
  moments: null,
};
