import { EventEmitter } from 'node:events';
import type { createServer, Socket } from 'node:net';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Currency } from '../../../../main/core/domain/money.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import type { WireListener } from '../../../../main/core/domain/wire.ts';
import type { Till } from '../../../../main/core/lane/till-port.ts';
import { ApduStream } from '../../../../main/tills/zvt/apdu.ts';
import { isOfAnswerClass } from '../../../../main/tills/zvt/packets.ts';
import { ZvtSerialLink } from '../../../../main/tills/zvt/serial-link.ts';
import { createZvtTill } from '../../../../main/tills/zvt/till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ScriptedViews } from './support.ts';

export type Transport = 'serial' | 'tcp';
export const transports: readonly Transport[] = ['serial', 'tcp'];
export type Direction = 'toTerminal' | 'toTill';

/**
 * How one write arrives: in pieces, each with a delay after the one before. With `cut` the line
 * breaks after the last one.
 */
export interface Carried {
  readonly pieces: readonly { readonly bytes: Uint8Array; readonly lateMs: number }[];
  readonly cut?: boolean;
}
export type Carry = (direction: Direction, bytes: Uint8Array) => Carried;
export const whole: Carry = (_direction, bytes) => ({ pieces: [{ bytes, lateMs: 0 }] });

/** The part of a socket that the terminal uses. */
class MemorySocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = 40_000;
  readonly writableLength = 0;
  readonly writableEnded = false;
  destroyed = false;
  readonly #write: (bytes: Uint8Array) => void;

  constructor(write: (bytes: Uint8Array) => void) {
    super();
    this.#write = write;
  }
  write(bytes: Uint8Array, done: (error?: Error) => void): void {
    if (!this.destroyed) this.#write(bytes);
    queueMicrotask(() => done(this.destroyed ? new Error('the socket is closed') : undefined));
  }
  pause(): void {}
  resume(): void {}
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }
}

/**
 * A terminal, the wire and the till's end of it, in memory and in manual time: a serial cable,
 * whose till repeats blocks and never goes away, or a TCP connection. What the wire does with each
 * write is the test's choice.
 */
export class PlayedLine {
  readonly clock = new ManualClock();
  readonly commands = new ScriptedViews();
  readonly till: Till;
  readonly transport: Transport;
  carry: Carry = whole;
  /** The till's answer to a packet; null when there is none. Answers are not answered. */
  respond: (apdu: Uint8Array) => Uint8Array | null = () => null;
  /** What the till has received since the test last looked. */
  readonly #heard: Uint8Array[] = [];
  readonly #arrivesAtMs = { toTerminal: 0, toTill: 0 };
  #accept: (socket: Socket) => void = () => {};
  #isCut = false;
  /** Bytes that are on their way when a line is cut do not arrive on the next one. */
  #generation = 0;
  #terminal: (bytes: Uint8Array) => void = () => {};
  #lost: () => void = () => {};
  #tillEnd: (bytes: Uint8Array) => void = () => {};
  #send: (apdu: Uint8Array) => void = () => {};

  constructor(transport: Transport, currency: Currency = 'DKK') {
    this.transport = transport;
    const server = Object.assign(new EventEmitter(), {
      listen: (_port: number, _host: string, listening: () => void) => listening(),
      address: () => ({ port: 20_007 }),
      close: (closed: () => void) => closed(),
    });
    this.till = createZvtTill({
      settings:
        transport === 'serial'
          ? { protocol: 'zvt', transport, path: '/dev/ttyTEST', baudRate: 9600, stopBits: 2 }
          : { protocol: 'zvt', transport, host: '127.0.0.1', port: 0 },
      currency,
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: this.clock,
      log: silentLog,
      notices: noNotices,
      openSerialWire: async (_port, listener) => this.#openPort(listener),
      createTcpServer: ((_options: unknown, accept: (socket: Socket) => void) => {
        this.#accept = accept;
        return server;
      }) as unknown as typeof createServer,
    });
  }

  async open(): Promise<this> {
    await this.till.open(this.commands);
    if (this.transport === 'serial') this.#openTillsPort();
    else this.connect();
    await settled();
    return this;
  }

  /** The till opens a new connection. */
  connect(): void {
    this.#isCut = false;
    const socket = new MemorySocket((bytes) => this.#carry('toTill', bytes));
    const stream = new ApduStream();
    this.#terminal = (bytes) => void socket.emit('data', bytes);
    this.#lost = () => socket.destroy();
    this.#tillEnd = (bytes) => {
      for (const apdu of stream.push(bytes)) this.#received(apdu);
    };
    this.#send = (apdu) => {
      if (!socket.destroyed) this.#carry('toTerminal', apdu);
    };
    this.#accept(socket as unknown as Socket);
  }

  /** Pulls the plug at the PC, or cuts the network. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#generation += 1;
    this.#terminal = () => {};
    this.#lost();
  }

  plugIn(): void {
    this.#isCut = false;
  }

  send(apdu: Uint8Array): void {
    this.#send(apdu);
  }

  /**
   * The packets that the till has received since the last call, once nothing more follows from what
   * was sent.
   */
  async heard(): Promise<Uint8Array[]> {
    await this.clock.pass(0);
    return this.#heard.splice(0);
  }

  async #openPort(listener: WireListener) {
    if (this.#isCut) throw new Error('/dev/ttyTEST is not there');
    const generation = this.#generation;
    this.#terminal = (bytes) => listener.data(bytes);
    this.#lost = () => listener.lost('the port was unplugged');
    return {
      write: async (bytes: Uint8Array) => {
        if (generation !== this.#generation) throw new Error('an old port was written to');
        this.#carry('toTill', bytes);
      },
      close: async () => {},
    };
  }

  #openTillsPort(): void {
    const link: ZvtSerialLink = new ZvtSerialLink({
      clock: this.clock,
      log: silentLog,
      listener: { received: (apdu) => this.#received(apdu) },
    });
    link.attach({
      write: async (bytes) => this.#carry('toTerminal', bytes),
      close: async () => {},
    });
    this.#tillEnd = (bytes) => link.data(bytes);
    this.#send = (apdu) => link.send(apdu);
  }

  #received(apdu: Uint8Array): void {
    this.#heard.push(apdu);
    const answer = isOfAnswerClass(apdu) ? null : this.respond(apdu);
    if (answer !== null) this.#send(answer);
  }

  #carry(direction: Direction, sent: Uint8Array): void {
    if (this.#isCut) return;
    const generation = this.#generation;
    const { pieces, cut = false } = this.carry(direction, sent);
    for (const { bytes, lateMs } of pieces)
      if (bytes.length > 0)
        this.#after(direction, lateMs, () => {
          if (generation === this.#generation)
            (direction === 'toTerminal' ? this.#terminal : this.#tillEnd)(bytes);
        });
    if (cut)
      this.#after(direction, 0, () => {
        if (generation === this.#generation) this.cut();
      });
  }

  /** Keeps the order, as a line does. */
  #after(direction: Direction, lateMs: number, run: () => void): void {
    const nowMs = this.clock.monotonicMs();
    const atMs = Math.max(nowMs, this.#arrivesAtMs[direction]) + lateMs;
    this.#arrivesAtMs[direction] = atMs;
    this.clock.after(atMs - nowMs, run);
  }
}

/**
 * Cuts a write into two, where so many bytes have gone in one direction: the rest comes later, or
 * never.
 */
export function breaksAt(
  direction: Direction,
  position: number,
  how: { readonly gapMs: number } | 'cut',
): Carry {
  let gone = 0;
  return (going, bytes) => {
    if (going !== direction) return whole(going, bytes);
    const at = position - gone;
    gone += bytes.length;
    if (at < 0 || at >= bytes.length) return whole(going, bytes);
    const before = { bytes: bytes.slice(0, at), lateMs: 0 };
    return how === 'cut'
      ? { pieces: [before], cut: true }
      : { pieces: [before, { bytes: bytes.slice(at), lateMs: how.gapMs }] };
  };
}
