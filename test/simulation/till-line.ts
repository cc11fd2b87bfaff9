import { silentLog } from '../../main/core/domain/log.ts';
import { ApduStream } from '../../main/tills/zvt/apdu.ts';
import { ZvtSerialLink } from '../../main/tills/zvt/serial-link.ts';
import type { Cable } from './cable.ts';
import type { Counter, SimulatedSocket } from './sockets.ts';
import type { SimulatedTime } from './time.ts';

export type SimulatedLine =
  | { readonly kind: 'serial'; readonly cable: Cable }
  | { readonly kind: 'tcp'; readonly counter: Counter };

interface TillLineOptions {
  readonly time: SimulatedTime;
  readonly received: (apdu: Uint8Array) => void;
  /** The TCP connection is lost; a cable cannot be lost like this. */
  readonly lost: () => void;
}

/** The till's end of its line to the terminal. */
export class TillLine {
  readonly #line: SimulatedLine;
  readonly #options: TillLineOptions;
  #send: ((apdu: Uint8Array) => void) | null = null;
  #hangUp: () => void = () => {};

  constructor(line: SimulatedLine, options: TillLineOptions) {
    this.#line = line;
    this.#options = options;
  }

  /** Whether it may garble and repeat packets. */
  get isSerial(): boolean {
    return this.#line.kind === 'serial';
  }

  get isConnected(): boolean {
    return this.#send !== null;
  }

  /** @returns whether it is connected: not where no terminal listens */
  connect(): boolean {
    const { time, received } = this.#options;
    if (this.#line.kind === 'serial') {
      const link: ZvtSerialLink = new ZvtSerialLink({
        clock: time,
        log: silentLog,
        listener: { received },
      });
      link.attach(
        this.#line.cable.connectTill({ data: (bytes) => link.data(bytes), lost: () => {} }),
      );
      this.#send = (apdu) => link.send(apdu);
      this.#hangUp = () => link.close();
      return true;
    }
    const socket = this.#line.counter.connect();
    if (socket === null) return false;
    this.#converse(socket);
    return true;
  }

  send(apdu: Uint8Array): void {
    this.#send?.(apdu);
  }

  /** Ends the connection, which is then not told as lost. */
  close(): void {
    this.#hangUp();
    this.#send = null;
  }

  /** Gives a connection up, and tells so. */
  lose(): void {
    if (this.#send === null) return;
    const hangUp = this.#hangUp;
    this.#hangUp = () => {};
    this.#send = null;
    hangUp();
    this.#options.lost();
  }

  #converse(socket: SimulatedSocket): void {
    const stream = new ApduStream();
    this.#send = (apdu) => socket.write(apdu);
    this.#hangUp = () => socket.destroy();
    socket.on('data', (bytes: Uint8Array) => {
      if (!socket.destroyed) for (const apdu of stream.push(bytes)) this.#options.received(apdu);
    });
    const hangUp = this.#hangUp;
    socket.once('close', () => {
      if (this.#hangUp === hangUp) this.lose();
    });
  }
}
