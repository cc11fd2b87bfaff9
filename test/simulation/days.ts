/**
 * The days of moments (see `moments.ts`): each is about something that would seldom come together
 * by itself.
 */
import { type Moments, noMoments } from './moments.ts';
import type { Chance } from './random.ts';
import type { ShopService } from './wallets.ts';
import type { HttpFault, Operation, Weather } from './weather.ts';

/**
 * The subject of a simulated day: where requests fail and how, and what happens at the same time.
 */
interface Theme {
  readonly on: Readonly<Partial<Record<Operation, number>>>;
  readonly faults: readonly HttpFault[];
  readonly moments: Partial<Moments>;
  readonly but?: Partial<Weather>;
  /** Share of the days; larger for combinations that are rare otherwise. */
  readonly share?: number;
}

const creating = (probability: number) => ({
  initiatePayment: probability,
  preparePayment: probability,
});
const unheard: readonly HttpFault[] = [
  'htmlBefore',
  'wrongTypesAfter',
  'lostBefore',
  'lostAfter',
  'late',
  'refusedBefore',
];
const refusedAndLookedAt: readonly HttpFault[] = [
  'refusedBefore',
  'refusedBefore',
  'lostAfter',
  'lostBefore',
  'status429',
];
const lost: readonly HttpFault[] = ['lostBefore', 'lostBefore', 'lostAfter'];
const ofRefunds = { isOfRefunds: true, exits: ['till', 'manager', 'cut', 'stop'] } as const;
/** Few stops, because a lane that is restarted all the time sells nothing. */
const fewStops = ['till', 'till', 'cashier', 'cashier', 'cut', 'cut', 'stop'] as const;
const fewStopsOfRefunds = ['till', 'till', 'manager', 'manager', 'cut', 'cut', 'stop'] as const;
const inTheWay = { races: 0.5, exits: ['till', 'cashier'] } as const;
const inTheWayAgain = { races: 0.4, exits: ['till', 'cashier', 'cut', 'stop'] } as const;
/** Long enough for somebody to cancel in between, or until just before the deadline. */
const slowRefunds = { refundReservationsMs: [4_000, 4_000, 28_000] } as const;
/** What the service says in the end, and seldom before. */
const lastPolls = [
  { at: /^awaiting.*(polled (captured|cancelled|expired)|pollNotFound)/, probability: 0.9 },
  { at: /^awaiting.*poll/, probability: 0.15 },
] as const;
const everyPoll = [{ at: /^awaiting.*poll/, probability: 0.5 }] as const;
const stops = [
  { at: /^awaiting.*stop/, probability: 0.8 },
  { at: /^offering × tillAnswered no/, probability: 0.9 },
] as const;
const endsOfTheDaemon = [{ at: /interrupted/, probability: 0.9 }] as const;
const foundLate = [{ at: /^notRefunded/, probability: 1 }] as const;

const themes: readonly Theme[] = [
  // Requests that create take long, or their answers are lost.
  {
    on: { ...creating(0.5), listPayments: 0.5, cancelPayment: 0.5 },
    faults: unheard,
    moments: { diskFull: 0.1, races: 0.25, exits: fewStops, strikes: endsOfTheDaemon },
    but: { crash: 0.003 },
  },
  {
    on: { createRefund: 0.7, listRefunds: 0.7, cancelRefund: 0.7 },
    faults: unheard,
    moments: { ...ofRefunds, diskFull: 0.25, races: 0.3, exits: fewStopsOfRefunds },
    but: { ...slowRefunds, crash: 0.003 },
  },
  // Another merchant's payment is in the way.
  {
    on: { ...creating(0.4), listPayments: 0.4, cancelPayment: 0.4 },
    faults: ['lostBefore', 'lostAfter', 'refusedBefore'],
    moments: { squatting: 0.8, races: 0.25, diskFull: 0.05, exits: fewStops },
    but: { crash: 0.003 },
  },
  // A payment that was created, and whose answer was lost, is in the way of the next sale.
  {
    on: { ...creating(0.5), cancelPayment: 0.7 },
    faults: ['lostAfter', 'lostAfter', 'lostBefore', 'refusedBefore'],
    moments: inTheWay,
  },
  {
    on: { ...creating(0.4), listPayments: 0.6, cancelPayment: 0.8 },
    faults: ['wrongTypesAfter', 'lostAfter', 'lostBefore', 'refusedBefore'],
    moments: inTheWayAgain,
    share: 2,
  },
  {
    on: { ...creating(0.6), listPayments: 0.6, cancelPayment: 0.8 },
    faults: ['truncatedAfter', 'truncatedAfter', 'lostBefore', 'refusedBefore'],
    moments: inTheWayAgain,
    share: 2,
  },
  {
    on: { ...creating(0.5), listPayments: 0.7, cancelPayment: 0.8 },
    faults: ['truncatedAfter', 'lostAfter', 'refusedBefore', 'refusedBefore'],
    moments: inTheWayAgain,
    share: 2,
  },
  // Requests that create arrive after everybody has given them up.
  {
    on: { ...creating(0.7), cancelPayment: 0.7 },
    faults: ['muchLater', 'lostBefore', 'refusedBefore'],
    moments: {},
  },
  {
    on: { createRefund: 0.95, cancelRefund: 0.5 },
    faults: ['muchLater', 'muchLater', 'muchLater', 'lostBefore'],
    moments: { ...ofRefunds, races: 0.1, strikes: foundLate },
  },
  // Requests that settle are refused, and their state is looked up.
  {
    on: { capturePayment: 0.6, cancelPayment: 0.6, getPayment: 0.5 },
    faults: refusedAndLookedAt,
    moments: { races: 0.15, racesWithApproval: 0.4, settledElsewhere: 0.2, settledAtApproval: 0.4 },
    but: { reluctance: 0.3 },
  },
  {
    on: { captureRefund: 0.7, cancelRefund: 0.7, getRefund: 0.4 },
    faults: refusedAndLookedAt,
    moments: {
      ...ofRefunds,
      races: 0.15,
      settledElsewhere: 0.3,
      settledAtApproval: 0.3,
      elsewhere: ['forgets', 'forgets', 'cancels', 'captures', 'ends'],
    },
    but: { ...slowRefunds, tillMischief: 0.4 },
  },
  // A cancellation takes so long that what the disk refused before comes after it.
  {
    on: { cancelPayment: 0.85 },
    faults: lost,
    moments: {
      settledElsewhere: 0.1,
      settledAtApproval: 0.8,
      strikes: lastPolls,
      exits: ['cut', 'stop'],
    },
    but: { tillMischief: 0.05, reluctance: 0.5 },
  },
  {
    on: { cancelPayment: 0.8, getPayment: 0.4 },
    faults: ['lostBefore', 'lostAfter', 'status429'],
    moments: { races: 0.1, strikes: everyPoll },
  },
  {
    on: { cancelRefund: 0.85 },
    faults: lost,
    moments: {
      ...ofRefunds,
      racesWithApproval: 0.4,
      settledElsewhere: 0.3,
      settledAtApproval: 0.6,
      strikes: lastPolls,
    },
    but: { ...slowRefunds, tillMischief: 0.05 },
    share: 2,
  },
  // Somebody cancels in the moment of the approval, the disk refuses that, and then the capture is
  // refused.
  {
    on: { capturePayment: 0.8 },
    faults: ['refusedBefore', 'lostBefore'],
    moments: { racesWithApproval: 0.9, strikes: stops },
    but: { tillMischief: 0.1 },
  },
  {
    on: { captureRefund: 0.85 },
    faults: ['refusedBefore', 'lostBefore', 'lostBefore'],
    moments: { ...ofRefunds, racesWithApproval: 0.9, strikes: stops },
    but: { ...slowRefunds, tillMischief: 0.2 },
    share: 2,
  },
  // The poll that should answer a cashier's cancellation is lost, and arrives right after the
  // cashier has left.
  {
    on: { getPayment: 0.5, capturePayment: 0.6, cancelPayment: 0.6 },
    faults: ['askedToWait', 'askedToWait', 'refusedBefore', 'lostBefore'],
    moments: {
      races: 0.3,
      exits: ['cashier'],
      strikes: [{ at: /leftByCashier/, probability: 0.9 }],
    },
    but: { tillMischief: 0.2, byHand: [8, 16] },
    share: 2,
  },
  // The answer to the amount is lost for long.
  {
    on: { readyPayment: 0.85, capturePayment: 0.8, cancelPayment: 0.8 },
    faults: ['lostAfter', 'lostAfter', 'lostBefore', 'refusedBefore', 'refusedBefore'],
    moments: {
      races: 0.1,
      racesWithApproval: 0.2,
      settledAtApproval: 0.7,
      elsewhere: ['forgets', 'cancels', 'ends'],
    },
    but: { preparedFlow: 1, tillMischief: 0.5 },
    share: 3,
  },
];

const lostOrLocked: readonly HttpFault[] = ['lostBefore', 'lostAfter', 'refusedBefore', 'late'];
const whoWasFirst = [
  { at: /^awaiting.*(stop|cancelUnapproved)/, probability: 0.5 },
  { at: /^offering × tillAnswered no/, probability: 0.9 },
] as const;

/**
 * Themes for the ePayment service, where the amount comes first, a cancellation tells which was
 * faster, and a refund is one step.
 */
const newerThemes: readonly Theme[] = [
  // Requests that create take long, are lost, or arrive after everybody has given them up.
  {
    on: { createEpayment: 0.6, getEpayment: 0.3, cancelEpayment: 0.5 },
    faults: [...lostOrLocked, 'htmlBefore', 'wrongTypesAfter'],
    moments: { diskFull: 0.1, races: 0.25, exits: fewStops, strikes: endsOfTheDaemon },
    but: { crash: 0.003 },
  },
  {
    on: { createEpayment: 0.7, cancelEpayment: 0.7 },
    faults: ['muchLater', 'lostBefore', 'refusedBefore'],
    moments: { races: 0.1 },
    but: { crash: 0.002 },
  },
  // Another merchant's payment has the same reference.
  {
    on: { createEpayment: 0.4, cancelEpayment: 0.4 },
    faults: lostOrLocked,
    moments: { squatting: 0.6, races: 0.25, exits: fewStops },
  },
  // Somebody cancels in the moment of the approval, and the answer to the cancellation, which tells
  // which was first, is lost.
  {
    on: { cancelEpayment: 0.6 },
    faults: lostOrLocked,
    moments: {
      races: 0.1,
      racesWithApproval: 0.9,
      exits: ['till', 'cashier'],
      strikes: whoWasFirst,
    },
    share: 3,
  },
  {
    on: { cancelEpayment: 0.6, getEpayment: 0.6, captureEpayment: 0.4 },
    faults: ['lostBefore', 'lostAfter', 'askedToWait', 'tooMany', 'notThereYet', 'late'],
    moments: {
      races: 0.3,
      racesWithApproval: 0.7,
      exits: ['till', 'cashier', 'cut', 'stop'],
      strikes: whoWasFirst,
    },
    but: { crash: 0.003, tillMischief: 0.1 },
    share: 2,
  },
  // Requests that settle are refused, limited, and their state is looked up.
  {
    on: { captureEpayment: 0.6, cancelEpayment: 0.6, getEpayment: 0.5 },
    faults: ['refusedBefore', 'tooMany', 'status429', 'lostAfter', 'lostBefore', 'notThereYet'],
    moments: { races: 0.15, racesWithApproval: 0.4, settledElsewhere: 0.2, settledAtApproval: 0.4 },
    but: { reluctance: 0.4, crash: 0.002 },
    share: 2,
  },
  {
    on: { cancelEpayment: 0.85 },
    faults: lost,
    moments: {
      settledElsewhere: 0.1,
      settledAtApproval: 0.8,
      strikes: lastPolls,
      exits: ['cut', 'stop'],
    },
  },
  {
    on: { getEpayment: 0.7 },
    faults: ['notThereYet', 'lostAfter', 'tooMany'],
    moments: { races: 0.2, strikes: everyPoll },
    but: { crash: 0.004 },
  },
  // The answer to a refund is lost, and the refund is looked up.
  {
    on: { refundEpayment: 0.7, listEpaymentEvents: 0.5, getEpayment: 0.2 },
    faults: [...lostOrLocked, 'tooMany', 'truncatedAfter', 'status500After'],
    moments: { ...ofRefunds, diskFull: 0.2, races: 0.3, exits: fewStopsOfRefunds },
    but: { crash: 0.004 },
    share: 3,
  },
  {
    on: { refundEpayment: 0.9 },
    faults: ['muchLater', 'lostAfter', 'lostBefore'],
    moments: { ...ofRefunds, races: 0.1, settledElsewhere: 0.2, elsewhere: ['cancels', 'forgets'] },
    but: { crash: 0.002 },
  },
];
const drawn = (all: readonly Theme[]) =>
  all.flatMap((theme) => Array.from({ length: theme.share ?? 1 }, () => theme));
const days: Readonly<Record<ShopService, readonly Theme[]>> = {
  v10: drawn(themes),
  epayment: drawn(newerThemes),
  change: drawn([...themes, ...newerThemes]),
};

export function drawDayOfMoments(chance: Chance, service: ShopService): Partial<Weather> {
  const { on, faults, moments, but } = chance.one(days[service]);
  return {
    httpFaults: faults,
    httpOn: new Map(Object.entries(on)),
    diskFault: chance.one([0, 0, 0.2]),
    impatience: chance.one([0, 0, 0.3]),
    deadlinesMs: [10_000, 15_000],
    preparedFlow: 0.5,
    // Many sales, because many find the lane closed.
    sales: [12, 30],
    pollDelaysMs: [1_000],
    refundReservationsMs: [500, 4_000],
    ...but,
    moments: { ...noMoments, ...moments },
  };
}
