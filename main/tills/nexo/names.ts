/**
 * A till's message is identified by its SaleID and ServiceID, which tills use again after 48 hours,
 * at the terminal that it is for. The id of the payment or refund that it begins is derived from
 * all three and the day, and is in the journal with the first event: after a lost answer, a
 * restart, a replay, or a change of the lane's id the same message finds what it began.
 */
import { hashedId, idFrom } from '../../core/domain/ids.ts';
import type { HttpLane } from '../http/lane.ts';
import type { ClosingTold } from '../../core/domain/day.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import type { Header, TransactionId } from './messages.ts';

const dayMs = 24 * 3_600_000;
/** How long the pair identifies one message (Adyen, "Terminal API", message header). */
const usedForMs = 2 * dayMs;
/** How far back a till can ask. */
const rememberedDays = 8;
/**
 * How far a till's clock may be off. With `usedForMs` it also bounds replays: a replayed message is
 * still known by its name, or too old.
 */
const clockOffMs = 12 * 3_600_000;

export interface MessageName {
  readonly saleId: string;
  readonly serviceId: string;
}

/** Whose names they are: the terminal, and the lane that it is now. */
export interface Place {
  readonly poiId: string;
  readonly lane: HttpLane;
}

export const messageName = ({
  SaleID,
  ServiceID,
}: Pick<Header, 'SaleID' | 'ServiceID'>): MessageName => ({
  saleId: SaleID,
  serviceId: ServiceID,
});

/**
 * A till's address for the journal, with the name of its message. The last part is the terminal.
 */
export function senderOf(
  address: string,
  { saleId, serviceId }: MessageName,
  sale: TransactionId | null,
  poiId: string,
): string {
  const parts = [
    saleId,
    serviceId,
    ...(sale === null ? [] : [sale.TransactionID, sale.TimeStamp]),
    poiId,
  ];
  return `nexo:${address} ${parts.map(encodeURIComponent).join(' ')}`;
}

/** The sale that the till named, from an address that `senderOf` made. */
export function saleOfSender(from: string | undefined): TransactionId | null {
  const [, , , id, time] = from?.split(' ') ?? [];
  return id === undefined || time === undefined
    ? null
    : { TransactionID: decodeURIComponent(id), TimeStamp: decodeURIComponent(time) };
}

/**
 * Whether the message of this sender had this name, at this terminal if the sender names one:
 * earlier versions did not write it down.
 */
export function isFrom(
  from: string | null | undefined,
  { saleId, serviceId }: MessageName,
  poiId: string,
): boolean {
  const [address = '', sale, service, ...more] = from?.split(' ') ?? [];
  const isNamed =
    address.startsWith('nexo:') &&
    sale === encodeURIComponent(saleId) &&
    service === encodeURIComponent(serviceId);
  const isOld = more.length === 0 || more.length === 2;
  return isNamed && (isOld || more.at(-1) === encodeURIComponent(poiId));
}

/** Whether the sender's terminal is in its address; otherwise it was the one that its lane had. */
const saysPlace = (from: string): boolean => from.split(' ').length % 2 === 0;

export const isOfNow = ({ TimeStamp }: TransactionId, nowMs: number): boolean =>
  Math.abs(Date.parse(TimeStamp) - nowMs) <= clockOffMs;

/** Whether a message of this time is too old, and stays so. */
export const isPast = ({ TimeStamp }: TransactionId, nowMs: number): boolean =>
  nowMs - Date.parse(TimeStamp) > clockOffMs;

export const isStillUsed = (startedAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - startedAtMs) <= usedForMs;

/**
 * Whether the payment began so late that no message of that time can have named it: its id is made
 * of a name, which is used for as long.
 */
export const beganAfter = (startedAtMs: number, messageAtMs: number): boolean =>
  startedAtMs > messageAtMs + usedForMs;

type Kind = 'payment' | 'refund';

/** @param day number of the UTC day since 1970 */
const idOn = (
  kind: Kind,
  { poiId }: Place,
  { saleId, serviceId }: MessageName,
  day: number,
): string => idFrom('nexo', kind, poiId, saleId, serviceId, day);

/** The id in earlier versions, of which a page could choose it too. */
const oldIdOn = (
  kind: Kind,
  { lane }: Place,
  { saleId, serviceId }: MessageName,
  day: number,
): string =>
  hashedId(JSON.stringify([kind, lane.id, `nexo ${JSON.stringify([saleId, serviceId, day])}`]));

export const newId = (kind: Kind, place: Place, named: MessageName, nowMs: number): string =>
  idOn(kind, place, named, Math.floor(nowMs / dayMs));

/** The newest payment of this name. */
export const paymentNamed = (place: Place, named: MessageName, nowMs: number): Payment | null =>
  newest('payment', place, named, nowMs, (id) => {
    const payment = place.lane.begunPayment(id);
    return isFrom(payment?.sale.from, named, place.poiId) ? payment : null;
  });

export const refundNamed = (place: Place, named: MessageName, nowMs: number): Refund | null =>
  newest('refund', place, named, nowMs, (id) => {
    const refund = place.lane.begunRefund(id);
    return refund?.request.by.kind === 'till' && isFrom(refund.request.by.from, named, place.poiId)
      ? refund
      : null;
  });

/**
 * The refund that this message began, whenever that was, if it says nothing of its time: such a
 * message is never too old, and what it began is found by the payment that it names.
 */
export const refundOfUntimed = (
  { lane, poiId }: Place,
  named: MessageName,
  paymentId: string,
): Refund | null =>
  lane
    .refundsOf(paymentId)
    .findLast(
      ({ request: { by } }) =>
        by.kind === 'till' && isFrom(by.from, named, poiId) && saleOfSender(by.from) === null,
    ) ?? null;

function newest<State>(
  kind: Kind,
  place: Place,
  named: MessageName,
  nowMs: number,
  find: (id: string) => State | null,
): State | null {
  const today = Math.floor(nowMs / dayMs);
  // Begins with tomorrow, because the clock may have been set back.
  for (let day = today + 1; day >= today - rememberedDays; day -= 1) {
    const earlier = find(idOn(kind, place, named, day)) ?? find(oldIdOn(kind, place, named, day));
    if (earlier !== null) return earlier;
  }
  return null;
}

/** The closing that this message made, at whichever lane its terminal was. */
export const closingNamed = (
  { lane, poiId }: Place,
  named: MessageName,
  nowMs: number,
): ClosingTold | null =>
  lane
    .closingsOfTills(nowMs - usedForMs)
    .find(
      ({ till, laneId, atMs }) =>
        isFrom(till, named, poiId) &&
        (saysPlace(till) || laneId === lane.id) &&
        isStillUsed(atMs, nowMs),
    ) ?? null;
