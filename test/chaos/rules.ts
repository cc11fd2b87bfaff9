/**
 * The rules about money, checked against the journal, the service's state, the till's memory, and
 * the requests.
 */
import { replayPayment, replayRefund } from '../../main/core/settlement/apply.ts';
import { managerRefundId, screenPaymentId } from '../../main/core/domain/ids.ts';
import { isFinal } from '../../main/core/settlement/outcome.ts';
import type { Payment } from '../../main/core/settlement/payment.ts';
import type { Refund } from '../../main/core/settlement/refund.ts';
import type { Seen } from './gateway.ts';
import type { JournalReader, RefundStory, SaleStory } from './journal-reader.ts';
import type { Pressed, RefundAgain } from './checkout.ts';
import type { Action } from './person.ts';

export interface BookedPayment {
  readonly paymentId: string;
  readonly orderId: string;
  readonly amount: number | null;
  readonly status: string;
  readonly captureCount: number;
  readonly history: readonly { readonly status: string; readonly at: string }[];
}

export interface BookedRefund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly refundOrderId: string;
  readonly amount: number;
  readonly status: string;
  readonly history: readonly { readonly status: string; readonly at: string }[];
}

/** The part of `GET /simulator/state` that is about money. */
export interface Books {
  readonly payments: readonly BookedPayment[];
  readonly refunds: readonly BookedRefund[];
  readonly pointsOfSale: readonly { readonly merchantPosId: string; readonly beaconId: string }[];
  readonly violations: Readonly<Record<string, number>>;
}

const open: ReadonlySet<string> = new Set([
  'Prepared',
  'Initiated',
  'Paired',
  'IssuedToUser',
  'Reserved',
]);
const minor = (amount: number): number => Math.round(amount * 100);
const has = (
  story: { readonly events: readonly { readonly type: string }[] } | undefined,
  type: string,
): boolean => story?.events.some((event) => event.type === type) === true;
const tellsId = (
  story: { readonly events: readonly object[] },
  field: string,
  id: string | null,
): boolean =>
  story.events.some((event) => (event as Readonly<Record<string, unknown>>)[field] === id);

/**
 * Where processes only stand still, nothing loses an acknowledgement: what a till acknowledged is
 * done.
 */
export const unpaid = (pressed: readonly Pressed[]): string[] =>
  pressed.flatMap(({ what, amountMinor, belief, acknowledged }) =>
    acknowledged === true && belief === 'notDone'
      ? `rule 2: the till acknowledged that its ${what} of ${amountMinor} is done, and it was cancelled`
      : [],
  );

/** A request must not leave before its intent is on disk; null when it is. */
export function unintended(seen: Seen, journal: JournalReader): string | null {
  const about = `${seen.kind} ${seen.id ?? ''} ${JSON.stringify(seen.body)}`;
  const sale = journal.sales().find((story) => tellsId(story, 'paymentId', seen.id));
  const refund = journal.refunds().find((story) => tellsId(story, 'refundId', seen.id));
  switch (seen.kind) {
    case 'create': {
      const story = journal.sales().find((story) => story.sale.orderId === seen.body['orderId']);
      if (story === undefined) return `rule 7: ${about}, and no such sale is on disk`;
      const keys = [
        story.sale.idempotencyKey,
        ...story.events.flatMap((event) =>
          event.type === 'createRepeated' ? [event.idempotencyKey] : [],
        ),
      ];
      return keys.includes(seen.idempotencyKey ?? '')
        ? null
        : `rule 4: ${about} with a key that is not on disk`;
    }
    case 'capture':
      if (!has(sale, 'tillAcknowledged'))
        return `rule 2: ${about}, and no acknowledgement of the till is on disk`;
      if (has(sale, 'cancelIntended')) return `rule 1: ${about}, after a cancel was decided`;
      return minor(seen.body['amount'] as number) === sale?.sale.amountMinor
        ? null
        : `rule 1: ${about}, of a sale over ${sale?.sale.amountMinor}`;
    case 'cancel':
      // A payment that the journal does not know blocks the point of sale, and is cancelled.
      return sale === undefined || has(sale, 'cancelIntended') || has(sale, 'ended')
        ? null
        : `rule 3: ${about}, and no intent to is on disk`;
    case 'createRefund': {
      const story = journal
        .refunds()
        .find(({ request }) => request.refundOrderId === seen.body['refundOrderId']);
      if (story === undefined) return `rule 7: ${about}, and no such refund is on disk`;
      return story.request.idempotencyKey === seen.idempotencyKey
        ? null
        : `rule 5: ${about} with a key that is not on disk`;
    }
    case 'captureRefund':
      if (!has(refund, refund?.request.by.kind === 'till' ? 'tillAcknowledged' : 'captureIntended'))
        return `rule 5: ${about}, and no decision is on disk`;
      return has(refund, 'cancelIntended') ? `rule 5: ${about}, after a cancel was decided` : null;
    case 'cancelRefund':
      return has(refund, 'cancelIntended') ? null : `rule 5: ${about}, and no intent to is on disk`;
    case 'ready':
    case 'poll':
    case 'lookUp':
    case 'pollRefund':
    case 'lookUpRefund':
      return null;
  }
}

/**
 * A refund that is not at the service is looked up for minutes, because its request may still
 * arrive. A round takes it for ended.
 */
export function hasEnded(money: Payment | Refund): boolean {
  const isSought =
    money.kind === 'cancelling' &&
    money.failedAttempts > 0 &&
    ('sale' in money ? money.paymentId : money.refundId) === null;
  return isSought || ('sale' in money ? isFinal(money) : isFinal(money));
}

/** Whether something is still under way, in the journal or at the service. */
export function isUnsettled(books: Books, journal: JournalReader): boolean {
  return (
    books.payments.some(({ status }) => open.has(status)) ||
    books.refunds.some(({ status }) => status === 'Initiated' || status === 'Reserved') ||
    journal.sales().some(({ events }) => !hasEnded(replayPayment(events))) ||
    journal.refunds().some(({ events }) => !hasEnded(replayRefund(events)))
  );
}

/** Checks all rules once nothing is under way. @returns a sentence for each broken rule */
export function brokenRules(
  books: Books,
  journal: JournalReader,
  pressed: readonly Pressed[],
  actions: readonly Action[],
): string[] {
  const sales = journal.sales();
  const refunds = journal.refunds();
  const rewritten = journal.rewritten();
  return [
    ...(rewritten === null ? [] : [`rule 7: the journal was rewritten: ${rewritten}`]),
    ...sales.flatMap((story) => brokenBySale(story, books)),
    ...refunds.flatMap((story) => brokenByRefund(story, books)),
    ...books.payments.flatMap((payment) => brokenByPayment(payment, books, sales)),
    ...pressed.flatMap((press) => brokenAtTheTill(press, sales, refunds)),
    ...actions.flatMap((action) => brokenAtTheScreen(action, sales, refunds, books)),
    ...['keyReuse', 'missingIdempotencyKey'].flatMap((name) =>
      (books.violations[name] ?? 0) > 0
        ? [`manners: ${books.violations[name]} ${name} at the service`]
        : [],
    ),
  ];
}

function brokenBySale({ sale, events }: SaleStory, books: Books): string[] {
  const payment = replayPayment(events);
  const mine = books.payments.filter(({ orderId }) => orderId === sale.orderId);
  const captured = mine.filter(({ status }) => status === 'Captured');
  const about = `the sale of ${sale.amountMinor} (${sale.orderId})`;
  return [
    ...(hasEnded(payment) ? [] : [`rule 6: ${about} has not come to its end: ${payment.kind}`]),
    ...(payment.kind === 'needsPerson'
      ? [
          `rule 6: ${about} needs a person, although the service never failed for good: ${payment.problem}`,
        ]
      : []),
    ...(captured.length > 1 || captured.some(({ captureCount }) => captureCount !== 1)
      ? [`rule 1: ${about} was captured more than once`]
      : []),
    ...(captured.some(({ amount }) => minor(amount ?? 0) !== sale.amountMinor)
      ? [`rule 1: ${about} was captured with another amount`]
      : []),
    ...((payment.kind === 'paid') === (captured.length === 1)
      ? []
      : [
          `rule 2: ${about} is ${payment.kind} in the journal, and captured ${captured.length} times`,
        ]),
    ...(mine.length > 1 && !events.some(({ type }) => type === 'createRepeated')
      ? [`rule 4: ${about} has ${mine.length} payments`]
      : []),
  ];
}

function brokenByPayment(
  payment: BookedPayment,
  books: Books,
  sales: readonly SaleStory[],
): string[] {
  const about = `payment ${payment.paymentId} (${payment.orderId}, ${payment.amount})`;
  const refunded = books.refunds.filter(
    ({ paymentId, status }) =>
      paymentId === payment.paymentId &&
      status !== 'CancelledByClient' &&
      status !== 'CancelledByService',
  );
  const refundedMinor = refunded.reduce((sum, { amount }) => sum + minor(amount), 0);
  return [
    ...(sales.some(({ sale }) => sale.orderId === payment.orderId)
      ? []
      : [`rule 4: no sale belongs to ${about}`]),
    ...(open.has(payment.status) ? [`rule 3: ${about} is left ${payment.status}`] : []),
    ...(refundedMinor > minor(payment.amount ?? 0)
      ? [`rule 5: of ${about}, ${refundedMinor} were refunded`]
      : []),
  ];
}

function brokenByRefund(story: RefundStory, books: Books): string[] {
  const { request, events } = story;
  const refund = replayRefund(events);
  const mine = books.refunds.filter(({ refundOrderId }) => refundOrderId === request.refundOrderId);
  const paidOut = mine.filter(
    ({ status }) => status === 'Captured' || status === 'ExpiredAndCaptured',
  );
  const about = `the refund of ${request.amountMinor} (${request.refundOrderId})`;
  return [
    ...(hasEnded(refund) ? [] : [`rule 6: ${about} has not come to its end: ${refund.kind}`]),
    ...(refund.kind === 'needsPerson'
      ? [
          `rule 6: ${about} needs a person, although the service never failed for good: ${refund.problem}`,
        ]
      : []),
    ...(mine.length > 1 ? [`rule 5: ${about} was made ${mine.length} times`] : []),
    ...(has(story, 'captured') === (paidOut.length === 1)
      ? []
      : [
          `rule 5: ${about} ended with ${story.events.at(-1)?.type}, and was paid out ${paidOut.length} times`,
        ]),
    ...(paidOut.some(({ amount }) => minor(amount) !== request.amountMinor)
      ? [`rule 5: ${about} was paid out with another amount`]
      : []),
  ];
}

/**
 * A till that requested the refund of a whole sale again must not be told that it is refunded, or
 * cannot be, unless that was decided.
 */
export function brokenAskingAgain(
  { codes, endedMs }: RefundAgain,
  amountMinor: number,
  refunds: readonly RefundStory[],
): string[] {
  const mine = refunds.filter(({ request }) => request.amountMinor === amountMinor);
  const isDecided = mine.some((story) => has(story, 'tillAcknowledged'));
  const hexCodes = codes.map((code) => code.toString(16)).join(' ');
  return [
    ...(codes.includes(0xb4) && !isDecided
      ? [
          `rule 9: the till heard "already refunded" of ${amountMinor}, and no refund of it was decided: ${hexCodes}`,
        ]
      : []),
    ...(codes.includes(0xb5)
      ? [`rule 9: the till heard that ${amountMinor} cannot be refunded: ${hexCodes}`]
      : []),
    ...(endedMs === null
      ? [
          `rule 6: the till asked for the refund of ${amountMinor} again and again, in vain: ${hexCodes}`,
        ]
      : []),
  ];
}

/**
 * Every request of a till has another amount, except repeated ones, so a sale is found by its
 * amount.
 */
function brokenAtTheTill(
  { what, amountMinor, belief, besides }: Pressed,
  sales: readonly SaleStory[],
  refunds: readonly RefundStory[],
): string[] {
  const mine =
    what === 'sale'
      ? sales.filter(({ sale }) => sale.amountMinor === amountMinor)
      : refunds.filter(({ request }) => request.amountMinor === amountMinor);
  const requestCount = 1 + besides.length;
  const done = mine.filter((story) => has(story, 'captured')).length;
  const beliefs = [belief, ...besides.map((beside) => beside.belief)];
  const doneCount = beliefs.filter((heard) => heard === 'done').length;
  // A closed second connection receives no result, and an overtaken request gets none either: these
  // may have ended either way.
  const unknownCount =
    besides.filter((beside) => beside.belief === 'open').length + (belief === 'overtaken' ? 1 : 0);
  const about = `its ${what} of ${amountMinor}`;
  return [
    ...(mine.length > requestCount
      ? [
          `rule 4: the till asked ${requestCount} times for a ${what} of ${amountMinor}, the journal has ${mine.length}`,
        ]
      : []),
    ...(belief === 'open' ? [`rule 2: the till never learnt how ${about} ended`] : []),
    ...(done < doneCount
      ? [
          `rule 2: the till was told ${doneCount} times that ${about} was done, and it was ${done} times`,
        ]
      : []),
    ...(belief !== 'open' && done > doneCount + unknownCount
      ? [
          `rule 2: the till was told ${doneCount} times that ${about} was done, and it was ${done} times`,
        ]
      : []),
  ];
}

/** One action, one payment or refund, however often it was sent. */
function brokenAtTheScreen(
  { what, actionId, amountMinor, answer }: Action,
  sales: readonly SaleStory[],
  refunds: readonly RefundStory[],
  books: Books,
): string[] {
  const about = `the ${what} of ${amountMinor} at the screen (${actionId})`;
  const inJournal =
    what === 'payment'
      ? sales.filter(({ sale }) => sale.amountMinor === amountMinor).map(({ sale }) => sale.saleId)
      : refunds
          .filter(({ request }) => request.amountMinor === amountMinor)
          .map(({ request }) => request.refundOrderId);
  const atService =
    what === 'payment'
      ? books.payments.filter(({ status }) => status === 'Captured')
      : books.refunds;
  const moved = atService.filter(({ amount }) => minor(amount ?? 0) === amountMinor).length;
  const id = what === 'payment' ? screenPaymentId(actionId) : managerRefundId(actionId);
  return [
    ...(answer?.ok === true && inJournal.length === 0
      ? [`rule 7: ${about} was taken, and is not on disk`]
      : []),
    ...(answer?.ok === true ? [] : [`rule 6: ${about} was not taken: ${JSON.stringify(answer)}`]),
    ...(inJournal.every((one) => one === id)
      ? []
      : [`rule 4: ${about} is on disk as ${inJournal.join(', ')}`]),
    ...(inJournal.length > 1 || moved > 1
      ? [`rule 4: ${about} is ${inJournal.length} times on disk, ${moved} times at the service`]
      : []),
  ];
}
