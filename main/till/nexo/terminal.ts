/** Handles each request as a terminal does. What moves money is asked of the lane, with an id derived from the message's own name. */
import type { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { isWaitedFor, outcomeOf } from '../../domain/settlement/outcome.ts';
import type { Payment } from '../../domain/settlement/payment.ts';
import type { Refund } from '../../domain/settlement/refund.ts';
import { capturedMinorOf } from '../../domain/settlement/reservation.ts';
import type { TillScope } from '../../domain/till-scopes.ts';
import type { Currency } from '../../domain/money.ts';
import { currencies } from '../../domain/money.ts';
import type { HttpLane } from '../http/lane.ts';
import { hostStatus, paymentBody, poiStatus, poiSystem, refusedPayment, refusedReversal, reversalBody, totalsOf } from './bodies.ts';
import {
  AboutMessage,
  DiagnosisRequest,
  GetTotalsRequest,
  type Header,
  LoginRequest,
  type MessageReference,
  mistakesOf,
  PaymentRequest,
  ReconciliationRequest,
  ReversalRequest,
} from './messages.ts';
import { isFrom, isOfNow, isStillUsed, type Named, namedBy, newId, paymentNamed, refundNamed, refundOfUntimed, saleSaidIn, senderOf } from './names.ts';
import { failure, formEncoded, malformed, nameUsed, notClosed, notFound, notOffered, notReversed, notTaken, type NexoRefusal, success } from './outcomes.ts';
import type { Refusals } from './refusals.ts';

export interface TerminalOptions {
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
  readonly refusals: Pick<Refusals, 'keep' | 'before' | 'keepReversal' | 'reversalBefore' | 'hasForgotten'>;
}

/** A message whose sender is known. */
export interface Message {
  readonly header: Header;
  /** The content of `PaymentRequest` and the like, not validated yet. */
  readonly body: unknown;
  readonly lane: HttpLane;
  readonly poiId: string;
  /** The caller's address. */
  readonly address: string;
  readonly until: (isDone: () => boolean) => Promise<void>;
}

/** The answer's body by its name, such as `PaymentResponse`; null for an answer without one. `event` is sent instead of an answer. */
export type NexoAnswer = { readonly name: string; readonly body: object } | { readonly event: object } | null;

/** The scope of a token that a request needs. */
export const scopeOf = (category: string): TillScope => {
  if (category === 'Reversal') return 'refund';
  return category === 'Payment' || category === 'Abort' || category === 'Reconciliation' ? 'pay' : 'read';
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
        return { name, body: withBody(DiagnosisRequest, message, ({ HostDiagnosisFlag }) => diagnosis(message, HostDiagnosisFlag === true)) };
      case 'Login':
        return { name, body: withBody(LoginRequest, message, ({ TrainingModeFlag }) => this.#login(message, TrainingModeFlag === true)) };
      case 'Logout':
        return { name, body: { Response: success() } };
      case 'GetTotals':
        return { name, body: withBody(GetTotalsRequest, message, (asked) => totals(message, asked)) };
      case 'Reconciliation':
        return { name, body: withBody(ReconciliationRequest, message, (asked) => this.#reconcile(message, asked)) };
      default:
        return { name, body: { Response: failure(notOffered(`${header.MessageCategory} is not available here.`)) } };
    }
  }

  async #pay({ header, body, lane, poiId, address, until }: Message): Promise<object> {
    const nowMs = this.#nowMs;
    const named = namedBy(header);
    const id = newId('payment', lane, named, nowMs);
    const parsed = PaymentRequest.safeParse(body);
    if (!parsed.success) return refusedPayment(malformed(mistakesOf(parsed.error, 'PaymentRequest')), { id, nowMs, sale: null });
    const { SaleData, PaymentTransaction, PaymentData } = parsed.data;
    const { RequestedAmount: amountMinor, Currency, CashBackAmount } = PaymentTransaction.AmountsReq;
    const sale = SaleData.SaleTransactionID;
    const refused = (refusal: NexoRefusal): object => refusedPayment(refusal, { id, nowMs, sale });
    const type = PaymentData?.PaymentType ?? 'Normal';
    if (type !== 'Normal') return refused(notOffered(`PaymentType ${type} is not available here. Money goes back with a Reversal of its payment.`));
    if (CashBackAmount !== undefined) return refused(notOffered('CashBackAmount is not available here.'));
    if (!isCurrency(Currency)) return refused(notTaken.wrongCurrency);

    const told = async (payment: Payment): Promise<object> => {
      const { saleId } = payment.sale;
      await until(() => !isPending(lane.payment(saleId)));
      return paymentBody(lane.payment(saleId) ?? payment, poiId);
    };
    const earlier = paymentNamed(lane, named, nowMs);
    if (earlier !== null && isStillUsed(earlier.sale.startedAtMs, nowMs)) {
      const asked = { amountMinor, currency: Currency };
      return isSameSale(earlier, asked, sale.TransactionID, sale.TimeStamp) ? told(earlier) : refused(nameUsed);
    }
    if (!isOfNow(sale, nowMs)) return refused(malformed(staleTime('PaymentRequest.SaleData.SaleTransactionID.TimeStamp')));
    const before = this.#options.refusals.before('payment', lane, named);
    if (before !== null) return before;
    const answer = lane.requestNamedSale(id, { amountMinor, currency: Currency, from: senderOf(address, named, sale) });
    if (!answer.accepted) return this.#refuse('payment', lane, named, refused(notTaken[answer.reason]));
    const begun = lane.payment(id);
    return begun === null ? refused(notFound('The payment is not in the journal.')) : told(begun);
  }

  async #reverse({ header, body, lane, address, until }: Message): Promise<object> {
    const nowMs = this.#nowMs;
    const named = namedBy(header);
    const id = newId('refund', lane, named, nowMs);
    const parsed = ReversalRequest.safeParse(body);
    const refused = (refusal: NexoRefusal): object => refusedReversal(refusal, { id, nowMs, sale: null });
    if (!parsed.success) return refused(malformed(mistakesOf(parsed.error, 'ReversalRequest')));
    const { SaleData, OriginalPOITransaction, ReversedAmount, PaymentTransaction } = parsed.data;
    const { RequestedAmount, Currency } = PaymentTransaction?.AmountsReq ?? {};
    if (ReversedAmount !== undefined && RequestedAmount !== undefined && ReversedAmount !== RequestedAmount)
      return refused(malformed('ReversedAmount and RequestedAmount differ.'));
    const { refusals } = this.#options;
    const sale = SaleData?.SaleTransactionID ?? null;
    const reversal = { ...named, paymentId: OriginalPOITransaction.POITransactionID.TransactionID, sale };
    const payment = lane.payment(reversal.paymentId);
    if (payment === null || outcomeOf(payment)?.paid !== true) {
      const before = refusals.reversalBefore(lane, reversal);
      if (before !== null) return before;
      const unknown = refused(notReversed.unknownReceipt);
      // The payment may be paid later. A message that says an old time begins nothing then either.
      if (sale === null || isOfNow(sale, nowMs)) refusals.keepReversal(lane, reversal, unknown);
      return unknown;
    }
    if (Currency !== undefined && Currency !== payment.sale.currency) return refused(notReversed.wrongCurrency);

    const partMinor = ReversedAmount ?? RequestedAmount;
    const asked = { saleId: payment.sale.saleId, amountMinor: partMinor ?? capturedMinorOf(payment), currency: payment.sale.currency };
    const told = async ({ request }: Refund): Promise<object> => {
      await until(() => !isPending(lane.refund(request.refundOrderId)));
      const refund = lane.refund(request.refundOrderId);
      return refund === null ? refused(notFound('The refund is not in the journal.')) : reversalBody(refund, lane);
    };
    const earlier = refundNamed(lane, named, nowMs);
    if (earlier !== null && isStillUsed(earlier.request.startedAtMs, nowMs)) {
      const { saleId, amountMinor } = earlier.request;
      return saleId === asked.saleId && amountMinor === asked.amountMinor ? told(earlier) : refused(nameUsed);
    }
    // All of a payment can be refunded only once. A part could be refunded again by replaying an old message that has no time.
    if (sale === null && asked.amountMinor !== capturedMinorOf(payment))
      return refused(malformed('ReversalRequest.SaleData.SaleTransactionID must be there for a part of a payment.'));
    if (sale !== null && !isOfNow(sale, nowMs)) return refused(malformed(staleTime('ReversalRequest.SaleData.SaleTransactionID.TimeStamp')));
    const begunUntimed = sale === null ? refundOfUntimed(lane, named, asked.saleId) : null;
    if (begunUntimed !== null) return told(begunUntimed);
    const before = refusals.reversalBefore(lane, reversal) ?? refusals.before('refund', lane, named);
    if (before !== null) return before;
    if (sale === null && refusals.hasForgotten(payment.sale.startedAtMs))
      return refused(malformed('ReversalRequest.SaleData.SaleTransactionID must be there: too many messages were refused to know this one from an old one.'));
    const answer = lane.requestNamedRefund(id, { ...asked, from: senderOf(address, named, sale) });
    if (!answer.accepted) {
      const body = refused(notReversed[answer.reason]);
      if (sale === null) refusals.keepReversal(lane, reversal, body);
      return this.#refuse('refund', lane, named, body);
    }
    const begun = lane.refund(id);
    return begun === null ? refused(notFound('The refund is not in the journal.')) : told(begun);
  }

  /** A successful abort is answered without a body: the answer to the aborted request has the result. */
  #abort({ header, body, lane }: Message): NexoAnswer {
    const parsed = AboutMessage.safeParse(body);
    if (!parsed.success) return this.#reject(mistakesOf(parsed.error, 'AbortRequest'));
    const { payment, refund } = this.#meant(parsed.data.MessageReference, header, lane);
    if (payment === null && refund === null) return this.#reject('There is no such transaction.');
    const ended = payment === null ? abortRefund(refund, lane) : abortPayment(payment, lane);
    return ended ? null : this.#reject('It is too late to abort the transaction.');
  }

  #status({ header, body, lane, poiId }: Message): object {
    const parsed = AboutMessage.safeParse(body);
    if (!parsed.success) return { Response: failure(malformed(mistakesOf(parsed.error, 'TransactionStatusRequest'))) };
    const reference = parsed.data.MessageReference;
    const { payment, refund } = this.#meant(reference, header, lane);
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
    if (isPending(payment) || isPending(refund)) return { Response: failure(unfinished), MessageReference: referenceTold };
    if (payment !== null) return repeated('Payment', paymentBody(payment, poiId));
    if (refund !== null) return repeated('Reversal', reversalBody(refund, lane));
    const named = { saleId: referenceTold.SaleID, serviceId: referenceTold.ServiceID };
    for (const [category, kind] of asksFor(reference)) {
      const before = this.#options.refusals.before(kind, lane, named);
      if (before !== null) return repeated(category, before);
    }
    return { Response: failure(notFound('There is no such transaction.')), MessageReference: referenceTold };
  }

  #login({ lane, poiId }: Message, isTraining: boolean): object {
    // The payments of a training session would be real ones.
    if (isTraining) return { Response: failure({ condition: 'NotAllowed', message: 'There is no training mode here.' }) };
    return { Response: success(), POISystemData: poiSystem(lane, { poiId, version: this.#options.version, nowMs: this.#nowMs }) };
  }

  #reconcile({ header, lane, poiId, address }: Message, { ReconciliationType, POIReconciliationID }: z.output<typeof ReconciliationRequest>): object {
    const told = ({ number, ...closing }: NonNullable<ReturnType<HttpLane['lastClosing']>>): object => ({
      Response: success(),
      ReconciliationType,
      POIReconciliationID: String(number),
      TransactionTotals: totalsOf(closing, poiId),
    });
    const refused = (refusal: NexoRefusal): object => ({ Response: failure(refusal), ReconciliationType });
    const last = lane.lastClosing();
    const named = namedBy(header);
    switch (ReconciliationType) {
      case 'SaleReconciliation': {
        // A repetition, because the answer was lost.
        if (last !== null && isFrom(last.till, named) && isStillUsed(last.atMs, this.#nowMs)) return told(last);
        const answer = lane.closeDay(senderOf(address, named));
        return answer.closed ? told(answer.closing) : refused(notClosed[answer.reason]);
      }
      case 'PreviousReconciliation':
        if (last === null || (POIReconciliationID !== undefined && POIReconciliationID !== String(last.number)))
          return refused(notFound('Only the last closing of this lane can be told again.'));
        return told(last);
      default:
        return refused(notOffered(`ReconciliationType ${ReconciliationType} is not available here.`));
    }
  }

  /** The payment or refund that a till means by an earlier message; both null when there is none. */
  #meant(reference: MessageReference, { SaleID }: Header, lane: HttpLane): { readonly payment: Payment | null; readonly refund: Refund | null } {
    const named = { saleId: reference.SaleID ?? SaleID, serviceId: reference.ServiceID };
    const kinds = asksFor(reference).map(([, kind]) => kind);
    const payment = kinds.includes('payment') ? paymentNamed(lane, named, this.#nowMs) : null;
    return { payment, refund: payment === null && kinds.includes('refund') ? refundNamed(lane, named, this.#nowMs) : null };
  }

  #refuse(kind: 'payment' | 'refund', lane: HttpLane, named: Named, body: object): object {
    this.#options.refusals.keep(kind, lane, named, body);
    return body;
  }

  #reject(message: string): NexoAnswer {
    return { event: { EventToNotify: 'Reject', TimeStamp: new Date(this.#nowMs).toISOString(), EventDetails: formEncoded({ message }) } };
  }

  get #nowMs(): number {
    return this.#options.clock.wallMs();
  }
}

const unfinished: NexoRefusal = { condition: 'InProgress', message: 'The transaction is not decided yet.' };

export const answerHeader = ({ ProtocolVersion, ...header }: Header): object => ({
  ProtocolVersion: ProtocolVersion ?? '3.0',
  ...header,
  MessageType: 'Response',
});

function withBody<Schema extends z.ZodType>(schema: Schema, { header, body }: Message, answer: (asked: z.output<Schema>) => object): object {
  const parsed = schema.safeParse(body ?? {});
  return parsed.success ? answer(parsed.data) : { Response: failure(malformed(mistakesOf(parsed.error, `${header.MessageCategory}Request`))) };
}

const diagnosis = ({ lane }: Message, withHost: boolean): object => ({
  Response: success(),
  POIStatus: poiStatus(lane),
  ...(withHost && { HostStatus: hostStatus(lane) }),
});

function totals({ lane, poiId }: Message, { TotalDetails = [], TotalFilter = {} }: z.output<typeof GetTotalsRequest>): object {
  const period = String(lane.lastClosing()?.number ?? 0);
  const split = [...TotalDetails, ...Object.keys(TotalFilter)].filter((by) => by !== 'POIID');
  const refused = (refusal: NexoRefusal): object => ({ Response: failure(refusal), POIReconciliationID: period });
  if (split.length > 0) return refused(notOffered(`Totals by ${split.join(', ')} are not kept here.`));
  if (TotalFilter['POIID'] !== undefined && TotalFilter['POIID'] !== poiId) return refused(notFound('There is no such POIID here.'));
  const day = lane.dayTotals();
  if (day === null) return refused(notClosed.noClosings);
  return { Response: success(), POIReconciliationID: period, TransactionTotals: totalsOf(day, poiId) };
}

/** Whether a repeated message asks for the same sale: the amount alone does not say so. */
function isSameSale({ sale }: Payment, asked: { amountMinor: number; currency: string }, transactionId: string, time: string): boolean {
  const said = saleSaidIn(sale.from);
  return sale.amountMinor === asked.amountMinor && sale.currency === asked.currency && said?.TransactionID === transactionId && said.TimeStamp === time;
}

function abortPayment(payment: Payment, lane: HttpLane): boolean {
  return isWaitedFor(payment) ? lane.abortSale(payment.sale.saleId) === 'aborting' : outcomeOf(payment)?.paid === false;
}

function abortRefund(refund: Refund | null, lane: HttpLane): boolean {
  if (refund === null) return false;
  return isWaitedFor(refund) ? lane.abortRefund(refund.request.refundOrderId) === 'aborting' : outcomeOf(refund)?.refunded === false;
}

const asksFor = ({ MessageCategory }: MessageReference): readonly (readonly ['Payment' | 'Reversal', 'payment' | 'refund'])[] => {
  const kinds = [['Payment', 'payment'] as const, ['Reversal', 'refund'] as const];
  return kinds.filter(([category]) => MessageCategory === undefined || MessageCategory === category);
};

const isPending = (state: Payment | Refund | null): boolean => state !== null && isWaitedFor(state);
const isCurrency = (text: string): text is Currency => (currencies as readonly string[]).includes(text);
const staleTime = (field: string): string => `${field} is more than 12 hours off the clock here. Nothing has begun.`;
