import type { Cancel } from '../../core/domain/clock.ts';
import { LaneFeed } from './events.ts';
import { Refused } from './problems.ts';
import type { HttpApiOptions } from './options.ts';

/** A comment in the stream keeps an idle connection open. The token is checked each time. */
const heartbeatMs = 15_000;
const heartbeat = Buffer.from(':\n\n');
const maxStreams = 600;
/**
 * A till has one or two. The oldest ends for a new one, because it may be of a connection that
 * broke unnoticed.
 */
export const maxStreamsOfToken = 8;
/**
 * Each change delays the streams by this time, so that requests are answered first and changes in
 * quick succession are sent together.
 */
const gatheredMs = 50;
/** Repeated changes delay the streams by no more than this. */
const maxBlockedMs = 200;
/** Streams that are written to in one turn of the event loop, in a few tenths of a millisecond. */
const streamsPerTurn = 10;

/** Where a stream's bytes go. */
export interface StreamResponse {
  readonly destroyed: boolean;
  /** Whether earlier bytes have not been taken yet. `drained` is called when they are. */
  readonly writableNeedDrain: boolean;
  write(bytes: Buffer): void;
  end(): void;
  /** Sets what is called when earlier bytes were taken, and when the connection is closed. */
  listen(about: { readonly drained: () => void; readonly closed: () => void }): void;
}

export interface StreamAbout {
  readonly laneId: string;
  readonly tokenId: string;
  /** `Last-Event-ID`; empty when the header is missing. */
  readonly lastId: string;
}

interface StreamedLane {
  readonly feed: LaneFeed;
  readonly streams: Set<EventStream>;
}

/**
 * All event streams. Each is written to as fast as its client reads, a few in a turn of the event
 * loop; what a stream has missed comes from the journal.
 */
export class Streams {
  readonly #options: HttpApiOptions;
  readonly #lanes = new Map<string, StreamedLane>();
  readonly #stop: () => void;
  /** Streams that may have something to send, in the order in which they are served. */
  readonly #due = new Set<EventStream>();
  #cancelTurn: Cancel | null = null;
  /** When the first of the delayed changes came; null when none is delayed. */
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

  /** @throws Refused */
  open(response: StreamResponse, { laneId, tokenId, lastId }: StreamAbout): void {
    if (!/^\d{0,15}$/.test(lastId)) {
      const errors = [
        { field: 'Last-Event-ID', rule: 'must be the id of an event of this stream' },
      ];
      throw new Refused(
        'invalid-request',
        'Last-Event-ID must be the id of an event of this stream',
        { errors },
      );
    }
    const all = this.#all();
    const [oldest, ...others] = all.filter((stream) => stream.tokenId === tokenId);
    if (others.length + 1 >= maxStreamsOfToken) oldest?.end();
    else if (all.length >= maxStreams) throw new Refused('too-many-streams');
    const { feed, streams } = this.#laneOf(laneId);
    const seq = lastId === '' ? feed.newestSeq : Math.min(Number(lastId), feed.newestSeq);
    const stream: EventStream = new EventStream({
      response,
      tokenId,
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
    const delayMs = Math.min(gatheredMs, this.#heldUpSinceMs + maxBlockedMs - nowMs);
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
    for (const stream of this.#due.values().take(streamsPerTurn)) {
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
  readonly response: StreamResponse;
  readonly tokenId: string;
  readonly feed: LaneFeed;
  /** The stream begins after this event. */
  readonly seq: number;
  /** Whether its token is still valid. */
  readonly isAllowed: () => boolean;
  /** Called when the response can be written to again. */
  readonly ready: () => void;
  readonly gone: () => void;
}

class EventStream {
  readonly #options: EventStreamOptions;
  #seq: number;
  #toldLane: string | null = null;
  /** Whether there may be something to tell once the response takes more. */
  #isBehind = false;
  #hasEnded = false;
  wantsHeartbeat = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#seq = options.seq;
    options.response.listen({
      drained: () => this.#isBehind && options.ready(),
      closed: options.gone,
    });
  }

  get tokenId(): string {
    return this.#options.tokenId;
  }

  /**
   * Writes what has happened since the last call. @returns `more` when the journal has more than is
   * read at once
   */
  tell(): 'all' | 'more' {
    const { response, feed, isAllowed } = this.#options;
    // A slow client gets the rest from the journal, once it has read this.
    this.#isBehind = response.writableNeedDrain;
    if (response.destroyed || this.#isBehind) return 'all';
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
    response.write(bytes);
    this.#isBehind = next.isMore;
    return next.isMore && !response.writableNeedDrain ? 'more' : 'all';
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.gone();
    this.#options.response.end();
  }
}
