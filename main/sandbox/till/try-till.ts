/** A test till for terminals: `npm run till`, and `tillbeacon/till` for tests. */
import { type Clock, sleep, systemClock } from '../../core/domain/clock.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import { hexByte, positiveAnswer } from '../../tills/zvt/packets.ts';
import type { TcpFraming } from '../../tills/zvt/tcp-framing.ts';
import { type CommandOutcome, type LoggedPacket, Register } from './register.ts';
import { checked, type CheckedStep, Script, Step, StepMistake } from './steps.ts';
import {
  differences,
  success,
  type StepOutcome,
  outcomeInWords,
  stepOutcomeOf,
} from './step-outcome.ts';

/** The line to the terminal. */
export type TerminalLine =
  | {
      readonly transport: 'tcp';
      readonly host: string;
      readonly port: number;
      readonly framing?: TcpFraming;
    }
  | {
      readonly transport: 'serial';
      readonly path: string;
      readonly baudRate?: number;
      readonly stopBits?: 1 | 2;
      readonly open: OpenSerialWire;
    };

export interface TimedPacket extends LoggedPacket {
  readonly atMs: number;
  /** Milliseconds since the other side's last packet; null when it has sent none. */
  readonly afterMs: number | null;
}

export interface TryTillOptions {
  readonly line: TerminalLine;
  /** Sent with registrations, payments and reservations; null to send none. */
  readonly currency: Currency | null;
  /** Six digits; 123456 when left out. */
  readonly password?: string;
  readonly clock?: Clock;
  readonly packet?: (packet: TimedPacket) => void;
  /** Called when the connection is closed or the cable is unplugged. */
  readonly gone?: () => void;
}

/**
 * How long a till waits for the answer to a command (T3), and then for the next packet (T4); ZVT
 * PA00P016, section 5.
 */
const answerMs = 5_000;
const silenceMs = 180_000;
/** How long a till that disconnects waits for the delivery of its last answer. */
const lastAnswerMs = 1_000;

/** The terminal sent nothing in time, or the connection is closed. */
export class TerminalSilent extends Error {}

export class TryTill {
  readonly #options: TryTillOptions;
  readonly #clock: Clock;
  #register: Register | null = null;
  #lastOf: Readonly<Record<LoggedPacket['direction'], number | null>> = {
    sent: null,
    received: null,
  };
  /** From the last result with a receipt number and code 00. */
  #receiptNumber: number | null = null;
  #onReceived: () => void = () => {};
  #onShown: (text: string) => void = () => {};
  #onGone: () => void = () => {};

  private constructor(options: TryTillOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** @throws when nothing listens at the address, or the port does not exist */
  static async open(options: TryTillOptions): Promise<TryTill> {
    const till = new TryTill(options);
    const { line, password } = options;
    const common = {
      log: (packet: LoggedPacket) => till.#note(packet),
      progress: (text: string) => till.#onShown(text),
      gone: () => till.#lost(),
      ...(password !== undefined && { password }),
    };
    till.#register =
      line.transport === 'tcp'
        ? await Register.overTcp({ ...line, ...common })
        : await Register.overSerial({ ...line, ...common, clock: till.#clock });
    return till;
  }

  get isOpen(): boolean {
    return this.#register !== null;
  }

  /**
   * Executes one step and waits for its end. @throws StepMistake before anything is sent;
   * TerminalSilent
   */
  async do(step: Step): Promise<StepOutcome> {
    return this.doChecked(checked(Step, step));
  }

  async doChecked(step: CheckedStep): Promise<StepOutcome> {
    const startedAtMs = this.#clock.monotonicMs();
    const took = (): { tookMs: number } => ({ tookMs: this.#clock.monotonicMs() - startedAtMs });
    if (step.do === 'wait') {
      await sleep(this.#clock, step.ms);
      return { ...stepOutcomeOf(nothing), abortAnswer: null, ...took() };
    }
    const register = this.#open();
    if (step.do === 'abort') {
      const code = await this.#inTime(register.abort());
      return {
        ...stepOutcomeOf({ ...nothing, refused: code }),
        abortAnswer: answerWords(code),
        ...took(),
      };
    }
    register.respondTo = (name) => {
      const answer = step.answers?.[name as keyof typeof step.answers];
      return answer === 'none' ? null : (answer ?? positiveAnswer);
    };
    let abortAnswer: Promise<number | null> | null = null;
    const abort = (): void => {
      abortAnswer ??= register.abort();
    };
    const { abortAfterMs, abortWhenShown } = step;
    const cancel = abortAfterMs === undefined ? () => {} : this.#clock.after(abortAfterMs, abort);
    this.#onShown = (text) => {
      if (abortWhenShown !== undefined && text.includes(abortWhenShown)) abort();
    };
    try {
      const outcome = stepOutcomeOf(await this.#inTime(this.#command(register, step)));
      if (outcome.result === '00' && outcome.receiptNumber !== null)
        this.#receiptNumber = outcome.receiptNumber;
      const answered =
        abortAnswer === null ? null : answerWords(await this.#inTime<number | null>(abortAnswer));
      return { ...outcome, abortAnswer: answered, ...took() };
    } finally {
      cancel();
      this.#onShown = () => {};
    }
  }

  /** The cancel key, at any moment. Resolves with the code of 84 xx, or null for 80 00. */
  abort(): Promise<number | null> {
    return this.#open().abort();
  }

  /**
   * Disconnects once the last answer is delivered. Otherwise the terminal would repeat its packet
   * and keep the next till waiting.
   */
  async close(): Promise<void> {
    const register = this.#register;
    this.#register = null;
    if (register === null) return;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#clock.after(lastAnswerMs, resolve);
    });
    await Promise.race([register.delivered, late]);
    cancel();
    await register.close();
  }

  #open(): Register {
    if (this.#register === null)
      throw new TerminalSilent('the connection to the terminal is closed');
    return this.#register;
  }

  #command(
    register: Register,
    step: Exclude<CheckedStep, { do: 'wait' | 'abort' }>,
  ): Promise<CommandOutcome> {
    const currency =
      'currency' in step && step.currency !== undefined ? step.currency : this.#options.currency;
    switch (step.do) {
      case 'register': {
        const { config, tlv } = step;
        return register.register({
          currency,
          ...(config !== undefined && { config: Number.parseInt(config, 16) }),
          ...(tlv !== undefined && { tlv }),
        });
      }
      case 'pay':
        return register.pay(step.amount, currency);
      case 'reserve':
        return register.reserve(step.amount, currency);
      case 'capture': {
        const { used, unused } = step;
        if (used !== undefined && unused !== undefined)
          throw new StepMistake('unused: must not be there with used');
        const amount =
          used !== undefined
            ? { usedMinor: used }
            : unused !== undefined
              ? { unusedMinor: unused }
              : null;
        return register.capture(this.#numberOf(step.receipt), amount, currency);
      }
      case 'release':
        return register.release(this.#numberOf(step.receipt));
      case 'reverse':
        return register.reverse(
          this.#numberOf(step.receipt),
          step.amount ?? null,
          step.amount === undefined ? null : currency,
        );
      case 'refund':
        return register.refund(
          step.receipt === undefined ? null : this.#numberOf(step.receipt),
          step.amount,
          currency,
        );
      case 'repeatReceipt':
        return register.repeatReceipt();
      case 'endOfDay':
        return register.endOfDay();
      case 'status':
        return register.statusEnquiry();
      case 'diagnosis':
        return register.diagnosis();
      case 'logOff':
        return register.logOff();
      case 'send':
        return register.command(step.bytes);
    }
  }

  #numberOf(receipt: number | 'last'): number {
    if (receipt !== 'last') return receipt;
    if (this.#receiptNumber === null)
      throw new StepMistake('receipt: "last" needs a payment or reservation before it');
    return this.#receiptNumber;
  }

  /**
   * Disconnects from a terminal that sends nothing in time, as tills do, because a late packet
   * could be taken for the answer to a later command.
   */
  async #inTime<Value>(answer: Promise<Value>): Promise<Value> {
    let cancel = (): void => {};
    try {
      const silent = new Promise<never>((_, reject) => {
        const wait = (ms: number): void => {
          cancel();
          cancel = this.#clock.after(ms, () =>
            reject(new TerminalSilent(`the terminal has sent nothing for ${ms / 1000} s`)),
          );
        };
        wait(answerMs);
        this.#onReceived = () => wait(silenceMs);
        this.#onGone = () => reject(new TerminalSilent('the connection to the terminal is closed'));
      });
      return await Promise.race([answer, silent]);
    } catch (error) {
      if (error instanceof TerminalSilent) await this.close();
      throw error;
    } finally {
      cancel();
      this.#onReceived = () => {};
      this.#onGone = () => {};
    }
  }

  #lost(): void {
    // A connection that is lost is not opened again: the person or program opens a new till.
    this.#register = null;
    this.#onGone();
    this.#options.gone?.();
  }

  #note(packet: LoggedPacket): void {
    const nowMs = this.#clock.monotonicMs();
    const other = this.#lastOf[packet.direction === 'sent' ? 'received' : 'sent'];
    this.#lastOf = { ...this.#lastOf, [packet.direction]: nowMs };
    this.#options.packet?.({
      ...packet,
      atMs: this.#clock.wallMs(),
      afterMs: other === null ? null : nowMs - other,
    });
    if (packet.direction === 'received') this.#onReceived();
  }
}

const nothing: CommandOutcome = {
  refused: null,
  ended: null,
  statusInformations: [],
  progress: [],
  printed: [],
};
const answerWords = (code: number | null): string => (code === null ? 'ok' : hexByte(code));
const endWithAnswer: ReadonlySet<CheckedStep['do']> = new Set(['logOff', 'abort', 'wait']);

export interface ScriptReport {
  /** Whether every step had the expected outcome. */
  readonly passed: boolean;
  /** The outcome of each step, up to the first unexpected one. */
  readonly told: readonly StepOutcome[];
  /** The differences of the unexpected outcome; empty when all passed. */
  readonly differences: readonly string[];
}

/**
 * Executes the steps of a script in order, up to the first unexpected outcome. @throws StepMistake
 * before anything is sent; TerminalSilent
 */
export async function runScript(
  till: TryTill,
  script: Script,
  say: (line: string) => void = () => {},
): Promise<ScriptReport> {
  const { steps } = checked(Script, script);
  const all: StepOutcome[] = [];
  for (const [index, step] of steps.entries()) {
    const name = `step ${index + 1} (${step.do})`;
    say(`${name} …`);
    const outcome = await till.doChecked(step);
    all.push(outcome);
    const expected =
      'expect' in step && step.expect !== undefined
        ? step.expect
        : success(endWithAnswer.has(step.do));
    const mismatches = differences(outcome, expected);
    if (mismatches.length > 0) {
      for (const line of mismatches) say(`${name}: ${line}`);
      return {
        passed: false,
        told: all,
        differences: mismatches.map((line) => `steps.${index}.${line}`),
      };
    }
    say(`${name}: ${outcomeInWords(outcome)}: as expected`);
  }
  return { passed: true, told: all, differences: [] };
}

/** One line for a packet, for display. */
export function packetLine({ atMs, direction, hex, meaning, afterMs }: TimedPacket): string {
  const time = new Date(atMs).toISOString().slice(11, 23);
  const after = afterMs === null ? '' : `  (after ${afterMs.toFixed(1)} ms)`;
  return `${time} ${direction === 'sent' ? '→' : '←'} ${meaning}${after}\n             ${hex}`;
}
