import type { ServerResponse } from 'node:http';
import type { Cancel } from '../../domain/clock.ts';
import { LaneFeed } from './events.ts';
import { Refused } from './problems.ts';
import type { HttpApiOptions } from './options.ts';

/** A comment keeps a quiet stream open, and finds out whether its token was revoked. */
const heartbeatMs = 15_000;
const heartbeat = Buffer.from(':\n\n');
const mostStreams = 600;
/** Whatever happens holds up what is told: a payment and its answers go first, and what happens within that time is told together. */
const gatheredMs = 50;
/** But for no longer than this. */
const longestHeldUpMs = 200;
/** A few tenths of a millisecond. */
const toldInATurn = 10;

export interface StreamAbout {
  readonly laneId: string;
  readonly tokenId: string;
  /** `Last-Event-ID`; empty: none. */
  readonly lastId: string;
}

interface StreamedLane {
  readonly feed: LaneFeed;
  readonly streams: Set<EventStream>;
}

/** Event streams: each is told at the pace at which it is read, a few in a turn of the loop, and reads what it has missed from the journal. */
export class Streams {
  readonly #options: HttpApiOptions;
  readonly #lanes = new Map<string, StreamedLane>();
  readonly #stop: () => void;
  /** Those that may have something to tell, in the order in which they are looked at. */
  readonly #due = new Set<EventStream>();
  #cancelTurn: Cancel | null = null;
  /** When what is due was first held up. */
  #heldUpSinceMs: number | null = null;
  #cancelHeartbeat: Cancel;

  constructor(options: HttpApiOptions) {
    this.#options = options;
    this.#stop = options.subscribe((laneId) => this.#changed(laneId));
    this.#cancelHeartbeat = options.clock.after(heartbeatMs, () => this.#heartbeat());
  }

  close(): void {
    this.#stop();
    this.#cancelTurn?.();
    this.#cancelHeartbeat();
    for (const stream of this.#all()) stream.end();
  }

  /**
   * Writes to Node's own response: what frameworks put between costs more, for each event and stream, than all that is told.
   * @param headers that every answer has
   */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>, { laneId, tokenId, lastId }: StreamAbout): void {
    if (!/^\d{0,15}$/.test(lastId)) {
      const errors = [{ field: 'Last-Event-ID', rule: 'must be the id of an event of this stream' }];
      throw new Refused('invalid-request', 'Last-Event-ID must be the id of an event of this stream', { errors });
    }
    if (this.#all().length >= mostStreams) throw new Refused('too-many-streams');
    const { feed, streams } = this.#laneOf(laneId);
    const seq = lastId === '' ? feed.newestSeq : Math.min(Number(lastId), feed.newestSeq);
    const stream: EventStream = new EventStream({
      response,
      feed,
      seq,
      isAllowed: () => this.#options.tokens.holds(tokenId),
      ready: () => this.#isDue(stream),
      gone: () => {
        streams.delete(stream);
        this.#due.delete(stream);
      },
    });
    streams.add(stream);
    // Ended by its connection: no chunk needs a frame of its own.
    response.removeHeader('transfer-encoding');
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', connection: 'close' });
    this.#tell(stream);
  }

  #changed(laneId: string | null): void {
    for (const [id, { feed, streams }] of this.#lanes)
      if (laneId === null || laneId === id) {
        feed.changed();
        for (const stream of streams) this.#due.add(stream);
      }
    if (this.#due.size === 0) return;
    const nowMs = this.#options.clock.monotonicMs();
    this.#heldUpSinceMs ??= nowMs;
    const delayMs = Math.min(gatheredMs, this.#heldUpSinceMs + longestHeldUpMs - nowMs);
    if (delayMs > 0) this.#turnIn(delayMs);
  }

  #isDue(stream: EventStream): void {
    this.#due.add(stream);
    if (this.#cancelTurn === null) this.#turnIn(1);
  }

  #turnIn(delayMs: number): void {
    this.#cancelTurn?.();
    this.#cancelTurn = this.#options.clock.after(delayMs, () => this.#turn());
  }

  #turn(): void {
    this.#cancelTurn = null;
    for (const stream of this.#due.values().take(toldInATurn)) {
      this.#due.delete(stream);
      this.#tell(stream);
    }
    if (this.#due.size > 0) this.#turnIn(1);
    else this.#heldUpSinceMs = null;
  }

  #tell(stream: EventStream): void {
    if (stream.tell() === 'more') this.#due.add(stream);
  }

  #heartbeat(): void {
    for (const stream of this.#all()) {
      stream.wantsHeartbeat = true;
      this.#due.add(stream);
    }
    if (this.#due.size > 0 && this.#cancelTurn === null) this.#turnIn(1);
    this.#cancelHeartbeat = this.#options.clock.after(heartbeatMs, () => this.#heartbeat());
  }

  #all(): readonly EventStream[] {
    return [...this.#lanes.values()].flatMap(({ streams }) => [...streams]);
  }

  #laneOf(laneId: string): StreamedLane {
    const { counter, journal } = this.#options;
    const lane = this.#lanes.get(laneId) ?? {
      feed: new LaneFeed({
        counter: () => counter(laneId),
        changesAfter: (seq, most) => journal.changesAfter(laneId, seq, most),
        newestSeq: () => journal.newestSeq(),
      }),
      streams: new Set(),
    };
    this.#lanes.set(laneId, lane);
    return lane;
  }
}

interface EventStreamOptions {
  readonly response: ServerResponse;
  readonly feed: LaneFeed;
  /** It begins behind this event. */
  readonly seq: number;
  /** Whether its token is still valid. */
  readonly isAllowed: () => boolean;
  /** What was written is on its way, and more can be. */
  readonly ready: () => void;
  readonly gone: () => void;
}

class EventStream {
  readonly #options: EventStreamOptions;
  #seq: number;
  #toldLane: string | null = null;
  wantsHeartbeat = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#seq = options.seq;
    options.response.on('drain', options.ready).on('close', options.gone);
    // Written to while it breaks; `close` follows.
    options.response.on('error', () => {});
  }

  /** What has happened since it was last told. `more`: there is more than fits into one turn. */
  tell(): 'all' | 'more' {
    const { response, feed, isAllowed } = this.#options;
    // What is not read stays in the journal.
    if (response.destroyed || response.writableNeedDrain) return 'all';
    const next = isAllowed() ? feed.next(this.#seq, this.#toldLane) : null;
    if (next === null) {
      this.end();
      return 'all';
    }
    this.#seq = next.seq;
    this.#toldLane = next.lane;
    const bytes = next.bytes ?? (this.wantsHeartbeat ? heartbeat : null);
    this.wantsHeartbeat = false;
    if (bytes === null) return 'all';
    return response.write(bytes) && next.isMore ? 'more' : 'all';
  }

  end(): void {
    this.#options.response.end();
  }
}
