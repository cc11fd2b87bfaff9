/**
 * The rules as checks of a run that is over (those while it happens: `meanwhile.ts`): each answers
 * what contradicts it, in words.
 */
import type { Lane } from '../../main/core/lane/lane.ts';
import { refundOutcomeOf } from '../../main/core/settlement/outcome.ts';
import { capturedMinorOf } from '../../main/core/settlement/reservation.ts';
import type { Payment } from '../../main/core/settlement/payment.ts';
import type { Refund } from '../../main/core/settlement/refund.ts';
import { type Books, saysPaid } from './books.ts';
import { byHandChecks } from './by-hand.ts';
import { bookedByTills, byTillChecks } from './by-till.ts';
import type { Cashier } from './cashier.ts';
import type { Kept, KeptPayment, KeptRefund } from './kept.ts';
import type { ReservationOffice } from './reservation-office.ts';
import type { Broken, Rule } from './rules.ts';
import type { ShopTill } from './till.ts';

/** The result of one run, when nothing happens any more. */
export interface Outcome {
  readonly kept: Kept;
  readonly books: Books;
  readonly tills: readonly ShopTill[];
  readonly cashier: Cashier;
  readonly reservations: ReservationOffice;
  readonly lanes: readonly Lane[];
  /** The content of the daemon's disk, read anew. */
  readonly disk: readonly string[];
  readonly story: (saleId: string) => readonly {
    readonly atMs: number;
    readonly refundOrderId: string | null;
    readonly event: { readonly type: string };
  }[];
  /** Orders of payments and refunds that somebody else touched at the service, or made there. */
  readonly meddled: ReadonlySet<string>;
  /** How long the service could not be reached without a break. */
  readonly maxOutageMs: number;
  /** Whether nothing fails but that the daemon stands still: then what a till has sent arrives. */
  readonly losesNothing: boolean;
  /** The number of restarts of the daemon. */
  readonly restarts: number;
}

const hourMs = 3_600_000;
/**
 * Somewhat less than a reservation lasts, and than a refund waits before the service pays it out by
 * itself.
 */
const nearlyAReservationMs = 6 * 24 * hourMs;
const nearlyARefundMs = 20 * hourMs;

/** A check with its rule and the name in the message when it is broken. */
export type Check = readonly [Rule, string, (outcome: Outcome) => string[]];

const checks: readonly Check[] = [
  [1, 'captured once, not above the reservation', capturedOnce],
  [1, 'never captured after a cancel', notAfterCancel],
  [2, 'a till believes in a sale when the journal does', tillsAgree],
  [
    2,
    'what a till acknowledged is paid, where nothing can lose its acknowledgement',
    acknowledgedIsPaid,
  ],
  [2, 'the journal says paid when the service captured', serviceAgrees],
  [2, 'what is captured of a reservation is what was agreed', capturedAsAgreed],
  [
    2,
    'what is captured of goods handed out in part is that part, where the service captures one',
    capturedAsHandedOut,
  ],
  [3, 'no reservation is left', noReservationLeft],
  [3, 'what was reserved and not taken was cancelled by intent', cancelledByIntent],
  [4, 'one request, one payment', onePayment],
  [4, 'no payment that no till asked for', requestProblems],
  [4, 'no payment that its till asked for in another currency', notForeign],
  [5, 'refunds are covered', refundsAreCovered],
  [5, 'one action, one refund', oneRefund],
  [5, 'a till believes in a refund when the journal does', tillsAgreeOnRefunds],
  [5, 'the journal says refunded when the service paid out', serviceAgreesOnRefunds],
  [6, 'every payment and refund has ended', allEnded],
  [6, 'every story is whole', storiesAreWhole],
  [7, 'the disk says what was written', diskOnlyGrew],
  [8, 'tills were not told what cannot be', noAlarms],
  ...byHandChecks,
  ...byTillChecks,
];

export function brokenRules(outcome: Outcome): Broken[] {
  const { books, cashier } = outcome;
  return [
    ...books.broken,
    ...cashier.broken,
    ...checks.flatMap(([rule, name, check]) =>
      check(outcome).map((what) => ({ rule, what: `${name}: ${what}` })),
    ),
  ];
}

const ours = ({ kept, meddled }: Outcome): KeptPayment[] =>
  kept.payments().filter(({ orderId }) => !meddled.has(orderId));
const ourRefunds = (outcome: Outcome): KeptRefund[] =>
  ours(outcome).flatMap(({ refunds }) =>
    refunds.filter(({ refundOrderId }) => !outcome.meddled.has(refundOrderId)),
  );
const ofTills = ({ payments }: Books): Payment[] =>
  [...payments.values()].filter(({ sale }) => sale.by !== 'cashier');
const name = ({ orderId, terms, status }: KeptPayment): string =>
  `order ${orderId} (${terms?.amountMinor ?? null}, ${status})`;

function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function capturedOnce(outcome: Outcome): string[] {
  return ours(outcome).flatMap((payment) => {
    if (payment.captureCount > 1)
      return `${name(payment)} was captured ${payment.captureCount} times`;
    if (payment.capturedMinor > (payment.terms?.amountMinor ?? 0))
      return `${name(payment)} was captured with ${payment.capturedMinor}`;
    return [];
  });
}

function notAfterCancel(outcome: Outcome): string[] {
  return ours(outcome).flatMap((payment) => {
    const known = outcome.books.ofOrder(payment.orderId);
    return payment.status === 'Captured' && (known === undefined || !saysPaid(known))
      ? `${name(payment)} is captured, the journal says ${known?.kind}`
      : [];
  });
}

function tillsAgree({ tills, books }: Outcome): string[] {
  const byAmount = grouped(books.payments.values(), ({ sale }) => sale.amountMinor);
  return tills.flatMap(({ requests }) =>
    requests.flatMap(({ kind, amountMinor, belief, acknowledged }) => {
      if (kind !== 'sale') return [];
      const known = byAmount.get(amountMinor as number) ?? [];
      const says = known.map((payment) => payment.kind).join(', ') || 'nothing';
      if (known.some(saysPaid) && !acknowledged)
        return `of ${amountMinor} the journal says ${says}, and the till never acknowledged that it is paid`;
      return (belief === 'yes') === known.some(saysPaid)
        ? []
        : `of ${amountMinor} the till believes ${belief}, the journal says ${says}`;
    }),
  );
}

function acknowledgedIsPaid({ tills, books, losesNothing }: Outcome): string[] {
  if (!losesNothing) return [];
  const payments = grouped(books.payments.values(), ({ sale }) => sale.amountMinor);
  const refunds = grouped(books.refunds.values(), ({ request }) => request.receiptNumber);
  return tills.flatMap(({ requests }) =>
    requests.flatMap(({ kind, amountMinor, receiptNumber, hasSentAcknowledgement }) => {
      if (!hasSentAcknowledgement || (kind !== 'sale' && kind !== 'refund')) return [];
      const ofSale = payments.get(amountMinor as number) ?? [];
      const ofRefund = refunds.get(receiptNumber as number) ?? [];
      const isDone =
        kind === 'sale'
          ? ofSale.some(saysPaid)
          : ofRefund.some((refund) => refundOutcomeOf(refund)?.refunded);
      const says =
        (kind === 'sale' ? ofSale : ofRefund).map((one) => one.kind).join(', ') || 'nothing';
      return isDone ? [] : `a ${kind} of ${amountMinor} was acknowledged, the journal says ${says}`;
    }),
  );
}

function notForeign({ tills, books }: Outcome): string[] {
  const begun = new Set([...books.payments.values()].map(({ sale }) => sale.amountMinor));
  const foreign = tills.flatMap(({ requests }) =>
    requests.filter(({ isForeign, amountMinor }) => isForeign && begun.has(amountMinor as number)),
  );
  return foreign.map(({ amountMinor }) => `${amountMinor} was asked for in EUR, and begun in DKK`);
}

function serviceAgrees(outcome: Outcome): string[] {
  const atService = grouped(outcome.kept.payments(), ({ orderId }) => orderId);
  return [...outcome.books.payments.values()].flatMap((payment) => {
    const { orderId } = payment.sale;
    if (!saysPaid(payment) || outcome.meddled.has(orderId)) return [];
    const there = atService.get(orderId) ?? [];
    if (
      there.some(
        ({ status, capturedMinor }) =>
          status === 'Captured' && capturedMinor === capturedMinorOf(payment),
      )
    )
      return [];
    // Nothing could be captured for as long as a reservation lasts. Then a person was called, which
    // `checkShown` has checked.
    if (payment.kind === 'needsPerson' && outcome.maxOutageMs > nearlyAReservationMs) return [];
    return `order ${orderId} is ${payment.kind} on disk, at the service ${there.map(({ status }) => status).join(', ') || 'nothing'}`;
  });
}

/** Every reservation ends as a manager agreed, or as a till was told. */
function capturedAsAgreed(outcome: Outcome): string[] {
  const { books, reservations, meddled, story } = outcome;
  const booked = bookedByTills(outcome);
  return [...books.payments].flatMap(([saleId, payment]) => {
    const { sale, reservation } = payment;
    if (
      reservation === undefined ||
      sale.plannedCaptureDelay === undefined ||
      meddled.has(sale.orderId)
    )
      return [];
    const agreed = booked.get(saleId) ?? reservations.agreed.get(saleId);
    if (
      booked.has(saleId) &&
      reservations.agreed.has(saleId) &&
      reservations.agreed.get(saleId) !== agreed
    )
      return `of order ${sale.orderId} a till was told ${agreed}, and the manager ${reservations.agreed.get(saleId)}`;
    if (saysPaid(payment))
      return agreed === reservation.captureMinor
        ? []
        : `of order ${sale.orderId} ${agreed ?? 'nothing'} was agreed, and ${reservation.captureMinor} is captured`;
    const wasHeld = story(saleId).some(({ event: { type } }) => type === 'tillAcknowledged');
    const reason = 'reason' in payment ? payment.reason : null;
    if (
      wasHeld &&
      reason !== 'expired' &&
      !((reason === 'cancelledByManager' || reason === 'cancelledByTill') && agreed === 'released')
    )
      return `order ${sale.orderId} was held, ${agreed ?? 'nothing'} was agreed, and it is ${payment.kind}: ${reason}`;
    return typeof agreed === 'number'
      ? `of order ${sale.orderId} ${agreed} was to be captured, and it is ${payment.kind}`
      : [];
  });
}

function capturedAsHandedOut(outcome: Outcome): string[] {
  const parts = new Map(
    outcome.tills.flatMap(({ requests }) =>
      requests.map(
        ({ kind, amountMinor, handedOutMinor }) =>
          [kind === 'sale' ? amountMinor : null, handedOutMinor] as const,
      ),
    ),
  );
  return ours(outcome).flatMap((payment) => {
    const known = outcome.books.ofOrder(payment.orderId);
    if (
      payment.status !== 'Captured' ||
      known === undefined ||
      known.sale.by === 'cashier' ||
      known.sale.plannedCaptureDelay !== undefined
    )
      return [];
    const wholeMinor = known.sale.amountMinor;
    const part = parts.get(wholeMinor) ?? null;
    const wanted = part !== null && payment.phone?.partialCapture === true ? part : wholeMinor;
    return payment.capturedMinor === wanted
      ? []
      : `${name(payment)} was captured with ${payment.capturedMinor}, goods were handed out for ${part ?? 'all of it'}`;
  });
}

const finalStatuses: ReadonlySet<string> = new Set([
  'Captured',
  'CancelledByUser',
  'CancelledByClient',
  'CancelledByService',
  'ExpiredAndCancelled',
]);

function noReservationLeft(outcome: Outcome): string[] {
  return ours(outcome).flatMap((payment) =>
    finalStatuses.has(payment.status) ? [] : `${name(payment)} is still open`,
  );
}

function cancelledByIntent(outcome: Outcome): string[] {
  return ours(outcome).flatMap((payment) => {
    // A reservation that is held may expire.
    if (
      outcome.books.ofOrder(payment.orderId)?.reservation?.captureMinor === null &&
      payment.status === 'ExpiredAndCancelled'
    )
      return [];
    const wasReserved = payment.history.some(({ status }) => status === 'Reserved');
    if (!wasReserved || payment.status === 'Captured' || payment.status === 'CancelledByClient')
      return [];
    return outcome.maxOutageMs > nearlyAReservationMs
      ? []
      : `${name(payment)} was reserved, and nobody took or cancelled it`;
  });
}

function onePayment(outcome: Outcome): string[] {
  const { books, restarts } = outcome;
  return [
    // A till's block that is repeated after a restart begins anew: what was before was ended by the
    // restart.
    ...[...grouped(ofTills(books), ({ sale }) => sale.amountMinor)].flatMap(
      ([amountMinor, payments]) =>
        payments.length > 1 + restarts || payments.filter(saysPaid).length > 1
          ? `${amountMinor} was asked for once and is ${payments.length} sales`
          : [],
    ),
    ...[...grouped(ours(outcome), ({ orderId }) => orderId)].flatMap(([orderId, payments]) =>
      payments.length > 1 ? `order ${orderId} is ${payments.length} payments at the service` : [],
    ),
  ];
}

function requestProblems({ books, tills }: Outcome): string[] {
  const asked = new Set(
    tills.flatMap(({ requests }) =>
      requests.flatMap(({ kind, amountMinor }) =>
        kind === 'sale' || kind === 'reservation' ? (amountMinor as number) : [],
      ),
    ),
  );
  return ofTills(books).flatMap(({ sale }) =>
    asked.has(sale.amountMinor)
      ? []
      : `nobody asked for order ${sale.orderId} of ${sale.amountMinor}`,
  );
}

function refundsAreCovered(outcome: Outcome): string[] {
  const { books, kept } = outcome;
  const inJournal = [...grouped(books.refunds.values(), ({ request }) => request.saleId)].flatMap(
    ([saleId, refunds]) => {
      const sumMinor = refunds.reduce(
        (sum, { kind, request }) => sum + (kind === 'notRefunded' ? 0 : request.amountMinor),
        0,
      );
      const payment = books.payments.get(saleId);
      const paidMinor = payment === undefined ? 0 : capturedMinorOf(payment);
      return sumMinor > paidMinor ? `the journal refunds ${sumMinor} of ${paidMinor}` : [];
    },
  );
  const atService = kept.payments().flatMap((payment) => {
    const sumMinor = payment.refunds.reduce(
      (sum, { status, amountMinor }) =>
        sum + (status === 'Captured' || status === 'ExpiredAndCaptured' ? amountMinor : 0),
      0,
    );
    return sumMinor > payment.capturedMinor ? `${name(payment)} was refunded with ${sumMinor}` : [];
  });
  return [...inJournal, ...atService];
}

function oneRefund(outcome: Outcome): string[] {
  return [...grouped(ourRefunds(outcome), ({ refundOrderId }) => refundOrderId)].flatMap(
    ([order, refunds]) =>
      refunds.length > 1 ? `refund ${order} is ${refunds.length} refunds at the service` : [],
  );
}

/**
 * Each refund that a till believes in is in the journal, and each that the journal has promised to
 * a till is believed in, once.
 */
function tillsAgreeOnRefunds({ tills, books, kept }: Outcome): string[] {
  // On ePayment a refund is done in one step, and the till is told then.
  const isOneStep = ({ request: { paymentId } }: Refund): boolean =>
    kept.epayment(paymentId) !== undefined;
  return tills.flatMap(({ laneId, requests, isOnCable }) => {
    /**
     * Whether the till took the answer to an older command, repeated or still on its way, for this
     * one's. The reservation would be cancelled.
     */
    const isMisled = ({ amountMinor }: Refund['request']): boolean =>
      requests.some(
        (one) =>
          (isOnCable || one.isMisleading === true) &&
          one.kind === 'refund' &&
          // For a refund of all that was left, the till has received no amount.
          (one.amountMinor ?? amountMinor) === amountMinor &&
          one.belief === 'no' &&
          (one.because === 'it was aborted' || one.because === 'it was refused'),
      );
    const promised = [...books.refunds.values()].filter(
      (refund) =>
        refund.request.laneId === laneId &&
        refund.request.by.kind === 'till' &&
        refundOutcomeOf(refund)?.refunded,
    );
    const believed = requests.filter(({ kind, belief }) => kind === 'refund' && belief === 'yes');
    return [
      ...promised.flatMap((refund) => {
        const { request } = refund;
        const by = believed.filter(({ receiptNumber }) => receiptNumber === request.receiptNumber);
        if (by.length === 0 && isOneStep(refund) && isMisled(request)) return [];
        return by.length === 1 &&
          by[0]?.amountMinor === request.amountMinor &&
          (by[0].acknowledged || isOneStep(refund))
          ? []
          : `refund ${request.refundOrderId} was promised, and ${by.length} requests of the till believe in it, ${by.filter(({ acknowledged }) => acknowledged).length} with its acknowledgement`;
      }),
      ...believed.flatMap(({ receiptNumber, amountMinor }) =>
        promised.some(({ request }) => request.receiptNumber === receiptNumber)
          ? []
          : `the till believes in a refund of ${amountMinor}, receipt ${receiptNumber}, that nobody promised`,
      ),
    ];
  });
}

function serviceAgreesOnRefunds(outcome: Outcome): string[] {
  const atService = grouped(ourRefunds(outcome), ({ refundOrderId }) => refundOrderId);
  return [...outcome.books.refunds.values()].flatMap((refund) => {
    const { refundOrderId, saleId } = refund.request;
    if (
      outcome.meddled.has(refundOrderId) ||
      outcome.meddled.has(outcome.books.payments.get(saleId)?.sale.orderId ?? '')
    )
      return [];
    if (refund.kind === 'needsPerson' && outcome.maxOutageMs > nearlyARefundMs) return [];
    const there = (atService.get(refundOrderId) ?? []).map(({ status }) => status);
    const isPaidOut = there.includes('Captured') || there.includes('ExpiredAndCaptured');
    const isOpen = there.some((status) => status === 'Initiated' || status === 'Reserved');
    const isRight = !isOpen && isPaidOut === (refundOutcomeOf(refund)?.refunded === true);
    return isRight
      ? []
      : `refund ${refundOrderId} is ${refund.kind} on disk, at the service ${there.join(', ') || 'nothing'}`;
  });
}

function allEnded(outcome: Outcome): string[] {
  const { books, lanes, tills, meddled, maxOutageMs } = outcome;
  return [
    ...[...books.payments.values()].flatMap(({ kind, sale: { orderId } }) => {
      const isExcused =
        kind === 'needsPerson' && (meddled.has(orderId) || maxOutageMs > nearlyAReservationMs);
      return kind === 'paid' || kind === 'notPaid' || isExcused
        ? []
        : `order ${orderId} is ${kind} for good`;
    }),
    ...[...books.refunds.values()].flatMap(({ kind, request: { refundOrderId, saleId } }) => {
      const isTouched =
        meddled.has(refundOrderId) || meddled.has(books.payments.get(saleId)?.sale.orderId ?? '');
      const isExcused = kind === 'needsPerson' && (isTouched || maxOutageMs > nearlyARefundMs);
      return kind === 'refunded' || kind === 'notRefunded' || isExcused
        ? []
        : `refund ${refundOrderId} is ${kind} for good`;
    }),
    ...tills.flatMap(({ requests }) =>
      requests.flatMap(({ kind, amountMinor, belief }) =>
        belief === 'open'
          ? `the till never learnt what became of its ${kind} of ${amountMinor}`
          : [],
      ),
    ),
    ...lanes.flatMap((lane) =>
      lane
        .snapshot()
        .unsettled.flatMap(({ orderId, problem }) =>
          problem === null ? `the screens still show order ${orderId}` : [],
        ),
    ),
    ...lanes.flatMap((lane) =>
      lane.tillRequests.readiness() === 'ready'
        ? []
        : `lane ${lane.id} takes no payments: ${JSON.stringify(lane.snapshot().condition)}`,
    ),
  ];
}

const lastEvents: ReadonlySet<string | undefined> = new Set(['captured', 'ended', 'personNeeded']);

function storiesAreWhole({ books, story }: Outcome): string[] {
  return [...books.payments].flatMap(([saleId, { sale }]) => {
    const all = story(saleId);
    return [...grouped(all, ({ refundOrderId }) => refundOrderId)].flatMap(
      ([refundOrderId, told]) => {
        const first = told[0]?.event.type;
        const last = told.at(-1)?.event.type;
        const isWhole =
          first === (refundOrderId === null ? 'saleRequested' : 'refundRequested') &&
          lastEvents.has(last) &&
          told.every(({ atMs }) => atMs > 0);
        return isWhole
          ? []
          : `the story of order ${refundOrderId ?? sale.orderId} goes from ${first} to ${last}`;
      },
    );
  });
}

function diskOnlyGrew({ disk, books }: Outcome): string[] {
  const differs = disk.findIndex((entry, index) => entry !== books.lines[index]);
  if (differs >= 0)
    return [`entry ${differs + 1} is ${disk[differs]}, written was ${books.lines[differs]}`];
  return disk.length === books.lines.length
    ? []
    : [`${books.lines.length} entries were written, ${disk.length} are there`];
}

function noAlarms({ tills }: Outcome): string[] {
  return tills.flatMap(({ alarms }) => alarms);
}
