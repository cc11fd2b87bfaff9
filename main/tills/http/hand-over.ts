import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/domain/clock.ts';
import type { threadRpc } from '../../support/thread-rpc.ts';
import type { ApiProcess } from './calls.ts';

/**
 * Requests that the process has been given and has not begun. It begins one in a turn of its loop.
 */
const maxNotBegun = 8;

/** A request that is with the process. */
interface Handed {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly hold: () => void;
  /** Lets the next request be handed over. */
  readonly markBegun: () => void;
  /** Sends the head of an event stream; null for any other request. */
  readonly beginStream: (() => void) | null;
}

interface About extends Pick<Handed, 'incoming' | 'outgoing' | 'hold'> {
  readonly beginStream?: () => void;
  /** A request that may be a stranger's waits until no other does. */
  readonly isTrusted: boolean;
}

/** Hands requests to the process, a few at a time. The rest waits in this thread. */
export class HandOver {
  readonly #process: ReturnType<typeof threadRpc<ApiProcess>>;
  readonly #clock: Clock;
  readonly #handed = new Map<number, Handed>();
  readonly #waiting: (() => void)[] = [];
  readonly #strangers: (() => void)[] = [];
  #notBegun = 0;
  #lastId = 0;
  /** Streams whose bytes the system has taken, told to the process together. */
  #written: number[] = [];

  constructor(process: ReturnType<typeof threadRpc<ApiProcess>>, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
  }

  /** @param call begins it in the process. Resolves with its answer */
  async hand<Answer>(about: About, call: (id: number) => Promise<Answer>): Promise<Answer> {
    await this.#room(about.isTrusted ? this.#waiting : this.#strangers);
    const id = (this.#lastId += 1);
    let isBegun = false;
    const markBegun = (): void => {
      if (isBegun) return;
      isBegun = true;
      this.#notBegun -= 1;
      (this.#waiting.shift() ?? this.#strangers.shift())?.();
    };
    this.#handed.set(id, { ...about, beginStream: about.beginStream ?? null, markBegun });
    const gone = (): void => {
      if (this.#handed.delete(id)) void this.#process.gone.asEvent(id);
    };
    if (about.outgoing.destroyed) gone();
    else about.outgoing.once('close', gone);
    try {
      return await call(id);
    } finally {
      markBegun();
      if (about.beginStream === undefined) this.#handed.delete(id);
    }
  }

  begun(id: number): void {
    this.#handed.get(id)?.markBegun();
  }

  waits(id: number, silentMs: number): void {
    const handed = this.#handed.get(id);
    if (handed === undefined) return;
    handed.hold();
    // Node sets it again for the next request.
    handed.incoming.socket.setTimeout(silentMs);
  }

  write(id: number, bytes: Uint8Array): void {
    const handed = this.#handed.get(id);
    if (handed === undefined) return;
    if (!handed.outgoing.headersSent) handed.beginStream?.();
    handed.outgoing.write(bytes, () => this.#wrote(id));
  }

  end(id: number): void {
    this.#handed.get(id)?.outgoing.end();
  }

  async #room(queue: (() => void)[]): Promise<void> {
    while (this.#notBegun >= maxNotBegun) await new Promise<void>((resolve) => queue.push(resolve));
    this.#notBegun += 1;
  }

  #wrote(id: number): void {
    this.#written.push(id);
    if (this.#written.length > 1) return;
    this.#clock.after(0, () => {
      void this.#process.written.asEvent(this.#written);
      this.#written = [];
    });
  }
}
