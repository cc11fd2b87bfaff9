/** Messages about an earlier message: aborts, and questions for the status of a transaction. */
import { z } from 'zod';
import { isWaitedFor, outcomeOf, refundOutcomeOf } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import type { HttpLane } from '../http/lane.ts';
import { paymentBody, reversalBody } from './bodies.ts';
import { AboutMessage, type Header, type MessageReference, mistakesOf } from './messages.ts';
import { isStillUsed, paymentNamed, type Place, refundNamed } from './names.ts';
import {
  failure,
  formEncoded,
  malformed,
  type NexoRefusal,
  notFound,
  success,
} from './outcomes.ts';
import {
  answerHeader,
  isPending,
  type Message,
  type NexoAnswer,
  type TerminalOptions,
} from './terminal-message.ts';

interface Transaction {
  readonly payment: Payment | null;
  readonly refund: Refund | null;
}

/** `id` of the payment or refund; null when there was none. */
const AbortBound = z.object({ id: z.string().nullable(), atMs: z.number() });

const idOf = (state: Payment | Refund | null): string | null =>
  state && ('sale' in state ? state.sale.saleId : state.request.refundOrderId);

const unfinished: NexoRefusal = {
  condition: 'InProgress',
  message: 'The transaction is not decided yet.',
};

/**
 * A successful abort gets no body: the answer to the aborted request has the result. An abort has
 * no time, and tills use names again. So the first one is bound to its transaction: replayed from a
 * recording, it never aborts a later transaction with the same name.
 */
export function abort(
  { header, body, lane, poiId }: Message,
  options: TerminalOptions,
): NexoAnswer {
  const parsed = AboutMessage.safeParse(body);
  if (!parsed.success) return reject(options, mistakesOf(parsed.error, 'AbortRequest'));
  const place = { lane, poiId };
  const { MessageCategory = '', SaleID = header.SaleID, ServiceID } = parsed.data.MessageReference;
  const message = ['abort', header.SaleID, header.ServiceID, MessageCategory, SaleID, ServiceID];
  const now = referencedTransaction(parsed.data.MessageReference, header, place, options);
  const bound = AbortBound.safeParse(options.refusals.boundTo(place, message)).data ?? null;
  const { payment, refund } = boundTransaction(bound, now, lane, options);
  if (bound === null || (bound.id === null && (payment ?? refund) !== null))
    options.refusals.bind(place, message, {
      id: idOf(payment ?? refund),
      atMs: options.clock.wallMs(),
    } satisfies z.input<typeof AbortBound>);
  const named = now.payment ?? now.refund;
  if (isPending(named) && idOf(named) !== idOf(payment ?? refund))
    return reject(options, 'This Abort was about another transaction. Take a new ServiceID.');
  if (payment === null && refund === null) return reject(options, 'There is no such transaction.');
  const ended = payment === null ? abortRefund(refund, lane) : abortPayment(payment, lane);
  return ended ? null : reject(options, 'It is too late to abort the transaction.');
}

/**
 * The transaction that an abort is bound to; the one of the same name where it was bound to none
 * recently.
 */
function boundTransaction(
  bound: z.output<typeof AbortBound> | null,
  now: Transaction,
  lane: HttpLane,
  options: TerminalOptions,
): Transaction {
  if (bound === null) return now;
  if (bound.id === null)
    return isStillUsed(bound.atMs, options.clock.wallMs()) ? now : { payment: null, refund: null };
  const payment = lane.begunPayment(bound.id);
  return { payment, refund: payment === null ? lane.begunRefund(bound.id) : null };
}

export function transactionStatus(
  { header, body, lane, poiId, issuer }: Message,
  options: TerminalOptions,
): object {
  const parsed = AboutMessage.safeParse(body);
  if (!parsed.success)
    return { Response: failure(malformed(mistakesOf(parsed.error, 'TransactionStatusRequest'))) };
  const reference = parsed.data.MessageReference;
  const place = { lane, poiId };
  const { payment, refund } = referencedTransaction(reference, header, place, options);
  const messageReference = {
    MessageCategory: payment !== null || refund === null ? 'Payment' : 'Reversal',
    SaleID: reference.SaleID ?? header.SaleID,
    ServiceID: reference.ServiceID,
  };
  const repeated = (category: 'Payment' | 'Reversal', body: object): object => ({
    Response: success(),
    MessageReference: messageReference,
    RepeatedMessageResponse: {
      MessageHeader: { ...answerHeader(header), ...messageReference, MessageCategory: category },
      RepeatedResponseMessageBody: { [`${category}Response`]: body },
    },
  });
  if (isPending(payment) || isPending(refund))
    return { Response: failure(unfinished), MessageReference: messageReference };
  if (payment !== null) return repeated('Payment', paymentBody(payment, issuer));
  if (refund !== null) return repeated('Reversal', reversalBody(refund, lane, issuer));
  const named = { saleId: messageReference.SaleID, serviceId: messageReference.ServiceID };
  for (const [category, kind] of asksFor(reference)) {
    const before = options.refusals.before(kind, place, named);
    if (before !== null) return repeated(category, before);
  }
  return {
    Response: failure(notFound('There is no such transaction.')),
    MessageReference: messageReference,
  };
}

/**
 * The payment or refund of the earlier message; both null when the message began nothing.
 */
function referencedTransaction(
  reference: MessageReference,
  { SaleID }: Header,
  place: Place,
  options: TerminalOptions,
): Transaction {
  const named = { saleId: reference.SaleID ?? SaleID, serviceId: reference.ServiceID };
  const kinds = asksFor(reference).map(([, kind]) => kind);
  const payment = kinds.includes('payment')
    ? paymentNamed(place, named, options.clock.wallMs())
    : null;
  return {
    payment,
    refund:
      payment === null && kinds.includes('refund')
        ? refundNamed(place, named, options.clock.wallMs())
        : null,
  };
}

function reject(options: TerminalOptions, message: string): NexoAnswer {
  return {
    event: {
      EventToNotify: 'Reject',
      TimeStamp: new Date(options.clock.wallMs()).toISOString(),
      EventDetails: formEncoded({ message }),
    },
  };
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
