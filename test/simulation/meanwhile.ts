/**
 * The rules that are checked during a run, because what is broken then may be repaired at the end.
 */
import type { Lane } from '../../main/core/lane/lane.ts';
import { refundOutcomeOf } from '../../main/core/settlement/outcome.ts';
import type { Payment } from '../../main/core/settlement/payment.ts';
import type { Refund } from '../../main/core/settlement/refund.ts';
import type { Books } from './books.ts';
import type { Written } from './disk.ts';
import type { Kept, KeptPayment } from './kept.ts';
import type { Life } from './life.ts';
import type { Arrived, Departure } from './network.ts';
import type { Broken } from './rules.ts';

/**
 * Rules about requests to a service and its answers: everything that settles money must have been
 * decided on disk before.
 */
export class RequestRules {
  readonly broken: Broken[] = [];
  readonly #kept: Kept;
  readonly #books: Books;
  /** The keys of the requests, for each change that they ask for. */
  readonly #keys = new Map<string, Set<string>>();
  /** Keys of requests that the service itself has refused. */
  readonly #refused = new Set<string>();
  /** The times at which changes were sent, by life of the daemon and by payment. */
  readonly #changes = new WeakMap<Life, Map<string, number[]>>();

  constructor(kept: Kept, books: Books) {
    this.#kept = kept;
    this.#books = books;
  }

  arrived(arrived: Arrived, departure: Departure): void {
    const broken = arrived.isEpayment
      ? [this.#changed(arrived, departure), this.#newKey(arrived), this.#epayment(arrived)]
      : [this.#pointOfSale(arrived)];
    this.broken.push(...[this.#elsewhere(arrived), ...broken].filter((one) => one !== null));
  }

  answered({ key }: Arrived, status: number): void {
    if (key !== null && status >= 400 && status < 500 && !notExecuted.has(status))
      this.#refused.add(key);
  }

  /** Rule: a payment that was begun at one service is never asked for at the other. */
  #elsewhere({ operation, parameters, body, isEpayment }: Arrived): Broken | null {
    const sent = body === null || body === '' ? [] : Object.values(JSON.parse(body) as object);
    const matchingName = [...parameters, ...sent].find((name) => {
      const service = typeof name === 'string' ? this.#books.serviceOf(name) : undefined;
      return service !== undefined && (service === 'epayment') !== isEpayment;
    });
    return matchingName === undefined
      ? null
      : {
          rule: 8,
          what: `${operation} came for ${matchingName}, which was begun at the other service`,
        };
  }

  /**
   * A restart begins to count anew: a service that is asked once too often then says so, and is
   * left alone.
   * @param leftAtMs what is late counts for when it left, and what never comes for nothing
   */
  #changed(arrived: Arrived, { life, leftAtMs }: Departure): Broken | null {
    const reference = referenceIn(arrived);
    if (arrived.key === null || reference === null) return null;
    const ofLife = this.#changes.get(life) ?? new Map<string, number[]>();
    this.#changes.set(life, ofLife);
    const all = [...(ofLife.get(reference) ?? []), leftAtMs];
    ofLife.set(reference, all);
    const most = Math.max(
      ...all.map((lastMs) => all.filter((atMs) => atMs > lastMs - 60_000 && atMs <= lastMs).length),
    );
    return most > maxChangesPerMinute
      ? { rule: 8, what: `payment ${reference} was to be changed ${most} times in a minute` }
      : null;
  }

  #pointOfSale({ operation, parameters: [id = ''] }: Arrived): Broken | null {
    switch (operation) {
      case 'capturePayment':
        return this.#capture(this.#kept.byId(id));
      case 'cancelPayment':
        return this.#cancel(this.#kept.byId(id)?.orderId ?? 'of nobody');
      case 'captureRefund':
      case 'cancelRefund': {
        const order = this.#kept.world.refunds.get(id)?.refundOrderId ?? 'of nobody';
        const refund = this.#books.refunds.get(order);
        if (refund === undefined || refund.kind === 'needsPerson') return null;
        const isRight = refundOutcomeOf(refund)?.refunded === (operation === 'captureRefund');
        return isRight
          ? null
          : {
              rule: 5,
              what: `${operation} came for refund ${order} that is ${refund.kind} on disk`,
            };
      }
      default:
        return null;
    }
  }

  #epayment({ operation, parameters: [id = ''], key, body }: Arrived): Broken | null {
    const there = this.#kept.byId(id);
    const order = there?.orderId ?? 'of nobody';
    switch (operation) {
      case 'createEpayment': {
        const { metadata } = JSON.parse(body ?? '{}') as { metadata?: Record<string, string> };
        const known = this.#books.ofOrder(metadata?.['order'] ?? '');
        return known?.sale.idempotencyKey === key
          ? null
          : {
              rule: 4,
              what: `a payment was to be created with a key that is not on disk: ${body}`,
            };
      }
      case 'captureEpayment':
        return this.#capture(there);
      case 'cancelEpayment': {
        const known = this.#books.ofOrder(order);
        const isConditional =
          (JSON.parse(body ?? '{}') as { cancelTransactionOnly?: boolean })
            .cancelTransactionOnly === true;
        if (!isConditional || known === undefined) return this.#cancel(order);
        // The answer is the decision: such a request comes before one, once somebody has cancelled.
        return this.#books.stopped.has(known.sale.saleId)
          ? null
          : { rule: 3, what: `a cancel came for order ${order} that nobody wants to end` };
      }
      case 'refundEpayment': {
        const refund = this.#books.refunds.get(this.#books.refundOfKey(key ?? ''));
        const { modificationAmount } = JSON.parse(body ?? '{}') as {
          modificationAmount?: { value: number };
        };
        const isAsked =
          refund?.request.paymentId === id &&
          refund.request.amountMinor === modificationAmount?.value;
        return isAsked
          ? null
          : {
              rule: 5,
              what: `a refund of order ${order} came with a key that is not on disk: ${body}`,
            };
      }
      default:
        return null;
    }
  }

  #capture(there: KeptPayment | undefined): Broken | null {
    const order = there?.orderId ?? 'of nobody';
    const known = this.#books.ofOrder(order);
    const kind = known?.kind;
    if (known !== undefined && known.sale.amountMinor !== there?.terms?.amountMinor)
      return {
        rule: 1,
        what: `a capture came for order ${order} over ${known.sale.amountMinor}, of which ${there?.terms?.amountMinor} are reserved`,
      };
    if (known !== undefined && !this.#books.acknowledged.has(known.sale.saleId))
      return { rule: 1, what: `a capture came for order ${order} that nobody has acknowledged` };
    // The capture may have ended: this request was late on its way, and a repetition was faster.
    return kind === 'capturing' || kind === 'paid' || kind === 'needsPerson' || kind === undefined
      ? null
      : { rule: 1, what: `a capture came for order ${order} that is ${kind} on disk` };
  }

  #cancel(order: string): Broken | null {
    const known = this.#books.ofOrder(order);
    const kind = known?.kind;
    const isDecided = kind === 'cancelling' || kind === 'notPaid' || kind === 'needsPerson';
    // The part of a reservation that is not wanted is released after the wanted part was captured.
    const part = known?.reservation?.captureMinor ?? null;
    const isRest = part !== null && this.#kept.ofOrder(order)?.capturedMinor === part;
    return isDecided || isRest || kind === undefined
      ? null
      : { rule: 3, what: `a cancel came for order ${order} that is ${kind} on disk` };
  }

  /**
   * A refusal sticks to its key, so the next request needs another one. After a lost answer the key
   * must be the same, or both could be carried out.
   */
  #newKey({ operation, parameters: [id = ''], key, body }: Arrived): Broken | null {
    if (key === null || (operation !== 'captureEpayment' && operation !== 'cancelEpayment'))
      return null;
    const change = `${operation} ${id} ${body}`;
    const known = this.#keys.get(change) ?? new Set<string>();
    this.#keys.set(change, known);
    // The request was late on its way, and later ones were faster.
    if (known.has(key)) return null;
    const isAllowed = [...known].every((before) => this.#refused.has(before));
    known.add(key);
    return isAllowed
      ? null
      : { rule: 8, what: `${change} came with a new key, and the one before was not refused` };
  }
}

/** Refusals with which the service has neither carried out the request nor judged it. */
const notExecuted: ReadonlySet<number> = new Set([401, 423, 429]);
const maxChangesPerMinute = 5;

function referenceIn({ parameters: [id], body }: Arrived): string | null {
  return id ?? (JSON.parse(body ?? '{}') as { reference?: string }).reference ?? null;
}

export const isToBeShown = (event: Written['events'][number]): boolean =>
  event.type === 'attemptFailed' ||
  event.type === 'personNeeded' ||
  (event.type === 'cancelIntended' && event.reason === 'leftByCashier');

/**
 * Unsettled money is on the screens from the first failed attempt on, or from the moment when a
 * cashier has left it.
 */
export function checkShown(money: Payment | Refund, lane: Lane): Broken | null {
  const isUnderWay = money.kind === 'capturing' || money.kind === 'cancelling';
  const isLeft = money.kind === 'cancelling' && money.reason === 'leftByCashier';
  const isDue = money.kind === 'needsPerson' || isLeft || (isUnderWay && money.failedAttempts > 0);
  const order = 'sale' in money ? money.sale.orderId : money.request.refundOrderId;
  if (!isDue || lane.snapshot().unsettled.some(({ orderId }) => orderId === order)) return null;
  return {
    rule: 2,
    what: `order ${order} is ${money.kind}, ${isLeft ? 'a cashier has left it' : 'its first attempt has failed'}, and no screen shows it`,
  };
}
