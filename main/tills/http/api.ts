/** The handlers of the HTTP API. */
import { isToBeAgreed } from '../../core/settlement/payment-decisions.ts';
import { isWaitedFor } from '../../core/settlement/outcome.ts';
import { claimantOf, type Payment as PaymentState } from '../../core/settlement/payment.ts';
import type { Refund as RefundState } from '../../core/settlement/refund.ts';
import type {
  AmountAnswer,
  BookingAnswer,
  BookingRequest,
  RefundAnswerWithId,
  PaymentAnswerWithId,
} from '../../core/lane/till-port.ts';
import type { HttpCounter } from './lane.ts';
import type { AnswerOf, BodyOf, OperationName, QueryOf } from './operations.ts';
import { type ProblemCode, Refused } from './problems.ts';
import { type Requester, requestId } from './request-id.ts';
import {
  type DayCounted,
  laneView,
  paymentView,
  refundView,
  reservationsView,
  totalsView,
} from './views.ts';

export interface ApiRequest<Name extends OperationName> {
  readonly counter: HttpCounter;
  readonly body: BodyOf<Name>;
  readonly query: QueryOf<Name>;
  readonly path: Readonly<Record<string, string>>;
  /** `Idempotency-Key`; empty for a GET. */
  readonly key: string;
  /** The till's address and the name of its token, for the journal. */
  readonly from: string;
  readonly requester: Requester;
  /** The totals of the till's lane; `day` is null for today. */
  readonly dayTotals: (day: string | null) => DayCounted;
  /** Resolves when `isDone` is true, after `ms`, or when the caller has disconnected. */
  readonly until: (isDone: () => boolean, ms: number) => Promise<void>;
}

interface Answered<Name extends OperationName> {
  readonly status: 200 | 201 | 202;
  readonly body: AnswerOf<Name>;
  readonly location?: string;
}

/** The handlers of every operation but the stream of events, which `events.ts` has. */
export type Handlers = {
  readonly [Name in Exclude<OperationName, 'getEvents'>]: (
    asked: ApiRequest<Name>,
  ) => Answered<Name> | Promise<Answered<Name>>;
};

export const handlers: Handlers = {
  createPayment({ counter, body, key, from, requester }) {
    const { lane } = counter;
    const paymentId = requestId('payment', lane, key, requester);
    const { reserve = false, amountFollows = false, ...money } = body;
    const answer = lane.requestNamedSale(paymentId, {
      ...money,
      reserve,
      amountFollows,
      from,
      namedBy: requester.tokenId,
    });
    if (!answer.accepted) throw refusedSale(answer, counter);
    const payment = paymentView(paymentIn(counter, paymentId), counter);
    return {
      status: answer.isRepeated ? 200 : 201,
      body: payment,
      location: `/v1/payments/${paymentId}`,
    };
  },

  async getPayment({ counter, path: { paymentId = '' }, query, until }) {
    // Waits until the till has something to do: give the amount, or act on the decision.
    const isAwaited = (payment: PaymentState | null): boolean =>
      payment !== null && isWaitedFor(payment) && !isToBeAgreed(payment);
    if (isAwaited(paymentIn(counter, paymentId)))
      await until(() => !isAwaited(counter.lane.payment(paymentId)), query.wait * 1_000);
    return { status: 200, body: paymentView(paymentIn(counter, paymentId), counter) };
  },

  cancelPayment({ counter, path: { paymentId = '' }, from }) {
    const { lane } = counter;
    const payment = ofTill(counter, paymentId);
    const now = () => paymentView(paymentIn(counter, paymentId), counter);
    if (payment.kind === 'held') {
      book(counter, payment, { kind: 'back', amountMinor: payment.sale.amountMinor }, from);
      return { status: 202, body: now() };
    }
    if (payment.kind === 'notPaid' || payment.kind === 'cancelling')
      return { status: 200, body: now() };
    if (!isWaitedFor(payment) || lane.abortSale(paymentId) === 'tooLate')
      throw new Refused('too-late');
    return { status: 202, body: now() };
  },

  giveAmount({ counter, path: { paymentId = '' }, body: { amountMinor, currency } }) {
    const payment = ofTill(counter, paymentId);
    if (payment.sale.currency !== currency) throw ofLane('wrong-currency', counter);
    const answer = counter.lane.agreeNamedAmount(paymentId, amountMinor) ?? 'amountFixed';
    if (answer !== 'agreed') throw new Refused(amountProblems[answer]);
    return { status: 200, body: paymentView(paymentIn(counter, paymentId), counter) };
  },

  capturePayment({ counter, path: { paymentId = '' }, body: { amountMinor, currency }, from }) {
    const payment = ofTill(counter, paymentId);
    if (payment.sale.currency !== currency) throw ofLane('wrong-currency', counter);
    const isCaptured =
      (payment.kind === 'capturing' || payment.kind === 'paid') &&
      payment.reservation?.captureMinor === amountMinor;
    if (!isCaptured && payment.kind !== 'held') throw new Refused('not-reserved');
    if (payment.kind === 'held') book(counter, payment, { kind: 'used', amountMinor }, from);
    return {
      status: isCaptured ? 200 : 202,
      body: paymentView(paymentIn(counter, paymentId), counter),
    };
  },

  getReservations: ({ counter }) => ({ status: 200, body: reservationsView(counter.lane) }),

  getTotals: ({ counter, query, dayTotals }) => ({
    status: 200,
    body: totalsView(dayTotals(query.day ?? null), counter.lane),
  }),

  createRefund({ counter, path: { paymentId = '' }, body, key, from, requester }) {
    const { lane } = counter;
    const { sale } = paymentIn(counter, paymentId);
    const refundId = requestId('refund', lane, key, requester);
    const answer = lane.requestNamedRefund(refundId, {
      ...body,
      saleId: sale.saleId,
      from,
      namedBy: requester.tokenId,
    });
    if (!answer.accepted) throw refusedRefund(answer, counter);
    return {
      status: answer.isRepeated ? 200 : 201,
      body: refundView(refundIn(counter, refundId)),
      location: `/v1/refunds/${refundId}`,
    };
  },

  getRefunds({ counter, path: { paymentId = '' } }) {
    const { sale } = paymentIn(counter, paymentId);
    return { status: 200, body: { refunds: counter.lane.refundsOf(sale.saleId).map(refundView) } };
  },

  async getRefund({ counter, path: { refundId = '' }, query, until }) {
    if (isWaitedFor(refundIn(counter, refundId)))
      await until(() => !isPending(counter.lane.refund(refundId)), query.wait * 1_000);
    return { status: 200, body: refundView(refundIn(counter, refundId)) };
  },

  getLanes: ({ counter }) => ({ status: 200, body: { lanes: [laneView(counter.lane)] } }),

  getLane({ counter, path: { laneId = '' } }) {
    if (laneId !== counter.lane.id)
      throw new Refused('not-found', 'this token has no lane of this id');
    return { status: 200, body: laneView(counter.lane) };
  },
};

const isPending = (state: PaymentState | RefundState | null): boolean =>
  state !== null && isWaitedFor(state);

function paymentIn({ lane }: HttpCounter, paymentId: string): PaymentState {
  const payment = lane.payment(paymentId);
  if (payment === null) throw new Refused('payment-unknown');
  return payment;
}

/** A payment that a till may end: not one that a cashier typed. */
function ofTill(counter: HttpCounter, paymentId: string): PaymentState {
  const payment = paymentIn(counter, paymentId);
  if (claimantOf(payment.sale) !== 'till') throw new Refused('not-the-tills');
  return payment;
}

function refundIn({ lane }: HttpCounter, refundId: string): RefundState {
  const refund = lane.refund(refundId);
  if (refund === null) throw new Refused('refund-unknown');
  return refund;
}

/** The decision needs no acknowledgement: a till over HTTP can ask for the result at any time. */
function book(
  { lane }: HttpCounter,
  { sale }: Extract<PaymentState, { kind: 'held' }>,
  what: BookingRequest['what'],
  from: string,
): void {
  const { receiptNumber, traceNumber, currency } = sale;
  const answer = lane.requestBooking({ receiptNumber, traceNumber, what, currency, from });
  if (!answer.accepted) throw new Refused(bookingProblems[answer.reason]);
  const ended = lane.endBooking(answer.booking, true);
  if (ended === 'storageFailed') throw new Refused('storage-failed');
  if (ended !== 'booked') throw new Refused('not-reserved');
}

type ReasonOf<Answer> = Answer extends { readonly accepted: false; readonly reason: infer Reason }
  ? Reason
  : never;

const saleProblems: Readonly<Record<ReasonOf<PaymentAnswerWithId>, ProblemCode>> = {
  busy: 'lane-busy',
  notReady: 'lane-not-ready',
  serviceUnreachable: 'service-unreachable',
  wrongCurrency: 'wrong-currency',
  amountTooSmall: 'amount-too-low',
  amountTooHigh: 'amount-too-high',
  storageFailed: 'storage-failed',
  noReservations: 'no-reservations',
  nameUsed: 'key-reused',
  noOpenAmounts: 'no-open-amounts',
  noAgeLimits: 'no-age-limits',
};

const amountProblems: Readonly<Record<Exclude<AmountAnswer, 'agreed'>, ProblemCode>> = {
  amountTooSmall: 'amount-too-low',
  amountTooHigh: 'amount-too-high',
  amountFixed: 'amount-fixed',
  storageFailed: 'storage-failed',
};

const refundProblems: Readonly<Record<ReasonOf<RefundAnswerWithId>, ProblemCode>> = {
  busy: 'lane-busy',
  notReady: 'lane-not-ready',
  serviceUnreachable: 'service-unreachable',
  wrongCurrency: 'wrong-currency',
  unknownReceipt: 'not-refundable',
  alreadyRefunded: 'already-refunded',
  amountTooHigh: 'amount-too-high',
  amountDiffers: 'amount-too-high',
  overTillLimit: 'amount-too-high',
  amountTooSmall: 'amount-too-low',
  storageFailed: 'storage-failed',
  refundOpen: 'refund-open',
  nameUsed: 'key-reused',
};

const bookingProblems: Readonly<Record<ReasonOf<BookingAnswer>, ProblemCode>> = {
  busy: 'lane-busy',
  notReady: 'lane-not-ready',
  wrongCurrency: 'wrong-currency',
  unknownReservation: 'not-reserved',
  alreadyBooked: 'not-reserved',
  reservationReleased: 'not-reserved',
  reservationExpired: 'not-reserved',
  unclear: 'not-reserved',
  amountTooHigh: 'amount-too-high',
  amountDiffers: 'amount-too-high',
  wholeAmountOnly: 'whole-amount-only',
  storageFailed: 'storage-failed',
  done: 'not-reserved',
};

const refusedSale = (
  { reason }: Extract<PaymentAnswerWithId, { accepted: false }>,
  counter: HttpCounter,
): Refused => ofLane(saleProblems[reason], counter);

function refusedRefund(
  answer: Extract<RefundAnswerWithId, { accepted: false }>,
  counter: HttpCounter,
): Refused {
  if (answer.reason !== 'refundOpen') return ofLane(refundProblems[answer.reason], counter);
  const { askAgainMinutes } = answer;
  if (askAgainMinutes === null)
    return new Refused(
      'refund-open',
      'a person has to clear up another refund of this payment: see the manager’s screen',
    );
  return new Refused('refund-open', `it should be known in ${askAgainMinutes} minutes`, {
    retryAfterSeconds: askAgainMinutes * 60,
  });
}

/** A refusal with what the till needs to know about the lane's state. */
function ofLane(code: ProblemCode, { lane }: HttpCounter): Refused {
  const { currency, paymentId, reason } = laneView(lane);
  switch (code) {
    case 'lane-busy':
      return new Refused(code, undefined, {
        retryAfterSeconds: 2,
        ...(paymentId !== null && { paymentId }),
      });
    case 'lane-not-ready':
    case 'service-unreachable':
      return new Refused(code, `the lane is not ready: ${reason}`, { retryAfterSeconds: 10 });
    case 'wrong-currency':
      return new Refused(code, `the lane's currency is ${currency}`);
    default:
      return new Refused(code);
  }
}
