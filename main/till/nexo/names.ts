/**
 * A till's message is identified by its SaleID and ServiceID, which tills use again after 48 hours. The id of the payment or refund that it begins is derived
 * from both and the day, and is in the journal with the first event: after a lost answer, a restart or a replay the same message finds what it began.
 */
import { requestId } from '../http/request-id.ts';
import type { HttpLane } from '../http/lane.ts';
import type { Payment } from '../../domain/settlement/payment.ts';
import type { Refund } from '../../domain/settlement/refund.ts';
import type { Header, TransactionId } from './messages.ts';

const dayMs = 24 * 3_600_000;
/** How long the pair identifies one message (Adyen, "Terminal API", message header). */
const usedForMs = 2 * dayMs;
/** How far back a till can ask. */
const rememberedDays = 8;
/** How far a till's clock may be off. With `usedForMs` it also bounds replays: a replayed message is still known by its name, or too old. */
const clockOffMs = 12 * 3_600_000;

export interface Named {
  readonly saleId: string;
  readonly serviceId: string;
}

export const namedBy = ({ SaleID, ServiceID }: Pick<Header, 'SaleID' | 'ServiceID'>): Named => ({ saleId: SaleID, serviceId: ServiceID });

/** A till's address for the journal, with the name of its message. */
export function senderOf(address: string, { saleId, serviceId }: Named, sale: TransactionId | null = null): string {
  const parts = [saleId, serviceId, ...(sale === null ? [] : [sale.TransactionID, sale.TimeStamp])];
  return `nexo:${address} ${parts.map(encodeURIComponent).join(' ')}`;
}

/** The sale that the till named, from an address that `senderOf` made. */
export function saleSaidIn(from: string | undefined): TransactionId | null {
  const [, , , id, time] = from?.split(' ') ?? [];
  return id === undefined || time === undefined ? null : { TransactionID: decodeURIComponent(id), TimeStamp: decodeURIComponent(time) };
}

/** Whether the message of this sender had this name. */
export function isFrom(from: string | null, { saleId, serviceId }: Named): boolean {
  const [address = '', sale, service] = from?.split(' ') ?? [];
  return address.startsWith('nexo:') && sale === encodeURIComponent(saleId) && service === encodeURIComponent(serviceId);
}

export const isOfNow = ({ TimeStamp }: TransactionId, nowMs: number): boolean => Math.abs(Date.parse(TimeStamp) - nowMs) <= clockOffMs;

export const isStillUsed = (startedAtMs: number, nowMs: number): boolean => Math.abs(nowMs - startedAtMs) <= usedForMs;

/** Whether the payment began so late that no message of that time can have named it: its id is made of a name, which is used for as long. */
export const beganAfter = (startedAtMs: number, messageAtMs: number): boolean => startedAtMs > messageAtMs + usedForMs;

/** @param day number of the UTC day since 1970 */
const idOn = (kind: 'payment' | 'refund', laneId: string, { saleId, serviceId }: Named, day: number): string =>
  // No `Idempotency-Key` contains a space, so that the payments of the HTTP API have other ids.
  requestId(kind, laneId, `nexo ${JSON.stringify([saleId, serviceId, day])}`);

export const newId = (kind: 'payment' | 'refund', lane: HttpLane, named: Named, nowMs: number): string => idOn(kind, lane.id, named, Math.floor(nowMs / dayMs));

/** The newest payment of this name. */
export const paymentNamed = (lane: HttpLane, named: Named, nowMs: number): Payment | null => newest('payment', lane, named, nowMs, (id) => lane.payment(id));
export const refundNamed = (lane: HttpLane, named: Named, nowMs: number): Refund | null => newest('refund', lane, named, nowMs, (id) => lane.refund(id));

/**
 * The refund that this message began, whenever that was, if it says nothing of its time: such a message is never too old, and what it began is found by the
 * payment that it names.
 */
export const refundOfUntimed = (lane: HttpLane, named: Named, paymentId: string): Refund | null =>
  lane.refundsOf(paymentId).findLast(({ request: { by } }) => by.kind === 'till' && isFrom(by.from ?? null, named) && saleSaidIn(by.from) === null) ?? null;

function newest<State>(kind: 'payment' | 'refund', lane: HttpLane, named: Named, nowMs: number, find: (id: string) => State | null): State | null {
  const today = Math.floor(nowMs / dayMs);
  // Begins with tomorrow, because the clock may have been set back.
  for (let day = today + 1; day >= today - rememberedDays; day -= 1) {
    const found = find(idOn(kind, lane.id, named, day));
    if (found !== null) return found;
  }
  return null;
}
