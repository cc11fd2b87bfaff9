/**
 * Handles each request as a terminal does. What moves money is asked of the lane, with an id
 * derived from the message's own name.
 */
import { z } from 'zod';
import { outcomeOf } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import { capturedMinorOf } from '../../core/settlement/reservation.ts';
import type { TillScope } from '../../core/domain/till-scopes.ts';
import type { Currency } from '../../core/domain/money.ts';
import { currencies } from '../../core/domain/money.ts';
import {
  hostStatus,
  paymentBody,
  poiStatus,
  poiSystem,
  refusedPayment,
  refusedReversal,
  reversalBody,
} from './bodies.ts';
import {
  DiagnosisRequest,
  furtherAmountIn,
  GetTotalsRequest,
  LoginRequest,
  mistakesOf,
  PaymentRequest,
  readsLoyalty,
  ReconciliationRequest,
  ReversalRequest,
  type TransactionId,
} from './messages.ts';
import {
  isOfNow,
  isPast,
  isStillUsed,
  type MessageName,
  messageName,
  newId,
  paymentNamed,
  type Place,
  refundNamed,
  refundOfUntimed,
  saleOfSender,
  senderOf,
} from './names.ts';
import {
  failure,
  malformed,
  nameUsed,
  notFound,
  notOffered,
  notReversed,
  saleRefusals,
  type NexoRefusal,
  success,
} from './outcomes.ts';
import { abort, transactionStatus } from './nexo-transactions.ts';
import { reconcile, totals } from './nexo-totals.ts';
import {
  isPending,
  type Message,
  type NexoAnswer,
  type TerminalOptions,
} from './terminal-message.ts';

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
        return abort(message, this.#options);
      case 'TransactionStatus':
        return { name, body: transactionStatus(message, this.#options) };
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
          body: withBody(GetTotalsRequest, message, (content) => totals(message, content)),
        };
      case 'Reconciliation':
        return {
          name,
          body: withBody(ReconciliationRequest, message, (content) =>
            reconcile(message, content, this.#options),
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
    const named = messageName(header);
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
    if (!isCurrency(Currency)) return refused(saleRefusals.wrongCurrency);

    const answerWhenDecided = async (payment: Payment): Promise<object> => {
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
      const amount = { amountMinor, currency: Currency };
      return isSameSale(earlier, amount, sale.TransactionID, sale.TimeStamp)
        ? answerWhenDecided(earlier)
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
    if (!answer.accepted) return refuse(saleRefusals[answer.reason]);
    const journalPayment = lane.payment(id);
    return journalPayment === null
      ? refused(notFound('The payment is not in the journal.'))
      : answerWhenDecided(journalPayment);
  }

  async #reverse({ header, body, lane, poiId, issuer, address, until }: Message): Promise<object> {
    const place = { lane, poiId };
    const nowMs = this.#nowMs;
    const named = messageName(header);
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
    const answerWhenDecided = async ({ request }: Refund): Promise<object> => {
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
      return isSame ? answerWhenDecided(earlier) : refuse(nameUsed);
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
    const refundRequest = {
      saleId: payment.sale.saleId,
      amountMinor: partMinor ?? capturedMinorOf(payment),
      currency: payment.sale.currency,
    };
    // All of a payment can be refunded only once. A part could be refunded again by replaying an
    // old message that has no time.
    if (sale === null && refundRequest.amountMinor !== capturedMinorOf(payment))
      return refused(
        malformed(
          'ReversalRequest.SaleData.SaleTransactionID must be there for a part of a payment.',
        ),
      );
    const earlierUntimed =
      sale === null ? refundOfUntimed(place, named, refundRequest.saleId) : null;
    if (earlierUntimed !== null) return answerWhenDecided(earlierUntimed);
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
      ...refundRequest,
      from: senderOf(address, named, sale, poiId),
    });
    if (!answer.accepted) return refuse(notReversed[answer.reason]);
    const journalRefund = lane.refund(id);
    return journalRefund === null
      ? refused(notFound('The refund is not in the journal.'))
      : answerWhenDecided(journalRefund);
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

  #refuse(
    kind: 'payment' | 'refund',
    place: Place,
    named: MessageName,
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
    named: MessageName,
    body: object,
    sale: TransactionId,
  ): object {
    return isPast(sale, this.#nowMs) ? body : this.#refuse(kind, place, named, body, sale);
  }

  get #nowMs(): number {
    return this.#options.clock.wallMs();
  }
}

function withBody<Schema extends z.ZodType>(
  schema: Schema,
  { header, body }: Message,
  answer: (content: z.output<Schema>) => object,
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

/** Whether a repeated message asks for the same sale: the amount alone does not say so. */
function isSameSale(
  { sale }: Payment,
  asked: { amountMinor: number; currency: string },
  transactionId: string,
  time: string,
): boolean {
  const senderSale = saleOfSender(sale.from);
  return (
    sale.amountMinor === asked.amountMinor &&
    sale.currency === asked.currency &&
    senderSale?.TransactionID === transactionId &&
    senderSale.TimeStamp === time
  );
}

const isCurrency = (text: string): text is Currency =>
  (currencies as readonly string[]).includes(text);
const staleTime = (field: string): string =>
  `${field} is more than 12 hours off the clock here. Nothing has begun.`;
const forgottenTime = (field: string): string =>
  `${field} must be later: too many messages were refused to know this one from an old one. Nothing has begun.`;
