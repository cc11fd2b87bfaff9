import type { Clock } from '../../core/domain/clock.ts';
import type { Turns } from '../../core/domain/turns.ts';

export interface PacedInputOptions {
  readonly turns: Turns;
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** How many bytes are cut into messages in one step. */
  readonly pieceBytes: number;
  /** @returns the complete messages, in order */
  readonly split: (piece: Uint8Array) => readonly Uint8Array[];
  readonly take: (message: Uint8Array) => void;
  /**
   * @returns how long the next message has to wait, in milliseconds; asked once for each message
   */
  readonly delayMs?: (message: Uint8Array) => number;
  /** Called when everything that came has been taken. */
  readonly onIdle?: () => void;
}

const noBytes = new Uint8Array(0);

/**
 * What one peer has sent, in steps that it shares with all other peers: one message in each step,
 * and a piece of bytes before it where none is complete. Messages stay in order. Those of a peer
 * that sends no faster than a till are taken at once, in the turn in which they come.
 */
export class PacedInput {
  readonly #options: PacedInputOptions;
  #bytes: Uint8Array = noBytes;
  #messages: readonly Uint8Array[] = [];
  #nextMessage = 0;
  /** `delayed`: the next message waits until it is earned. */
  #state: 'idle' | 'taking' | 'delayed' | 'closed' = 'idle';
  #cancelDelay = (): void => {};
  #whenDone: (() => void) | null = null;

  constructor(options: PacedInputOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  /** How many bytes wait. */
  get waitingBytes(): number {
    return this.#bytes.length;
  }

  push(bytes: Uint8Array): void {
    if (this.#state === 'closed') return;
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    if (this.#state !== 'idle') return;
    this.#state = 'taking';
    this.#begin();
  }

  /**
   * Runs `done` when all that came before has been taken, at once where nothing waits. A peer that
   * sends too fast is not waited for.
   */
  finish(done: () => void): void {
    this.#whenDone = done;
    if (this.#state !== 'taking') this.close();
  }

  /** Drops what was not taken. */
  close(): void {
    this.#state = 'closed';
    this.#cancelDelay();
    this.#bytes = noBytes;
    this.#messages = [];
    this.#done();
  }

  #begin(): void {
    if (this.#options.turns.takeStep()) this.#takeSteps();
    else this.#options.turns.wait(this.#takeSteps);
  }

  readonly #takeSteps = (): void => {
    while (this.#step()) {
      if (this.#options.turns.takeStep()) continue;
      this.#options.turns.wait(this.#takeSteps);
      return;
    }
  };

  /** @returns whether another step can follow */
  #step(): boolean {
    const { pieceBytes, split, take, delayMs, onIdle, clock } = this.#options;
    if (this.#state === 'closed') return false;
    const isEarned = this.#state === 'delayed';
    this.#state = 'taking';
    if (this.#nextMessage >= this.#messages.length) {
      const piece = this.#bytes.subarray(0, pieceBytes);
      this.#bytes = this.#bytes.subarray(pieceBytes);
      this.#messages = split(piece);
      this.#nextMessage = 0;
    }
    const message = this.#messages[this.#nextMessage];
    if (message !== undefined) {
      const waitMs = isEarned ? 0 : (delayMs?.(message) ?? 0);
      if (waitMs > 0) {
        this.#state = 'delayed';
        if (this.#whenDone !== null) this.close();
        else this.#cancelDelay = clock.after(waitMs, () => this.#begin());
        return false;
      }
      this.#nextMessage += 1;
      take(message);
    }
    if (this.#isClosed) return false;
    if (this.#nextMessage < this.#messages.length || this.#bytes.length > 0) return true;
    this.#state = 'idle';
    if (this.#whenDone !== null) this.close();
    else onIdle?.();
    return false;
  }

  // Taking a message can close the input.
  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #done(): void {
    const done = this.#whenDone;
    this.#whenDone = null;
    done?.();
  }
}
