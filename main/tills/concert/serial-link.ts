/**
 * A session on the cable: ENQ, answered ACK; the block, answered ACK or NAK; EOT. The sender opens
 * it: the till for a request, the terminal for an answer.
 */
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { type Wire, writeUnlessLost } from '../../core/domain/wire.ts';
import { ACK, BlockReader, blockOf, CAN, ENQ, EOT, NAK, STX } from './blocks.ts';

/** How long the other side has for each step, and for the next byte of a block. */
const stepMs = 3_000;
const maxSends = 3;
/** A till that cancels sends so many CAN, and EOT. */
const minCancels = 3;
/** The STX of a till with 7 data bits and even parity, received without parity. */
const evenStx = STX | 0x80;

export interface SerialLinkListener {
  /** Called with the text of the till's block when the till has ended its session. */
  received(text: Uint8Array): void;
  /** Called with the text of an acknowledged block whose session the till never ended. */
  unended(text: Uint8Array): void;
  /** The till wants no payment any more. */
  cancelled(): void;
  /** Called on the till's ENQ: whether it may send a request now. */
  mayAsk(): boolean;
}

interface Sending {
  readonly block: Uint8Array;
  stage: 'enquiring' | 'block';
  sends: number;
  /** Whether the till may still end its own session. */
  isEotLate: boolean;
  readonly settle: (taken: boolean) => void;
}

export class ConcertSerialLink {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listener: SerialLinkListener;
  #wire: Wire | null = null;
  /**
   * Stage of the till's session: waiting for its block, within the block, or waiting for its end
   * with the text.
   */
  #listening:
    | { stage: 'open' }
    | { stage: 'block'; reader: BlockReader }
    | { stage: 'end'; text: Uint8Array }
    | null = null;
  #sending: Sending | null = null;
  /** CAN in a row. */
  #cancels = 0;
  #cancelStep: Cancel = () => {};

  constructor({ clock, log, listener }: { clock: Clock; log: Log; listener: SerialLinkListener }) {
    this.#clock = clock;
    this.#log = log;
    this.#listener = listener;
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

  /**
   * Resolves with whether the till has acknowledged the block. The session is open then: `end` ends
   * it.
   * @param isEotLate whether the till may still end its own session meanwhile
   */
  send(text: Uint8Array, { isEotLate = false } = {}): Promise<boolean> {
    if (this.#wire === null || this.#sending !== null || this.#listening !== null)
      return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#sending = {
        block: blockOf(text),
        stage: 'enquiring',
        sends: 0,
        isEotLate,
        settle: resolve,
      };
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
    if (listening?.stage === 'block') return this.#takeBlock(byte, listening.reader);
    const cancels = this.#cancels;
    this.#cancels = byte === CAN ? cancels + 1 : 0;
    if (byte === ENQ) {
      // A till that asks again while a payment runs has stopped waiting or was restarted. It would
      // take that payment's answer for the answer to its new request.
      this.#listening = this.#listener.mayAsk() ? { stage: 'open' } : null;
      this.#put(this.#listening === null ? NAK : ACK);
    } else if (byte === STX && listening !== null) {
      this.#listening = { stage: 'block', reader: new BlockReader() };
    } else if (byte === EOT) {
      this.#listening = null;
      this.#cancelStep();
      if (listening?.stage === 'end') this.#listener.received(listening.text);
      else if (cancels >= minCancels) this.#listener.cancelled();
      return;
    } else if (byte !== CAN) this.#unexpected(byte);
    if (this.#listening !== null) this.#waitForStep();
  }

  #takeBlock(byte: number, reader: BlockReader): void {
    const text = reader.push(byte);
    if (text === 'damaged') {
      this.#log.warn({}, 'a block from the till has a wrong LRC, or no end');
      this.#listening = { stage: 'open' };
      this.#put(NAK);
    } else if (text !== null) {
      // The till may send a block again when it missed the ACK. It stays one request, because the
      // text is read only when the session ends.
      this.#listening = { stage: 'end', text };
      this.#put(ACK);
    }
    this.#waitForStep();
  }

  #unexpected(byte: number): void {
    if (byte === evenStx)
      this.#log.warn(
        {},
        'the till speaks with even parity: set dataBits to 7 and parity to "even"',
      );
    else this.#log.warn({ byte }, 'an unexpected byte from the till');
  }

  #answered(byte: number, sending: Sending): void {
    if (byte === ACK && sending.stage === 'enquiring') {
      sending.stage = 'block';
      sending.sends = 0;
      return this.#transmit();
    }
    if (byte === ACK) return this.#settle(true);
    if (byte === NAK) return this.#again();
    if (byte === EOT && sending.isEotLate) {
      sending.isEotLate = false;
      return;
    }
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
    if (this.#sending.sends < maxSends) return this.#transmit();
    this.#log.warn(
      { stage: this.#sending.stage },
      'the till did not acknowledge the answer, sent three times',
    );
    this.#settle(false);
  }

  /**
   * Ends the session. No EOT is sent where the till did not acknowledge: it may have the block, and
   * EOT would make it valid.
   */
  #settle(taken: boolean): void {
    const sending = this.#sending;
    this.#sending = null;
    this.#cancelStep();
    sending?.settle(taken);
  }

  #waitForStep(): void {
    this.#cancelStep();
    this.#cancelStep = this.#clock.after(stepMs, () => this.#giveUp());
  }

  #giveUp(): void {
    const listening = this.#listening;
    this.#log.warn(
      { stage: listening?.stage },
      'the till did not end its session: its request is not carried out',
    );
    this.#listening = null;
    if (listening?.stage === 'block') this.#put(NAK);
    if (listening?.stage === 'end') this.#listener.unended(listening.text);
  }

  #reset(): void {
    this.#listening = null;
    this.#cancels = 0;
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
