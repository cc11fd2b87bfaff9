import { isDeepStrictEqual } from 'node:util';
import type { TillLine } from '../../../preload/procedures/setup-fields.ts';
import type { Heard, ListenRefusal } from '../../../preload/procedures/setup-till.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { baudRates } from '../../core/domain/field-rules.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { PortProblem } from '../../core/domain/till-links.ts';
import { formatOf, type SerialFormat } from '../../core/domain/serial-format.ts';
import { type OpenSerialWire, portClaimerOf, portProblemOf } from '../../core/domain/wire.ts';
import { listenRefusal } from './displays.ts';
import { hearTcp } from './hear-tcp.ts';
import { shownBytes } from './shown-bytes.ts';
import { TillAnswers } from './till-answers.ts';
import { TillJudge, type Verdict } from './till-judge.ts';
import { messageOf } from '../../core/domain/errors.ts';

interface ListenerOptions {
  /** null while it is not known. */
  readonly laneCurrency?: Currency | null;
  /** The language of the words that a till shows. Default: English. */
  readonly language?: Language;
  readonly clock: Clock;
  readonly openSerialWire: OpenSerialWire;
}

/** A port that is not there yet is tried again. */
const reopenMs = 1_000;
/** A till sends whole messages: after this silence what came is judged. */
const silenceMs = 300;
/** For a line that never falls silent. */
const maxBytesBeforeJudging = 256;
/** Listening ends after so long without a call. */
const forgottenMs = 30_000;
const maxEarly = 16;
const firstBytesShown = 64;
/** Only the version is shown of a till of Concert: what follows may hold secrets of the till. */
const firstBytesOfConcert = 9;

/**
 * What decides which bytes are heard. Two stop bits are heard as one, and seven data bits as eight.
 */
function lineOf(till: TillLine): object {
  if (till.transport === 'tcp') return { ...till, protocol: null };
  const { path, baudRate } = till;
  return { path, baudRate, format: hearingFormat(till) };
}

/** Eight data bits without parity hear the parity of seven data bits too. */
function hearingFormat(till: SerialFormat): SerialFormat {
  return till.dataBits === 7 ? formatOf({}) : formatOf(till);
}

/**
 * Opens the till's line and reports what arrives. On a serial line it finds the baud rate by
 * itself, and data bits and parity of Concert. A till that it recognises is answered as by a lane
 * that is not ready, and Concert's enquiry before that, because the till sends its first block only
 * then.
 */
export class TillListener {
  /** Resolves when the line is open, or could not be opened at the first try. */
  readonly opened: Promise<void>;
  readonly #options: ListenerOptions;
  #till: TillLine;
  #judge: TillJudge;
  /** The judge of the rate before, until something comes at this one. */
  #judgeBefore: TillJudge | null = null;
  #state: 'opening' | 'open' | 'stopped' = 'opening';
  #detail: string | null = null;
  #problem: PortProblem | null = null;
  #claimer: ReturnType<typeof portClaimerOf> = {};
  #listening: ListenRefusal | null = null;
  #turnedAway: string | null = null;
  /** Rates that gave noise. */
  readonly #noisyRates = new Set<number>();
  #hasTriedAllRates = false;
  readonly #answers: TillAnswers;
  /** Answers over the cable while it is open. */
  #cable: ReturnType<TillAnswers['onCable']> | null = null;
  /** What came while the port was being opened. */
  readonly #early: Uint8Array[] = [];
  #close: () => Promise<void> = async () => {};
  #cancelReopen: Cancel = () => {};
  #cancelSilence: Cancel = () => {};
  #cancelForgotten: Cancel = () => {};
  /** One after the other: a port that is being closed is not opened. */
  #work: Promise<void> = Promise.resolve();

  constructor(till: TillLine, options: ListenerOptions) {
    this.#options = options;
    this.#till = till;
    this.#judge = new TillJudge(till.transport, options.laneCurrency);
    this.#answers = new TillAnswers({
      ...options,
      currency: options.laneCurrency ?? null,
      language: options.language ?? 'en',
    });
    this.heard();
    this.#next(() => this.#open());
    this.opened = this.#work;
  }

  /** Each call keeps it listening. */
  heard(): Heard {
    if (this.#state !== 'stopped') {
      this.#cancelForgotten();
      this.#cancelForgotten = this.#options.clock.after(forgottenMs, () => void this.stop());
    }
    const judge = this.#judge.bytes === 0 ? (this.#judgeBefore ?? this.#judge) : this.#judge;
    const verdict = judge.verdict(this.#till.protocol);
    const isConcert = verdict.what === 'concert' || this.#protocol(verdict) === 'concert';
    return {
      what: this.#what(verdict),
      protocol: this.#protocol(verdict),
      bytes: judge.bytes,
      packets: judge.packets,
      firstBytes: shownBytes(
        judge.firstBytes.subarray(0, isConcert ? firstBytesOfConcert : firstBytesShown),
      ),
      profile: judge.profile,
      meaning: 'meaning' in verdict ? verdict.meaning : null,
      till: this.#asHeard(judge),
      turnedAway: this.#turnedAway,
      answered: this.#answers.answered,
      detail: this.#detail,
      problem: this.#detail === null ? null : this.#problem,
      ...(this.#detail === null ? {} : this.#claimer),
      ...(this.#listening !== null && { listening: this.#listening }),
    };
  }

  /**
   * At the line that is open, what was heard is judged by another protocol: the till need not speak
   * again. @returns false when something else differs
   */
  waitFor(till: TillLine): boolean {
    const isOther = this.#state === 'open' && till.protocol !== this.#till.protocol;
    if (!isOther || !isDeepStrictEqual(lineOf(this.#till), lineOf(till))) return false;
    this.#till = till;
    return true;
  }

  /**
   * The line at which a till was recognised, also after listening has ended; null when none was.
   */
  get foundAt(): TillLine | null {
    return this.#isFound ? this.#till : null;
  }

  get #isFound(): boolean {
    const { protocol } = this.#till;
    return this.#judge.verdict(protocol).what === protocol;
  }

  /** Resolves when the port is free again. */
  stop(): Promise<void> {
    this.#state = 'stopped';
    this.#cancelReopen();
    this.#cancelSilence();
    this.#cancelForgotten();
    this.#next(() => this.#close());
    return this.#work;
  }

  /** The line with data bits and parity as they were heard. */
  #asHeard({ format }: TillJudge): TillLine {
    const till = this.#till;
    return till.transport !== 'serial' ||
      format === null ||
      isDeepStrictEqual(format, formatOf(till))
      ? till
      : { ...till, ...format };
  }

  #what(verdict: Verdict): Heard['what'] {
    if (this.#state === 'stopped') return 'stopped';
    if (
      verdict.what === this.#till.protocol ||
      verdict.what === 'otherProtocol' ||
      verdict.what === 'zvtDamaged'
    )
      return verdict.what;
    if (this.#hasTriedAllRates) return 'otherProtocol';
    if (
      this.#noisyRates.size > 0 ||
      (verdict.what === 'noise' && this.#till.transport === 'serial')
    )
      return 'wrongBaudRate';
    if (this.#state === 'opening') return 'opening';
    return verdict.what === 'noise' ? 'otherProtocol' : verdict.what;
  }

  #protocol(verdict: Verdict): Heard['protocol'] {
    if (verdict.what === 'otherProtocol') return verdict.protocol;
    return this.#what(verdict) === 'otherProtocol' ? 'unknown' : null;
  }

  #next(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => {
      this.#detail = messageOf(error);
    });
  }

  async #open(): Promise<void> {
    if (this.#state === 'stopped') return;
    try {
      this.#close =
        this.#till.transport === 'serial'
          ? await this.#openSerial(this.#till)
          : await this.#listen(this.#till);
      this.#detail = null;
      this.#problem = null;
      this.#claimer = {};
      this.#listening = null;
      // `stop` may have been called meanwhile, which the compiler does not consider.
      if ((this.#state as string) !== 'stopped') this.#state = 'open';
    } catch (error) {
      this.#detail = messageOf(error);
      this.#problem = portProblemOf(error);
      this.#claimer = portClaimerOf(error);
      this.#listening = this.#till.transport === 'tcp' ? listenRefusal(error, this.#till) : null;
      this.#reopenLater();
    }
  }

  #reopenLater(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'opening';
    this.#cancelReopen();
    this.#cancelReopen = this.#options.clock.after(reopenMs, () => this.#next(() => this.#open()));
  }

  async #openSerial(
    till: Extract<TillLine, { transport: 'serial' }>,
  ): Promise<() => Promise<void>> {
    const { path, baudRate, stopBits } = till;
    this.#early.length = 0;
    const wire = await this.#options.openSerialWire(
      { path, baudRate, stopBits, ...hearingFormat(till) },
      {
        data: (bytes) => this.#take(bytes),
        lost: (why) => {
          this.#detail = why;
          this.#problem = 'absent';
          this.#claimer = {};
          this.#next(() => this.#close());
          this.#reopenLater();
        },
      },
    );
    const cable = this.#answers.onCable(wire, till, this.#judge);
    this.#cable = cable;
    for (const bytes of this.#early.splice(0)) cable.heard(bytes);
    return () => {
      this.#cable = null;
      cable.close();
      return wire.close();
    };
  }

  async #listen(till: Extract<TillLine, { transport: 'tcp' }>): Promise<() => Promise<void>> {
    const { port, close } = await hearTcp({
      ...till,
      clock: this.#options.clock,
      laneCurrency: this.#options.laneCurrency ?? null,
      answers: this.#answers,
      heard: (judge) => {
        // Once a till was recognised, other connections are ignored.
        if (!this.#isFound) this.#judge = judge;
      },
      turnedAway: (address) => {
        this.#turnedAway = address;
      },
    });
    this.#till = { ...till, port };
    return close;
  }

  #take(bytes: Uint8Array): void {
    if (this.#state === 'stopped') return;
    this.#judge.push(bytes);
    if (this.#cable !== null) this.#cable.heard(bytes);
    else if (this.#early.length < maxEarly) this.#early.push(bytes);
    this.#cancelSilence();
    if (this.#judge.bytes > maxBytesBeforeJudging) this.#judgeRate();
    else this.#cancelSilence = this.#options.clock.after(silenceMs, () => this.#judgeRate());
  }

  /**
   * After noise the next rate is tried, in a cycle: the first noise may have been the rest of a
   * message that began earlier.
   */
  #judgeRate(): void {
    const till = this.#till;
    if (till.transport !== 'serial' || this.#judge.verdict().what !== 'noise') return;
    this.#noisyRates.add(till.baudRate);
    if (this.#noisyRates.size === baudRates.length) {
      this.#hasTriedAllRates = true;
      this.#noisyRates.clear();
    }
    this.#till = {
      ...till,
      baudRate:
        baudRates.find((rate) => rate !== till.baudRate && !this.#noisyRates.has(rate)) ??
        till.baudRate,
    };
    this.#judgeBefore = this.#judge;
    this.#judge = new TillJudge('serial', this.#options.laneCurrency);
    this.#state = 'opening';
    this.#next(() => this.#close());
    this.#next(() => this.#open());
  }
}
