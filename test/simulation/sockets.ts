import { EventEmitter } from 'node:events';
import type { createServer, Socket } from 'node:net';
import type { Life } from './life.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/**
 * One end of a connection, with the part of a socket that the product uses. TCP loses nothing, but
 * delays, splits, joins, and breaks.
 */
export class SimulatedSocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = 40_000;
  readonly #stage: Stage;
  readonly #chance: Chance;
  /** The life of the daemon at this end; null for a till, which does not crash with the daemon. */
  readonly #life: Life | null;
  other!: SimulatedSocket;
  destroyed = false;
  readonly writableEnded = false;
  #arrivesAtMs = 0;
  /** Whether nothing arrives any more although neither end was told. */
  isMute = false;

  constructor(stage: Stage, chance: Chance, life: Life | null) {
    super();
    this.#stage = stage;
    this.#chance = chance;
    this.#life = life;
  }

  write(bytes: Uint8Array, done?: (error?: Error) => void): void {
    if (this.#life?.survives('before a write') === false) return;
    if (this.destroyed) {
      done?.(new Error('the socket is closed'));
      return;
    }
    const chance = this.#chance;
    const at = this.#stage.fault(chance, this.#stage.weather.wireFault)
      ? chance.between(0, bytes.length)
      : bytes.length;
    for (const piece of [bytes.slice(0, at), bytes.slice(at)])
      if (piece.length > 0) this.#carry(piece);
    queueMicrotask(() => done?.());
    this.#life?.survives('after a write');
  }

  pause(): void {}

  resume(): void {}

  destroy(): void {
    this.#end();
    const { other } = this;
    if (!this.isMute) this.#later(() => other.#receive(() => other.#end()));
  }

  #carry(bytes: Uint8Array): void {
    if (this.isMute) return;
    const { other } = this;
    this.#later(() => {
      if (this.isMute) return;
      other.#receive(() => {
        if (!other.destroyed && other.#life?.survives('when bytes arrive') !== false)
          other.emit('data', bytes);
      });
    });
  }

  /** Keeps the order of everything on this connection. */
  #later(run: () => void): void {
    const { time, weather } = this.#stage;
    const slow = this.#stage.fault(this.#chance, weather.wireFault)
      ? this.#chance.steeply(50, 7_000)
      : 0;
    this.#arrivesAtMs =
      Math.max(time.monotonicMs(), this.#arrivesAtMs) + this.#chance.between(1, 5) + slow;
    time.after(this.#arrivesAtMs - time.monotonicMs(), run);
  }

  #end(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    if (this.#life === null || this.#life.isAlive)
      queueMicrotask(() => this.#receive(() => this.emit('close')));
  }

  #receive(read: () => void): void {
    if (this.#life === null) read();
    else this.#life.receive('socket', read);
  }
}

/** The address at which a till finds its terminal. The living daemon listens there. */
export class Counter {
  readonly #stage: Stage;
  readonly #chance: Chance;
  #listening: { life: Life; accept: (socket: Socket) => void } | null = null;
  readonly #open = new Set<SimulatedSocket>();

  constructor(stage: Stage, chance: Chance) {
    this.#stage = stage;
    this.#chance = chance;
  }

  serverFor(life: Life): typeof createServer {
    const create = (_options: object, accept: (socket: Socket) => void) => {
      const server = Object.assign(new EventEmitter(), {
        maxConnections: 0,
        address: () => ({ port: 20_007 }),
        listen: (_port: number, _host: string, listening: () => void) => {
          this.#listening = { life, accept };
          queueMicrotask(listening);
        },
        close: (closed: () => void) => {
          if (this.#listening?.life === life) this.#listening = null;
          queueMicrotask(closed);
        },
      });
      return server;
    };
    return create as unknown as typeof createServer;
  }

  /** @returns null when nobody listens */
  connect(): SimulatedSocket | null {
    if (!this.#listening?.life.survives('when a till connects')) return null;
    const { life, accept } = this.#listening;
    const till = new SimulatedSocket(this.#stage, this.#chance, null);
    const terminal = new SimulatedSocket(this.#stage, this.#chance, life);
    till.other = terminal;
    terminal.other = till;
    this.#open.add(terminal);
    terminal.once('close', () => this.#open.delete(terminal));
    life.receive('socket', () => accept(terminal as unknown as Socket));
    return till;
  }

  /**
   * Cuts the network between them. With `silently`, both ends believe that the connection still
   * exists.
   */
  cut(silently: boolean): void {
    for (const terminal of this.#open) {
      if (silently) terminal.isMute = terminal.other.isMute = true;
      else terminal.destroy();
    }
  }

  /** The daemon's process has ended, so its machine closes the connections. */
  died(life: Life): void {
    if (this.#listening?.life === life) this.#listening = null;
    for (const terminal of this.#open) terminal.destroy();
    this.#open.clear();
  }
}
