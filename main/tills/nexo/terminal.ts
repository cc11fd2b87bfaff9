/**
 * Handles each request as a terminal does. What moves money is asked of the lane, with an id
 * derived from the message's own name.
 */
import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.ts';
import type { ClosingTold } from '../../core/domain/day.ts';
import { isWaitedFor, outcomeOf, refundOutcomeOf } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import { capturedMinorOf } from '../../core/settlement/reservation.ts';
import type { TillScope } from '../../core/domain/till-scopes.ts';
import type { Currency } from '../../core/domain/money.ts';
import { currencies } from '../../core/domain/money.ts';
import type { HeardTill, HttpLane } from '../http/lane.ts';
import {
  hostStatus,
  paymentBody,
  poiStatus,
  poiSystem,
  refusedPayment,
  refusedReversal,
  reversalBody,
  totalsOf,
} from './bodies.ts';
import {
  AboutMessage,
  DiagnosisRequest,
  furtherAmountIn,
  GetTotalsRequest,
  type Header,
  LoginRequest,
  type MessageReference,
  mistakesOf,
  PaymentRequest,
  readsLoyalty,
  ReconciliationRequest,
  ReversalRequest,
  type TransactionId,
} from './messages.ts';
import {
  closingNamed,
  isOfNow,
  isPast,
  isStillUsed,
  type Named,
  namedBy,
  newId,
  paymentNamed,
  type Place,
  refundNamed,
  refundOfUntimed,
  saleSaidIn,
  senderOf,
} from './names.ts';
import {
  failure,
  formEncoded,
  malformed,
  nameUsed,
  notClosed,
  notFound,
  notOffered,
  notReversed,
  notTaken,
  type NexoRefusal,
  success,
} from './outcomes.ts';
import type { ReceiptIssuer } from './receipts.ts';
import type { Refusals } from './refusals.ts';

export interface TerminalOptions {
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
  readonly refusals: Pick<
    Refusals,
    | 'keep'
    | 'before'
    | 'mayHaveForgotten'
    | 'keepReversal'
    | 'reversalBefore'
    | 'hasForgotten'
    | 'bind'
    | 'boundTo'
  >;
}

/** A message whose sender is known, for the terminal that it names. */
export interface Message extends Place {
  /** What its receipts say of this terminal. */
  readonly issuer: ReceiptIssuer;
  readonly header: Header;
  /** The content of `PaymentRequest` and the like, not validated yet. */
  readonly body: unknown;
  /**
   * What tells a protected message from every other, also from one with the same content; null when
   * it came with a token.
   */
  readonly seal: string | null;
  /** The caller's address. */
  readonly address: string;
  readonly until: (isDone: () => boolean) => Promise<void>;
  readonly customerOf: HeardTill['customerOf'];
}

/**
 * The answer's body by its name, such as `PaymentResponse`; null for an answer without one. `event`
 * is sent instead of an answer.
 */
export type NexoAnswer =
  | { readonly name: string; readonly body: object }
  | { readonly event: object }
  | null;

/** The scope of a token that a request needs. */
export const scopeOf = (category: string): TillScope => {
  if (category === 'Reversal') return 'refund';
  return category === 'Payment' || category === 'Abort' || category === 'Reconciliation'
    ? 'pay'
    : 'read';
};

export class NexoTerminal {
  readonly #options: TerminalOptions;

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  async answer(message: Message): Promise<NexoAnswer> {
    const { header } = message;
    const name = `${header.MessageCategory}Response`;
    switch (header.MessageCategory) {
      case 'Payment':
        return { name, body: await this.#pay(message) };
      case 'Reversal':
        return { name, body: await this.#reverse(message) };
      case 'Abort':
        return this.#abort(message);
      case 'TransactionStatus':
        return { name, body: this.#status(message) };
      case 'Diagnosis':
        return {
          name,
          body: withBody(DiagnosisRequest, message, ({ HostDiagnosisFlag }) =>
            diagnosis(message, HostDiagnosisFlag === true),
          ),
        };
      case 'Login':
        return {
          name,
          body: withBody(LoginRequest, message, ({ TrainingModeFlag }) =>
            this.#login(message, TrainingModeFlag === true),
          ),
        };
      case 'Logout':
        return { name, body: { Response: success() } };
      case 'GetTotals':
        return {
          name,
          body: withBody(GetTotalsRequest, message, (asked) => totals(message, asked)),
        };
      case 'Reconciliation':
        return {
          name,
          body: withBody(ReconciliationRequest, message, (asked) =>
            this.#reconcile(message, asked),
          ),
        };
      default:
        return {
          name,
          body: {
            Response: failure(notOffered(`${header.MessageCategory} is not available here.`)),
          },
        };
    }
  }

  async #pay({
    header,
    body,
    lane,
    poiId,
    issuer,
    address,
    until,
    customerOf,
  }: Message): Promise<object> {
    const place = { lane, poiId };
    const nowMs = this.#nowMs;
    const named = namedBy(header);
    const id = newId('payment', place, named, nowMs);
    const parsed = PaymentRequest.safeParse(body);
    if (!parsed.success)
      return refusedPayment(malformed(mistakesOf(parsed.error, 'PaymentRequest')), {
        id,
        nowMs,
        sale: null,
      });
    const { SaleData, PaymentTransaction, PaymentData } = parsed.data;
    const { AmountsReq } = PaymentTransaction;
    const { RequestedAmount: amountMinor, Currency } = AmountsReq;
    const sale = SaleData.SaleTransactionID;
    const refused = (refusal: NexoRefusal): object => refusedPayment(refusal, { id, nowMs, sale });
    const type = PaymentData?.PaymentType ?? 'Normal';
    if (type !== 'Normal')
      return refused(
        notOffered(
          `PaymentType ${type} is not available here. Money goes back with a Reversal of its payment.`,
        ),
      );
    const furtherAmount = furtherAmountIn(AmountsReq);
    if (furtherAmount !== null)
      return refused(notOffered(`${furtherAmount} is not available here.`));
    if (!isCurrency(Currency)) return refused(notTaken.wrongCurrency);

    const told = async (payment: Payment): Promise<object> => {
      const { saleId } = payment.sale;
      await until(() => !isPending(lane.begunPayment(saleId)));
      return paymentBody(
        lane.begunPayment(saleId) ?? payment,
        issuer,
        readsLoyalty(parsed.data) ? customerOf(saleId) : null,
      );
    };
    const refuse = (refusal: NexoRefusal): object =>
      this.#refuse('payment', place, named, refused(refusal), sale);
    const earlier = paymentNamed(place, named, nowMs);
    if (earlier !== null && isStillUsed(earlier.sale.startedAtMs, nowMs)) {
      const asked = { amountMinor, currency: Currency };
      return isSameSale(earlier, asked, sale.TransactionID, sale.TimeStamp)
        ? told(earlier)
        : refuse(nameUsed);
    }
    const { refusals } = this.#options;
    const before = refusals.before('payment', place, named);
    if (before !== null) return before;
    const field = 'PaymentRequest.SaleData.SaleTransactionID.TimeStamp';
    if (!isOfNow(sale, nowMs))
      return this.#refuseTime('payment', place, named, refused(malformed(staleTime(field))), sale);
    if (refusals.mayHaveForgotten('payment', place, Date.parse(sale.TimeStamp)))
      return refused(malformed(forgottenTime(field)));
    const answer = lane.requestNamedSale(id, {
      amountMinor,
      currency: Currency,
      from: senderOf(address, named, sale, poiId),
    });
    if (!answer.accepted) return refuse(notTaken[answer.reason]);
    const begun = lane.payment(id);
    return begun === null ? refused(notFound('The payment is not in the journal.')) : told(begun);
  }

  async #reverse({ header, body, lane, poiId, issuer, address, until }: Message): Promise<object> {
    const place = { lane, poiId };
    const nowMs = this.#nowMs;
    const named = namedBy(header);
    const id = newId('refund', place, named, nowMs);
    const parsed = ReversalRequest.safeParse(body);
    const refused = (refusal: NexoRefusal): object =>
      refusedReversal(refusal, { id, nowMs, sale: null });
    if (!parsed.success) return refused(malformed(mistakesOf(parsed.error, 'ReversalRequest')));
    const { SaleData, OriginalPOITransaction, ReversedAmount, PaymentTransaction } = parsed.data;
    const { RequestedAmount, Currency } = PaymentTransaction?.AmountsReq ?? {};
    const furtherAmount = PaymentTransaction && furtherAmountIn(PaymentTransaction.AmountsReq);
    if (furtherAmount != null)
      return refused(notOffered(`${furtherAmount} is not available here.`));
    if (
      ReversedAmount !== undefined &&
      RequestedAmount !== undefined &&
      ReversedAmount !== RequestedAmount
    )
      return refused(malformed('ReversedAmount and RequestedAmount differ.'));
    const { refusals } = this.#options;
    const sale = SaleData?.SaleTransactionID ?? null;
    const reversal = {
      ...named,
      paymentId: OriginalPOITransaction.POITransactionID.TransactionID,
      sale,
    };
    const partMinor = ReversedAmount ?? RequestedAmount;
    const told = async ({ request }: Refund): Promise<object> => {
      await until(() => !isPending(lane.begunRefund(request.refundOrderId)));
      const refund = lane.begunRefund(request.refundOrderId);
      return refund === null
        ? refused(notFound('The refund is not in the journal.'))
        : reversalBody(refund, lane, issuer);
    };
    const refuse = (refusal: NexoRefusal): object => {
      const body = refused(refusal);
      if (sale === null) refusals.keepReversal(place, reversal, body);
      return this.#refuse('refund', place, named, body, sale);
    };
    const earlier = refundNamed(place, named, nowMs);
    if (earlier !== null && isStillUsed(earlier.request.startedAtMs, nowMs)) {
      const { saleId, amountMinor } = earlier.request;
      const reversed = lane.begunPayment(saleId);
      const isSame =
        saleId === reversal.paymentId &&
        amountMinor === (partMinor ?? (reversed && capturedMinorOf(reversed)));
      return isSame ? told(earlier) : refuse(nameUsed);
    }
    const payment = lane.payment(reversal.paymentId);
    if (payment === null || outcomeOf(payment)?.paid !== true) {
      const before = refusals.reversalBefore(place, reversal);
      if (before !== null) return before;
      const unknown = refused(notReversed.unknownReceipt);
      // The payment may be paid later. A message that says an old time begins nothing then either.
      if (sale === null || !isPast(sale, nowMs)) refusals.keepReversal(place, reversal, unknown);
      return unknown;
    }
    if (Currency !== undefined && Currency !== payment.sale.currency)
      return refused(notReversed.wrongCurrency);
    const asked = {
      saleId: payment.sale.saleId,
      amountMinor: partMinor ?? capturedMinorOf(payment),
      currency: payment.sale.currency,
    };
    // All of a payment can be refunded only once. A part could be refunded again by replaying an
    // old message that has no time.
    if (sale === null && asked.amountMinor !== capturedMinorOf(payment))
      return refused(
        malformed(
          'ReversalRequest.SaleData.SaleTransactionID must be there for a part of a payment.',
        ),
      );
    const begunUntimed = sale === null ? refundOfUntimed(place, named, asked.saleId) : null;
    if (begunUntimed !== null) return told(begunUntimed);
    const before =
      refusals.reversalBefore(place, reversal) ?? refusals.before('refund', place, named);
    if (before !== null) return before;
    const field = 'ReversalRequest.SaleData.SaleTransactionID';
    if (sale === null) {
      if (refusals.hasForgotten(place, payment.sale.startedAtMs))
        return refused(
          malformed(
            `${field} must be there: too many messages were refused to know this one from an old one.`,
          ),
        );
    } else {
      if (!isOfNow(sale, nowMs))
        return this.#refuseTime(
          'refund',
          place,
          named,
          refused(malformed(staleTime(`${field}.TimeStamp`))),
          sale,
        );
      if (refusals.mayHaveForgotten('refund', place, Date.parse(sale.TimeStamp)))
        return refused(malformed(forgottenTime(`${field}.TimeStamp`)));
    }
    const answer = lane.requestNamedRefund(id, {
      ...asked,
      from: senderOf(address, named, sale, poiId),
    });
    if (!answer.accepted) return refuse(notReversed[answer.reason]);
    const begun = lane.refund(id);
    return begun === null ? refused(notFound('The refund is not in the journal.')) : told(begun);
  }

  /**
   * A successful abort is answered without a body: the answer to the aborted request has the
   * result. It says nothing of its time, and names are used again. So it is bound to what it was
   * about when it first came: sent again from a recording, it never aborts what has the name then.
   */
  #abort({ header, body, lane, poiId }: Message): NexoAnswer {
    const parsed = AboutMessage.safeParse(body);
    if (!parsed.success) return this.#reject(mistakesOf(parsed.error, 'AbortRequest'));
    const place = { lane, poiId };
    const {
      MessageCategory = '',
      SaleID = header.SaleID,
      ServiceID,
    } = parsed.data.MessageReference;
    const message = ['abort', header.SaleID, header.ServiceID, MessageCategory, SaleID, ServiceID];
    const now = this.#meant(parsed.data.MessageReference, header, place);
    const bound = AbortBound.safeParse(this.#options.refusals.boundTo(place, message)).data ?? null;
    const { payment, refund } = this.#boundTo(bound, now, lane);
    if (bound === null || (bound.id === null && (payment ?? refund) !== null))
      this.#options.refusals.bind(place, message, {
        id: idOf(payment ?? refund),
        atMs: this.#nowMs,
      } satisfies z.input<typeof AbortBound>);
    const named = now.payment ?? now.refund;
    if (isPending(named) && idOf(named) !== idOf(payment ?? refund))
      return this.#reject('This Abort was about another transaction. Take a new ServiceID.');
    if (payment === null && refund === null) return this.#reject('There is no such transaction.');
    const ended = payment === null ? abortRefund(refund, lane) : abortPayment(payment, lane);
    return ended ? null : this.#reject('It is too late to abort the transaction.');
  }

  /**
   * What an abort is about: that of its name when it first came, and for as long as that is its
   * name.
   */
  #boundTo(bound: z.output<typeof AbortBound> | null, now: Meant, lane: HttpLane): Meant {
    if (bound === null) return now;
    if (bound.id === null)
      return isStillUsed(bound.atMs, this.#nowMs) ? now : { payment: null, refund: null };
    const payment = lane.begunPayment(bound.id);
    return { payment, refund: payment === null ? lane.begunRefund(bound.id) : null };
  }

  #status({ header, body, lane, poiId, issuer }: Message): object {
    const parsed = AboutMessage.safeParse(body);
    if (!parsed.success)
      return { Response: failure(malformed(mistakesOf(parsed.error, 'TransactionStatusRequest'))) };
    const reference = parsed.data.MessageReference;
    const place = { lane, poiId };
    const { payment, refund } = this.#meant(reference, header, place);
    const referenceTold = {
      MessageCategory: payment !== null || refund === null ? 'Payment' : 'Reversal',
      SaleID: reference.SaleID ?? header.SaleID,
      ServiceID: reference.ServiceID,
    };
    const repeated = (category: 'Payment' | 'Reversal', told: object): object => ({
      Response: success(),
      MessageReference: referenceTold,
      RepeatedMessageResponse: {
        MessageHeader: { ...answerHeader(header), ...referenceTold, MessageCategory: category },
        RepeatedResponseMessageBody: { [`${category}Response`]: told },
      },
    });
    if (isPending(payment) || isPending(refund))
      return { Response: failure(unfinished), MessageReference: referenceTold };
    if (payment !== null) return repeated('Payment', paymentBody(payment, issuer));
    if (refund !== null) return repeated('Reversal', reversalBody(refund, lane, issuer));
    const named = { saleId: referenceTold.SaleID, serviceId: referenceTold.ServiceID };
    for (const [category, kind] of asksFor(reference)) {
      const before = this.#options.refusals.before(kind, place, named);
      if (before !== null) return repeated(category, before);
    }
    return {
      Response: failure(notFound('There is no such transaction.')),
      MessageReference: referenceTold,
    };
  }

  #login({ lane, poiId }: Message, isTraining: boolean): object {
    // The payments of a training session would be real ones.
    if (isTraining)
      return {
        Response: failure({ condition: 'NotAllowed', message: 'There is no training mode here.' }),
      };
    return {
      Response: success(),
      POISystemData: poiSystem(lane, { poiId, version: this.#options.version, nowMs: this.#nowMs }),
    };
  }

  #reconcile(
    { header, lane, poiId, address, seal }: Message,
    { ReconciliationType, POIReconciliationID }: z.output<typeof ReconciliationRequest>,
  ): object {
    const told = ({ number, ...closing }: ClosingTold): object => ({
      Response: success(),
      ReconciliationType,
      POIReconciliationID: String(number),
      TransactionTotals: totalsOf(closing, poiId),
    });
    const refused = (refusal: NexoRefusal): object => ({
      Response: failure(refusal),
      ReconciliationType,
    });
    const { refusals } = this.#options;
    const last = lane.lastClosing();
    const place = { lane, poiId };
    switch (ReconciliationType) {
      case 'SaleReconciliation': {
        // A repetition, because the answer was lost.
        const before = closingNamed(place, namedBy(header), this.#nowMs);
        if (before !== null) return told(before);
        // A recording: a till that uses the name again protects the message anew.
        const message = seal === null ? null : ['reconciliation', seal];
        const bound =
          message === null
            ? null
            : (ReconciliationBound.safeParse(refusals.boundTo(place, message)).data ?? null);
        const closed = bound?.number == null ? null : lane.closing(bound.number);
        if (closed !== null) return told(closed);
        if (bound !== null && !isStillUsed(bound.atMs, this.#nowMs)) return refused(nameUsed);
        const answer = lane.closeDay(senderOf(address, namedBy(header), null, poiId));
        if (message !== null && (bound === null || answer.closed))
          refusals.bind(place, message, {
            number: answer.closed ? answer.closing.number : null,
            atMs: this.#nowMs,
          } satisfies z.input<typeof ReconciliationBound>);
        return answer.closed ? told(answer.closing) : refused(notClosed[answer.reason]);
      }
      case 'PreviousReconciliation':
        if (
          last === null ||
          (POIReconciliationID !== undefined && POIReconciliationID !== String(last.number))
        )
          return refused(notFound('Only the last closing of this lane can be told again.'));
        return told(last);
      default:
        return refused(
          notOffered(`ReconciliationType ${ReconciliationType} is not available here.`),
        );
    }
  }

  /**
   * The payment or refund that a till means by an earlier message; both null when there is none.
   */
  #meant(reference: MessageReference, { SaleID }: Header, place: Place): Meant {
    const named = { saleId: reference.SaleID ?? SaleID, serviceId: reference.ServiceID };
    const kinds = asksFor(reference).map(([, kind]) => kind);
    const payment = kinds.includes('payment') ? paymentNamed(place, named, this.#nowMs) : null;
    return {
      payment,
      refund:
        payment === null && kinds.includes('refund')
          ? refundNamed(place, named, this.#nowMs)
          : null,
    };
  }

  #refuse(
    kind: 'payment' | 'refund',
    place: Place,
    named: Named,
    body: object,
    sale: TransactionId | null,
  ): object {
    this.#options.refusals.keep(kind, place, named, body, sale && Date.parse(sale.TimeStamp));
    return body;
  }

  /**
   * A message of the past is refused again by its time. One that says a later time would begin
   * then, unless it is known.
   */
  #refuseTime(
    kind: 'payment' | 'refund',
    place: Place,
    named: Named,
    body: object,
    sale: TransactionId,
  ): object {
    return isPast(sale, this.#nowMs) ? body : this.#refuse(kind, place, named, body, sale);
  }

  #reject(message: string): NexoAnswer {
    return {
      event: {
        EventToNotify: 'Reject',
        TimeStamp: new Date(this.#nowMs).toISOString(),
        EventDetails: formEncoded({ message }),
      },
    };
  }

  get #nowMs(): number {
    return this.#options.clock.wallMs();
  }
}

interface Meant {
  readonly payment: Payment | null;
  readonly refund: Refund | null;
}

/** `id` of the payment or refund; null when there was none. */
const AbortBound = z.object({ id: z.string().nullable(), atMs: z.number() });
/** `number` of the closing; null when it was refused. */
const ReconciliationBound = z.object({ number: z.int().nullable(), atMs: z.number() });

const idOf = (state: Payment | Refund | null): string | null =>
  state && ('sale' in state ? state.sale.saleId : state.request.refundOrderId);

const unfinished: NexoRefusal = {
  condition: 'InProgress',
  message: 'The transaction is not decided yet.',
};

export const answerHeader = ({ ProtocolVersion, ...header }: Header): object => ({
  ProtocolVersion: ProtocolVersion ?? '3.0',
  ...header,
  MessageType: 'Response',
});

function withBody<Schema extends z.ZodType>(
  schema: Schema,
  { header, body }: Message,
  answer: (asked: z.output<Schema>) => object,
): object {
  const parsed = schema.safeParse(body ?? {});
  return parsed.success
    ? answer(parsed.data)
    : {
        Response: failure(malformed(mistakesOf(parsed.error, `${header.MessageCategory}Request`))),
      };
}

const diagnosis = ({ lane }: Message, withHost: boolean): object => ({
  Response: success(),
  POIStatus: poiStatus(lane),
  ...(withHost && { HostStatus: hostStatus(lane) }),
});

function totals(
  { lane, poiId }: Message,
  { TotalDetails = [], TotalFilter = {} }: z.output<typeof GetTotalsRequest>,
): object {
  const period = String(lane.lastClosing()?.number ?? 0);
  const split = [...TotalDetails, ...Object.keys(TotalFilter)].filter((by) => by !== 'POIID');
  const refused = (refusal: NexoRefusal): object => ({
    Response: failure(refusal),
    POIReconciliationID: period,
  });
  if (split.length > 0)
    return refused(notOffered(`Totals by ${split.join(', ')} are not kept here.`));
  if (TotalFilter['POIID'] !== undefined && TotalFilter['POIID'] !== poiId)
    return refused(notFound('There is no such POIID here.'));
  const day = lane.dayTotals();
  if (day === null) return refused(notClosed.noClosings);
  return {
    Response: success(),
    POIReconciliationID: period,
    TransactionTotals: totalsOf(day, poiId),
  };
}

/** Whether a repeated message asks for the same sale: the amount alone does not say so. */
function isSameSale(
  { sale }: Payment,
  asked: { amountMinor: number; currency: string },
  transactionId: string,
  time: string,
): boolean {
  const said = saleSaidIn(sale.from);
  return (
    sale.amountMinor === asked.amountMinor &&
    sale.currency === asked.currency &&
    said?.TransactionID === transactionId &&
    said.TimeStamp === time
  );
}

function abortPayment(payment: Payment, lane: HttpLane): boolean {
  if (!isWaitedFor(payment)) return outcomeOf(payment)?.paid === false;
  // Nobody carries a payment of a lane whose id was changed.
  return payment.sale.laneId === lane.id && lane.abortSale(payment.sale.saleId) === 'aborting';
}

function abortRefund(refund: Refund | null, lane: HttpLane): boolean {
  if (refund === null) return false;
  if (!isWaitedFor(refund)) return refundOutcomeOf(refund)?.refunded === false;
  return (
    refund.request.laneId === lane.id &&
    lane.abortRefund(refund.request.refundOrderId) === 'aborting'
  );
}

const asksFor = ({
  MessageCategory,
}: MessageReference): readonly (readonly ['Payment' | 'Reversal', 'payment' | 'refund'])[] => {
  const kinds = [['Payment', 'payment'] as const, ['Reversal', 'refund'] as const];
  return kinds.filter(
    ([category]) => MessageCategory === undefined || MessageCategory === category,
  );
};

const isPending = (state: Payment | Refund | null): boolean => state !== null && isWaitedFor(state);
const isCurrency = (text: string): text is Currency =>
  (currencies as readonly string[]).includes(text);
const staleTime = (field: string): string =>
  `${field} is more than 12 hours off the clock here. Nothing has begun.`;
const forgottenTime = (field: string): string =>
  `${field} must be later: too many messages were refused to know this one from an old one. Nothing has begun.`;
