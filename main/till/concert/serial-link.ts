/**
 * A session on the cable: ENQ, answered ACK; the block STX text ETX LRC, answered ACK or NAK; EOT. The sender opens it: the till for a request, the
 * terminal for an answer. The LRC is the exclusive or of all bytes after STX, including ETX.
 */
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import { type Wire, writeUnlessLost } from '../../domain/wire.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x15] as const;

/** How long the other side has for each step, and for the next byte of a block. */
const stepMs = 3_000;
const mostSends = 3;
/** More than any message has: 64 records of 40 characters. */
const mostBlockBytes = 4_096;

const blockOf = (text: Uint8Array): Uint8Array => Uint8Array.of(STX, ...text, ETX, lrcOf(text));
const lrcOf = (text: Uint8Array): number => text.reduce((sum, byte) => sum ^ byte, ETX);

interface Sending {
  readonly block: Uint8Array;
  stage: 'enquiring' | 'block';
  sends: number;
  readonly settle: (taken: boolean) => void;
}

export class ConcertSerialLink {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Called with the text of the till's block when the till has ended its session. */
  readonly #received: (text: Uint8Array) => void;
  /** Called on the till's ENQ: whether it may send a request now. */
  readonly #mayAsk: () => boolean;
  #wire: Wire | null = null;
  /** Stage of the till's session: waiting for its block, within the block, or waiting for its end with the text. */
  #listening: { stage: 'open' } | { stage: 'text' | 'lrc'; text: number[] } | { stage: 'end'; text: Uint8Array } | null = null;
  #sending: Sending | null = null;
  #cancelStep: Cancel = () => {};

  constructor(options: { clock: Clock; log: Log; received: (text: Uint8Array) => void; mayAsk: () => boolean }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#received = options.received;
    this.#mayAsk = options.mayAsk;
  }

  attach(wire: Wire): void {
    this.#wire = wire;
  }

  detach(): void {
    this.#wire = null;
    this.#reset();
  }

  close(): void {
    this.detach();
  }

  /** Resolves with whether the till has acknowledged the block. The session is open then: `end` ends it. */
  send(text: Uint8Array): Promise<boolean> {
    if (this.#wire === null || this.#sending !== null || this.#listening !== null) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#sending = { block: blockOf(text), stage: 'enquiring', sends: 0, settle: resolve };
      this.#transmit();
    });
  }

  end(): void {
    this.#put(EOT);
  }

  data(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#sending !== null) return this.#answered(byte, this.#sending);
    const listening = this.#listening;
    if (listening?.stage === 'text') return this.#takeText(byte, listening.text);
    if (listening?.stage === 'lrc') return this.#takeLrc(byte, listening.text);
    if (byte === ENQ) {
      // A till that asks again while a payment runs has stopped waiting or was restarted. It would take that payment's answer for its new request's.
      this.#listening = this.#mayAsk() ? { stage: 'open' } : null;
      this.#put(this.#listening === null ? NAK : ACK);
    } else if (byte === STX && listening !== null) {
      this.#listening = { stage: 'text', text: [] };
    } else if (byte === EOT) {
      this.#listening = null;
      this.#cancelStep();
      if (listening?.stage === 'end') this.#received(listening.text);
      return;
    } else this.#log.warn({ byte }, 'an unexpected byte from the till');
    if (this.#listening !== null) this.#waitForStep();
  }

  #takeText(byte: number, text: number[]): void {
    if (byte === ETX) this.#listening = { stage: 'lrc', text };
    else if (text.length < mostBlockBytes) text.push(byte);
    else return this.#reset();
    this.#waitForStep();
  }

  #takeLrc(byte: number, text: number[]): void {
    const isRight = byte === lrcOf(Uint8Array.from(text));
    if (!isRight) this.#log.warn({}, 'a block from the till has a wrong LRC');
    // The till may send a block again when it missed the ACK. It is one request, because it is read only when the session ends.
    this.#listening = isRight ? { stage: 'end', text: Uint8Array.from(text) } : { stage: 'open' };
    this.#put(isRight ? ACK : NAK);
    this.#waitForStep();
  }

  #answered(byte: number, sending: Sending): void {
    if (byte === ACK && sending.stage === 'enquiring') {
      sending.stage = 'block';
      sending.sends = 0;
      return this.#transmit();
    }
    if (byte === ACK) return this.#settle(true);
    if (byte === NAK) return this.#again();
    // With ENQ or EOT the till shows that it does not wait for this answer.
    if (byte !== ENQ && byte !== EOT) return;
    this.#settle(false);
    if (byte === ENQ) this.#take(byte);
  }

  #transmit(): void {
    const sending = this.#sending;
    if (sending === null) return;
    sending.sends += 1;
    this.#cancelStep();
    this.#cancelStep = this.#clock.after(stepMs, () => this.#again());
    if (sending.stage === 'enquiring') this.#put(ENQ);
    else this.#write(sending.block);
  }

  #again(): void {
    if (this.#sending === null) return;
    if (this.#sending.sends < mostSends) return this.#transmit();
    this.#log.warn({ stage: this.#sending.stage }, 'the till did not acknowledge the answer, sent three times');
    this.#settle(false);
  }

  /** Ends the session. No EOT is sent where the till did not acknowledge: it may have the block, and EOT would make it valid. */
  #settle(taken: boolean): void {
    const sending = this.#sending;
    this.#sending = null;
    this.#cancelStep();
    sending?.settle(taken);
  }

  #waitForStep(): void {
    this.#cancelStep();
    this.#cancelStep = this.#clock.after(stepMs, () => {
      this.#log.warn({}, 'the till did not end its session: its request is dropped');
      this.#listening = null;
    });
  }

  #reset(): void {
    this.#listening = null;
    this.#cancelStep();
    this.#settle(false);
  }

  #put(byte: number): void {
    this.#write(Uint8Array.of(byte));
  }

  #write(bytes: Uint8Array): void {
    writeUnlessLost(this.#wire, bytes, this.#log);
  }
}
