import type { RawData, WebSocket } from 'ws';
import { type BoundedLog, CountedLog } from './bounded-log.ts';
import { mostBufferedBytes, type Outlet } from './newest-view.ts';

/** Said and not answered yet. */
const mostAtOnce = 16;
/** A screen that is shown out has this long to agree. */
const leaveMs = 1_000;

interface LineOptions {
  readonly socket: WebSocket;
  /** Of the other end. */
  readonly address: string;
  readonly log: BoundedLog;
  /** How long a screen may take nothing of what it is told. */
  readonly patienceMs: number;
  /** So much is on its way to screens already that nobody gets more. */
  readonly isTooMuch: () => boolean;
}

/** @param message undefined: it cannot be read. @returns settles when it is answered; null: it is none of the contract, and the screen is shown out */
type Take = (message: unknown) => Promise<unknown> | null;

/** The connection of one screen. Who does not take its answers is not heard, and after a while not kept: memory is for the others. */
export class Line implements Outlet {
  readonly socket: WebSocket;
  readonly address: string;
  /** What the other end causes. */
  readonly log: CountedLog;
  readonly #options: LineOptions;
  readonly #waiting: string[] = [];
  #answering = 0;
  #behindSinceMs: number | null = null;
  #isShownOut = false;
  #take: Take = () => null;

  constructor(options: LineOptions) {
    this.#options = options;
    this.socket = options.socket;
    this.address = options.address;
    this.log = new CountedLog(options.log, { address: options.address });
    this.socket.on('error', (error) => this.log.warn({ detail: error.message }, 'the connection of a screen failed'));
    this.socket.on('close', () => {
      this.#waiting.length = 0;
      this.log.end();
    });
    // Answered by themselves, and that too has to be taken.
    this.socket.on('ping', () => this.#goOn());
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get bufferedAmount(): number {
    return this.socket.bufferedAmount;
  }

  send(text: string, sent: () => void): void {
    this.socket.send(text, () => {
      sent();
      this.#goOn();
    });
  }

  onMessage(take: Take): void {
    this.#take = take;
    this.socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
  }

  /** Now and then: who is too slow is let go. */
  look(): void {
    const nowMs = performance.now();
    if (!this.#isBehind) this.#behindSinceMs = null;
    else if (nowMs - (this.#behindSinceMs ??= nowMs) > this.#options.patienceMs) return this.cut();
    this.#goOn();
  }

  cut(): void {
    this.log.warn({ bufferedBytes: this.bufferedAmount }, 'a screen takes nothing of what it is told: its connection is cut');
    this.socket.terminate();
  }

  get #isBehind(): boolean {
    return this.bufferedAmount > mostBufferedBytes;
  }

  get #mayAnswer(): boolean {
    return this.#answering < mostAtOnce && !this.#isBehind && !this.#options.isTooMuch();
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.#isShownOut || isBinary) return this.#showOut();
    this.#waiting.push((data as Buffer).toString('utf8'));
    this.#goOn();
  }

  #goOn(): void {
    while (this.#waiting.length > 0 && this.#mayAnswer) this.#answer(this.#waiting.shift() as string);
    const mustWait = !this.#isShownOut && (this.#waiting.length > 0 || this.#isBehind);
    if (mustWait === this.socket.isPaused) return;
    if (mustWait) this.socket.pause();
    else this.socket.resume();
  }

  #answer(text: string): void {
    const answered = this.#isShownOut ? null : this.#take(parseJson(text));
    if (answered === null) return this.#showOut();
    this.#answering += 1;
    void answered.finally(() => {
      this.#answering -= 1;
      this.#goOn();
    });
  }

  #showOut(): void {
    this.log.warn({}, 'a screen sent something that is not of the contract');
    if (this.#isShownOut) return;
    this.#isShownOut = true;
    this.socket.close(1008, 'not a message of the contract');
    setTimeout(() => this.socket.terminate(), leaveMs).unref();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
