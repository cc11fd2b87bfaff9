import type { RawData, WebSocket } from 'ws';
import { httpTurns } from '../../support/paced-server.ts';
import { type BoundedLog, boundedLog } from '../../core/domain/bounded-log.ts';
import { maxBufferedBytes, type SendQueue } from './newest-view.ts';

/** After the closing handshake began, the page has this long to complete it. */
const closeMs = 1_000;

interface ClientSocketOptions {
  readonly socket: WebSocket;
  /** Address of the other end. */
  readonly address: string;
  readonly log: BoundedLog;
  /** How long a page may leave what it was sent unread. */
  readonly unreadTimeoutMs: number;
  /** Limit of messages that are being answered at a time. */
  readonly maxConcurrent: number;
  /** Whether so much is unread by all pages together that no further message is answered. */
  readonly isTooMuch: () => boolean;
  /** Called with the first message of the contract. */
  readonly spoken: () => void;
}

/**
 * @param message undefined when it is not JSON. @returns settles when it is answered; null when the
 * contract has no such message, and the connection is closed
 */
type Receive = (message: unknown) => Promise<unknown> | null;

/**
 * One page's WebSocket. While its answers are unread nothing more is read from it, and after a
 * while it is closed: memory stays for the other pages.
 */
export class ClientSocket implements SendQueue {
  readonly #socket: WebSocket;
  readonly address: string;
  /** Logs what the other end causes: the first line of each kind, and their number at the end. */
  readonly log: BoundedLog;
  readonly #options: ClientSocketOptions;
  readonly #waiting: string[] = [];
  #answering = 0;
  #behindSinceMs: number | null = null;
  #isClosing = false;
  /** Whether a message waits for its turn. */
  #isTurnPlanned = false;
  /** Whether a message of the contract has come. */
  hasSpoken = false;
  #receive: Receive = () => null;

  constructor(options: ClientSocketOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.address = options.address;
    this.log = boundedLog(options.log.child({ address: options.address }), {
      maxLines: 1,
      withinMs: Infinity,
    });
    this.#socket.on('error', (error) =>
      this.log.warn({ detail: error.message }, 'the connection of a page failed'),
    );
    this.#socket.on('close', () => {
      this.#waiting.length = 0;
      this.log.close();
    });
    // The socket answers pings by itself, and those answers have to be read too.
    this.#socket.on('ping', () => this.#next());
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  send(text: string, sent: () => void): void {
    this.#socket.send(text, () => {
      sent();
      this.#next();
    });
  }

  onClose(listener: () => void): void {
    this.#socket.on('close', listener);
  }

  onMessage(receive: Receive): void {
    this.#receive = receive;
    this.#socket.on('message', (data, isBinary) => this.#push(data, isBinary));
  }

  /** Called regularly; closes the connection when it was too slow for too long. */
  check(): void {
    const nowMs = performance.now();
    if (!this.#isBehind) this.#behindSinceMs = null;
    else if (nowMs - (this.#behindSinceMs ??= nowMs) > this.#options.unreadTimeoutMs)
      return this.terminate();
    this.#next();
  }

  /** @param why for the log */
  terminate(why = 'a page leaves what it was sent unread: its connection is closed'): void {
    this.log.warn({ bufferedBytes: this.bufferedAmount }, why);
    this.#socket.terminate();
  }

  get #isBehind(): boolean {
    return this.bufferedAmount > maxBufferedBytes;
  }

  get #mayAnswer(): boolean {
    return (
      this.#answering < this.#options.maxConcurrent && !this.#isBehind && !this.#options.isTooMuch()
    );
  }

  #push(data: RawData, isBinary: boolean): void {
    if (this.#isClosing || isBinary) return this.#close();
    // The default `binaryType` of ws brings buffers.
    this.#waiting.push((data as Buffer).toString('utf8'));
    this.#next();
  }

  #next(): void {
    if (this.#waiting.length > 0 && this.#mayAnswer && !this.#isTurnPlanned) {
      this.#isTurnPlanned = true;
      (this.hasSpoken ? httpTurns.ofTrusted : httpTurns.ofStrangers).wait(() => this.#turn());
    }
    const mustWait = !this.#isClosing && (this.#waiting.length > 0 || this.#isBehind);
    if (mustWait === this.#socket.isPaused) return;
    if (mustWait) this.#socket.pause();
    else this.#socket.resume();
  }

  /** Answers one message, if its turn still finds it. */
  #turn(): void {
    this.#isTurnPlanned = false;
    const text = this.#mayAnswer ? this.#waiting.shift() : undefined;
    if (text !== undefined) this.#answer(text);
    this.#next();
  }

  #answer(text: string): void {
    const answered = this.#isClosing ? null : this.#receive(parseJson(text));
    if (answered === null) return this.#close();
    if (!this.hasSpoken) this.#options.spoken();
    this.hasSpoken = true;
    this.#answering += 1;
    void answered.finally(() => {
      this.#answering -= 1;
      this.#next();
    });
  }

  #close(): void {
    this.log.warn({}, 'a page sent a message that is not in the contract: closing its connection');
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#socket.close(1008, 'not a message of the contract');
    setTimeout(() => this.#socket.terminate(), closeMs).unref();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
