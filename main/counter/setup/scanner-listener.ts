/**
 * What a scanner at a serial port reads, for whoever sets it up. The code itself stays here: it
 * names a person.
 */
import type { ScannerReport } from '../../../preload/procedures/setup-ways.ts';
import { ScannedTexts } from '../devices/scanned-texts.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { readPersonalCode } from '../../core/domain/named-customer.ts';
import {
  type OpenSerialWire,
  portClaimerOf,
  portProblemOf,
  type Wire,
} from '../../core/domain/wire.ts';

interface ListenerOptions {
  readonly clock: Clock;
  readonly openSerialWire: OpenSerialWire;
}

const reopenMs = 1_000;
/** Listening ends after so long without a call. */
const forgottenMs = 30_000;
/** How much is shown of a code that is long enough to hide the rest. */
const shownCharacters = 4;

type Read = NonNullable<ScannerReport['read']>;

export class ScannerListener {
  readonly port: { readonly path: string; readonly baudRate: number };
  readonly #options: ListenerOptions;
  readonly #texts: ScannedTexts;
  #heard: ScannerReport = { state: 'opening', problem: null, detail: null, read: null };
  #wire: Wire | null = null;
  #cancelReopen: Cancel = () => {};
  #cancelForgotten: Cancel = () => {};
  /** One after the other: a port that is being closed is not opened. */
  #work: Promise<void> = Promise.resolve();

  constructor(port: ScannerListener['port'], options: ListenerOptions) {
    this.port = port;
    this.#options = options;
    this.#texts = new ScannedTexts(options.clock, (text) => {
      this.#heard = { ...this.#heard, read: readOf(text, (this.#heard.read?.count ?? 0) + 1) };
    });
    this.heard();
    this.#next(() => this.#open());
  }

  /** Each call keeps it listening. */
  heard(): ScannerReport {
    this.#cancelForgotten();
    if (this.#heard.state !== 'stopped')
      this.#cancelForgotten = this.#options.clock.after(forgottenMs, () => void this.stop());
    return this.#heard;
  }

  /** Resolves when the port is open, or could not be opened; with `stop`, when it is free again. */
  get settled(): Promise<void> {
    return this.#work;
  }

  stop(): Promise<void> {
    this.#heard = { ...this.#heard, state: 'stopped' };
    this.#cancelReopen();
    this.#cancelForgotten();
    this.#next(() => this.#close());
    return this.#work;
  }

  #next(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => this.#lost(error));
  }

  async #open(): Promise<void> {
    if (this.#heard.state === 'stopped') return;
    // A scanner is told nothing.
    this.#wire = await this.#options.openSerialWire(
      { ...this.port, stopBits: 1 },
      {
        data: (bytes) => this.#texts.data(bytes),
        lost: (why) =>
          this.#next(() => this.#close().then(() => this.#lost(new Error(why), 'absent'))),
      },
    );
    // `stop` may have been called meanwhile; the port is closed next.
    if (this.#isStopped) return;
    this.#heard = { state: 'listening', problem: null, detail: null, read: this.#heard.read };
  }

  get #isStopped(): boolean {
    return this.#heard.state === 'stopped';
  }

  async #close(): Promise<void> {
    this.#texts.forget();
    const wire = this.#wire;
    this.#wire = null;
    await wire?.close();
  }

  #lost(why: unknown, problem = portProblemOf(why)): void {
    if (this.#isStopped) return;
    const { read } = this.#heard;
    this.#heard = {
      state: 'opening',
      problem,
      ...portClaimerOf(why),
      detail: messageOf(why),
      read,
    };
    this.#cancelReopen();
    this.#cancelReopen = this.#options.clock.after(reopenMs, () => this.#next(() => this.#open()));
  }
}

function readOf(text: string, count: number): Read {
  const end = text.length < 3 * shownCharacters ? '' : text.slice(-shownCharacters);
  const isGarbled = !/^[\x20-\x7e]+$/.test(text);
  const what = isGarbled
    ? 'garbled'
    : typeof readPersonalCode(text) === 'object'
      ? 'customer'
      : 'other';
  return { masked: `••••${isGarbled ? '' : end}`, characters: text.length, what, count };
}
