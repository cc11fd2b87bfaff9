/**
 * The events of a lane in the order of the journal. The id of an event is its number in the
 * journal.
 */
import type { HttpCounter } from './lane.ts';
import { laneView, paymentView, refundView } from './views.ts';

export interface FeedOptions {
  readonly counter: () => HttpCounter | null;
  /** Events of this lane in the journal after `seq`, oldest first. */
  readonly changesAfter: (
    seq: number,
    most: number,
  ) => readonly {
    readonly seq: number;
    readonly saleId: string;
    readonly refundOrderId: string | null;
  }[];
  readonly newestSeq: () => number;
}

interface FeedItem {
  readonly seq: number;
  /** The event in the bytes of a stream. */
  readonly text: string;
}

/** The next write to a stream. */
interface Next {
  /** null when the stream has everything. */
  readonly bytes: Buffer | null;
  /** The stream's position after these bytes, and the state of the lane that it then has. */
  readonly seq: number;
  readonly lane: string;
  /** Whether the journal has more than was read at once. */
  readonly isMore: boolean;
}

/**
 * Events that are kept in memory for streams that have fallen behind; older ones are read from the
 * journal.
 */
const maxRetainedEvents = 500;
const maxChangesRead = 500;

/** Shared by all streams of a lane, so that each change is read and serialised once. */
export class LaneFeed {
  readonly #options: FeedOptions;
  /** The newest events, complete from `#fromSeq` on. */
  #kept: FeedItem[] = [];
  #fromSeq: number;
  #seq: number;
  #isStale = false;
  /**
   * The event with the lane's state; null when the lane does not exist, undefined when it was not
   * made since the last change.
   */
  #lane: string | null | undefined;
  /** The last answer of `next`, for the streams at the same position, which are nearly all. */
  #prepared: {
    readonly behind: number;
    readonly toldLane: string | null;
    readonly next: Next;
  } | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#seq = options.newestSeq();
    this.#fromSeq = this.#seq;
  }

  /** To be called when the lane has changed. */
  changed(): void {
    this.#isStale = true;
    this.#lane = undefined;
    this.#prepared = null;
  }

  /**
   * Where a stream begins without a `Last-Event-ID`, or with one that this journal does not have
   * yet.
   */
  get newestSeq(): number {
    this.#read();
    return this.#seq;
  }

  /**
   * @param toldLane the event with the lane's state that the stream had last, or null @returns null
   * when the lane does not exist
   */
  next(behind: number, toldLane: string | null): Next | null {
    const lane = this.#laneTold();
    if (lane === null) return null;
    this.#read();
    const prepared = this.#prepared;
    if (prepared?.behind === behind && prepared.toldLane === toldLane) return prepared.next;
    const { items, lastSeq, isAll } = this.#after(behind);
    const text = items.map((item) => item.text).join('') + (lane === toldLane ? '' : lane);
    const next = {
      bytes: text === '' ? null : Buffer.from(text),
      seq: lastSeq,
      lane,
      isMore: !isAll,
    };
    this.#prepared = { behind, toldLane, next };
    return next;
  }

  #after(seq: number): {
    readonly items: readonly FeedItem[];
    readonly lastSeq: number;
    readonly isAll: boolean;
  } {
    if (seq < this.#fromSeq) return this.#items(seq);
    return {
      items: this.#kept.slice(this.#kept.findLastIndex((item) => item.seq <= seq) + 1),
      lastSeq: Math.max(seq, this.#seq),
      isAll: true,
    };
  }

  /** The event with the lane's state; null when the lane does not exist. */
  #laneTold(): string | null {
    if (this.#lane === undefined) {
      const counter = this.#options.counter();
      this.#lane = counter === null ? null : sent('lane', laneView(counter.lane));
    }
    return this.#lane;
  }

  #read(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    for (;;) {
      const { items, lastSeq, isAll } = this.#items(this.#seq);
      this.#seq = lastSeq;
      this.#kept.push(...items);
      if (isAll) break;
    }
    const dropped = this.#kept.splice(0, Math.max(0, this.#kept.length - maxRetainedEvents)).at(-1);
    if (dropped !== undefined) this.#fromSeq = dropped.seq;
  }

  /**
   * Several events of one payment that are read together become one, because each has the payment's
   * present state.
   */
  #items(behind: number): { items: FeedItem[]; lastSeq: number; isAll: boolean } {
    const counter = this.#options.counter();
    const changes = this.#options.changesAfter(behind, maxChangesRead);
    const last = new Map(changes.map((change) => [change.refundOrderId ?? change.saleId, change]));
    const items = [...last.values()]
      .toSorted((one, other) => one.seq - other.seq)
      .flatMap((change) => (counter === null ? [] : itemOf(change, counter)));
    return {
      items,
      lastSeq: changes.at(-1)?.seq ?? behind,
      isAll: changes.length < maxChangesRead,
    };
  }
}

/** JSON.stringify writes no line breaks, so that one `data` line is enough. */
const sent = (event: string, data: object, seq?: number): string =>
  `${seq === undefined ? '' : `id: ${seq}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function itemOf(
  { seq, saleId, refundOrderId }: ReturnType<FeedOptions['changesAfter']>[number],
  counter: HttpCounter,
): FeedItem[] {
  if (refundOrderId !== null) {
    const refund = counter.lane.refund(refundOrderId);
    return refund === null ? [] : [{ seq, text: sent('refund', refundView(refund), seq) }];
  }
  const payment = counter.lane.payment(saleId);
  return payment === null
    ? []
    : [{ seq, text: sent('payment', paymentView(payment, counter), seq) }];
}
