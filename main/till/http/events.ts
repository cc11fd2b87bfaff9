/** What happens at a lane, in the order of the journal: the number of an event there is its id here. */
import type { HttpCounter } from './lane.ts';
import { laneView, paymentView, refundView } from './views.ts';

export interface FeedOptions {
  readonly counter: () => HttpCounter | null;
  /** Events of the journal of this lane behind `seq`, oldest first. */
  readonly changesAfter: (seq: number, most: number) => readonly { readonly seq: number; readonly saleId: string; readonly refundOrderId: string | null }[];
  readonly newestSeq: () => number;
}

interface FeedItem {
  readonly seq: number;
  /** The event as it is written to each stream. */
  readonly text: string;
}

/** What a stream is told next. */
interface Next {
  /** The bytes to write; null when there are none. */
  readonly bytes: Buffer | null;
  /** Where it is then, and how its lane was told. */
  readonly seq: number;
  readonly lane: string;
  /** There is more behind it. */
  readonly isMore: boolean;
}

/** What a stream that has fallen behind finds without asking the journal again. */
const mostKept = 500;
const mostRead = 500;

/** One for all streams of a lane: what has changed is read and put into words once. */
export class LaneFeed {
  readonly #options: FeedOptions;
  /** The newest ones, without a gap from `#fromSeq` on. */
  #kept: FeedItem[] = [];
  #fromSeq: number;
  #seq: number;
  #isStale = false;
  /** The lane's state in words; null when the lane is not there, undefined when it was not made since the last change. */
  #lane: string | null | undefined;
  /** For the streams that are as far as the one before: mostly all of them. */
  #prepared: { readonly behind: number; readonly toldLane: string | null; readonly next: Next } | null = null;

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

  /** Where a stream begins that names no event, or one that this journal does not have yet. */
  get newestSeq(): number {
    this.#read();
    return this.#seq;
  }

  /** @param toldLane the lane's state as it was told last, or null @returns null when the lane is not there */
  next(behind: number, toldLane: string | null): Next | null {
    const lane = this.#laneTold();
    if (lane === null) return null;
    this.#read();
    const prepared = this.#prepared;
    if (prepared?.behind === behind && prepared.toldLane === toldLane) return prepared.next;
    const { items, lastSeq, isAll } = this.#after(behind);
    const text = items.map((item) => item.text).join('') + (lane === toldLane ? '' : lane);
    const next = { bytes: text === '' ? null : Buffer.from(text), seq: lastSeq, lane, isMore: !isAll };
    this.#prepared = { behind, toldLane, next };
    return next;
  }

  #after(seq: number): { readonly items: readonly FeedItem[]; readonly lastSeq: number; readonly isAll: boolean } {
    if (seq < this.#fromSeq) return this.#items(seq);
    return { items: this.#kept.slice(this.#kept.findLastIndex((item) => item.seq <= seq) + 1), lastSeq: Math.max(seq, this.#seq), isAll: true };
  }

  /** The lane's state as it is written to each stream; null when the lane is not there. */
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
    const dropped = this.#kept.splice(0, Math.max(0, this.#kept.length - mostKept)).at(-1);
    if (dropped !== undefined) this.#fromSeq = dropped.seq;
  }

  /** Several events of one payment that are read together are one: its state is told as it is now. */
  #items(behind: number): { items: FeedItem[]; lastSeq: number; isAll: boolean } {
    const counter = this.#options.counter();
    const changes = this.#options.changesAfter(behind, mostRead);
    const last = new Map(changes.map((change) => [change.refundOrderId ?? change.saleId, change]));
    const items = [...last.values()].toSorted((one, other) => one.seq - other.seq).flatMap((change) => (counter === null ? [] : itemOf(change, counter)));
    return { items, lastSeq: changes.at(-1)?.seq ?? behind, isAll: changes.length < mostRead };
  }
}

/** JSON has no line break, so that one `data` line holds it. */
const sent = (event: string, data: object, seq?: number): string =>
  `${seq === undefined ? '' : `id: ${seq}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function itemOf({ seq, saleId, refundOrderId }: ReturnType<FeedOptions['changesAfter']>[number], counter: HttpCounter): FeedItem[] {
  if (refundOrderId !== null) {
    const refund = counter.lane.refund(refundOrderId);
    return refund === null ? [] : [{ seq, text: sent('refund', refundView(refund), seq) }];
  }
  const payment = counter.lane.payment(saleId);
  return payment === null ? [] : [{ seq, text: sent('payment', paymentView(payment, counter), seq) }];
}
