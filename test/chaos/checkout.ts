import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CommandOutcome,
  type LoggedPacket,
  Register,
} from '../../main/sandbox/till/register.ts';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import type { OpenSerialWire } from '../../main/core/domain/wire.ts';
import { decodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP, type Fields } from '../../main/tills/zvt/bitmaps.ts';
import { negativeAnswer, positiveAnswer, resultCodeOf } from '../../main/tills/zvt/packets.ts';
import type { OnStep } from './steps.ts';

/**
 * `overtaken`: its line broke, and when the till could ask again, another request had ended since:
 * nobody tells of this one any more.
 */
export type Belief = 'open' | 'done' | 'notDone' | 'overtaken';

export interface Beside {
  belief: Belief;
  receiptNumber: number | null;
}

/**
 * One press of a key, and what the till knows of it. Its amount is unique, so that it can be found
 * by it.
 */
export interface Pressed {
  readonly what: 'sale' | 'refund';
  readonly amountMinor: number;
  belief: Belief;
  /** The receipt number that the terminal sent. */
  receiptNumber: number | null;
  /** Whether the till took a 04 0F that said that it is done. */
  acknowledged?: true;
  /**
   * Packets received on second connections that sent the same request, before they were closed. The
   * daemon may have treated it as a separate request.
   */
  readonly besides: Beside[];
}

/** The answers to a till that requested a refund again. */
export interface RefundAgain {
  /** The result code of each answer. */
  readonly codes: readonly number[];
  /** Time until the refund was done or refused for good; null when neither happened. */
  readonly endedMs: number | null;
}

export type TillAddress =
  | { readonly transport: 'serial'; readonly path: string }
  | { readonly transport: 'tcp'; readonly port: number };

interface CheckoutOptions {
  readonly address: TillAddress;
  /** Number of the counter, from 1. */
  readonly number: number;
  readonly onStep: OnStep;
  readonly tell: (what: string) => void;
}

const patienceMs = 8_000;
/** A slow start of the daemon breaks no rule: its time is a figure, not a check. */
const startPatienceMs = 30_000;
const askAgainMs = 100;
/** How long a second connection is held. */
const hesitationMs = 300;
const declined = 0x05;
const alreadyReversed = 0xb4;
const notReversible = 0xb5;

/**
 * The till of the shop, with a memory. It believes what the protocol lets it believe, and after a
 * broken line it asks (06 20).
 */
export class Checkout {
  readonly pressed: Pressed[] = [];
  /** Number of results that the till was told. */
  resultsHeard = 0;
  /** How the till takes the next result: as usual, not at all, or late. */
  takesResult: 'positive' | 'refuses' = 'positive';
  /** Sends the next block twice, as if the acknowledgement of the first was lost. */
  #repeatsBlock = false;
  readonly #options: CheckoutOptions;
  #register: Register | null = null;
  #broken: () => void = () => {};
  /** The press whose command is being answered. */
  #answersPress: Pressed | null = null;
  readonly #givenBack = new Set<Pressed>();
  #refunded: { readonly press: Pressed; readonly receiptNumber: number } | null = null;
  /** The next amount for each kind of request, which no other counter uses. */
  readonly #nextAmountMinor: Record<Pressed['what'], number>;

  constructor(options: CheckoutOptions) {
    this.#options = options;
    this.#nextAmountMinor = {
      sale: options.number * 100_000 + 1,
      refund: (options.number - 1) * 2_000 + 11,
    };
  }

  /** Connects to the terminal as soon as it listens. */
  async connect(): Promise<void> {
    const giveUpAtMs = performance.now() + startPatienceMs;
    for (;;) {
      try {
        this.#register = await this.#connectOnce();
        return;
      } catch (error) {
        if (performance.now() > giveUpAtMs) throw error;
        await sleep(10);
      }
    }
  }

  /** Presses the key. Resolves when the till has an outcome, or its line broke. */
  pay({ twice = false } = {}): Promise<void> {
    const press = this.#press('sale');
    return this.#follow(press, twice, (register) => register.pay(press.amountMinor, 'DKK'));
  }

  /** Whether there is a sale that can be refunded. */
  get hasSold(): boolean {
    return this.#lastSale !== undefined;
  }

  /** Refunds a part of the last sale (06 30), or with `whole` all of it. Resolves as `pay` does. */
  refund({ twice = false, whole = false } = {}): Promise<void> {
    const sale = this.#lastSale;
    const press = this.#press('refund', whole ? sale?.amountMinor : undefined);
    if (whole && sale !== undefined) this.#givenBack.add(sale);
    this.#refunded = { press, receiptNumber: sale?.receiptNumber ?? 0 };
    return this.#follow(press, twice, (register) =>
      register.reverse(this.#refunded?.receiptNumber ?? 0, press.amountMinor, 'DKK'),
    );
  }

  /** Whether the till never received the end of its last refund. */
  get isRefundOpen(): boolean {
    return this.#refunded?.press.belief === 'open';
  }

  get refundedMinor(): number {
    return this.#refunded?.press.amountMinor ?? 0;
  }

  /**
   * Sends the last refund again until the terminal has carried one out or says that it is done,
   * without asking about the earlier request.
   */
  async refundAgain(): Promise<RefundAgain> {
    const { press, receiptNumber } = this.#refunded ?? {
      press: this.#press('refund'),
      receiptNumber: 0,
    };
    const codes: number[] = [];
    const startedAt = performance.now();
    const after = (): number => performance.now() - startedAt;
    while (after() < patienceMs) {
      const outcome = await this.#command((register) =>
        register.reverse(receiptNumber, press.amountMinor, 'DKK'),
      );
      if (outcome === null) return { codes, endedMs: null };
      const last = outcome.statusInformations.at(-1);
      const receipt = last === undefined ? null : receiptOf(last);
      const code = outcome.refused ?? (outcome.ended?.by === 'abort' ? outcome.ended.code : 0);
      codes.push(code);
      if (receipt !== null) {
        press.besides.push({ belief: beliefIn(outcome), receiptNumber: receipt });
        this.#options.tell(
          `the till asks again for its refund of ${press.amountMinor}: receipt ${receipt}, ${beliefIn(outcome)}, after ${codes.length} answers`,
        );
        return { codes, endedMs: after() };
      }
      if (code === alreadyReversed || code === notReversible) return { codes, endedMs: after() };
      await sleep(askAgainMs);
    }
    return { codes, endedMs: null };
  }

  abort(): void {
    this.#options.tell('the till aborts (06 B0)');
    void this.#register?.abort();
  }

  /** After any break of the line, a running command ends without an outcome. */
  async hangUp(): Promise<void> {
    const register = this.#register;
    this.#register = null;
    this.#broken();
    await register?.close();
  }

  /** Opens the port again after the cable is plugged in. A running command goes on. */
  async reopen(): Promise<void> {
    await this.#register?.reopen();
  }

  /** Whether the till knows how each of its requests ended. */
  get isSure(): boolean {
    return this.pressed.every(({ belief }) => belief !== 'open');
  }

  /**
   * Asks after a broken connection how the last request ended (06 20), until the terminal answers.
   */
  async settleBelief(): Promise<void> {
    const unsure = this.pressed.find(({ belief }) => belief === 'open');
    if (unsure === undefined) return;
    const giveUpAtMs = performance.now() + patienceMs;
    let outcome = await this.#command((register) => register.repeatReceipt());
    while (outcome?.refused != null && performance.now() < giveUpAtMs) {
      await sleep(askAgainMs);
      outcome = await this.#command((register) => register.repeatReceipt());
    }
    if (outcome === null || outcome.ended === null) return;
    const last = outcome.statusInformations[0];
    const amount = last?.get(BMP.amount);
    // A refund of a whole sale has the same amount as the sale, but also names the original trace
    // number.
    const isRefund = last?.has(BMP.originalTraceNumber) === true;
    const isMine =
      amount !== undefined &&
      decodeBcd(amount) === unsure.amountMinor &&
      isRefund === (unsure.what === 'refund');
    const isDone = isMine && last !== undefined && resultCodeOf(last) === 0;
    const receiptNumber = isMine && last !== undefined ? receiptOf(last) : null;
    if (
      receiptNumber !== null &&
      unsure.besides.some((beside) => beside.receiptNumber === receiptNumber)
    )
      unsure.belief = 'overtaken';
    else {
      unsure.belief = isDone ? 'done' : 'notDone';
      unsure.receiptNumber = receiptNumber;
    }
    this.#options.tell(
      `the till asks (06 20) and hears ${amount === undefined ? 'of none' : `of ${decodeBcd(amount)}`}: its ${unsure.what} of ${unsure.amountMinor} is ${unsure.belief}`,
    );
  }

  /** The last sale that was not refunded completely. */
  get #lastSale(): Pressed | undefined {
    return this.pressed.findLast(
      (sale) =>
        sale.what === 'sale' &&
        sale.belief === 'done' &&
        sale.receiptNumber !== null &&
        !this.#givenBack.has(sale),
    );
  }

  #press(what: Pressed['what'], amountMinor = this.#nextAmountMinor[what]): Pressed {
    const press: Pressed = { what, amountMinor, belief: 'open', receiptNumber: null, besides: [] };
    this.#nextAmountMinor[what] += 1;
    this.pressed.push(press);
    this.#options.tell(`the till presses ${what} of ${press.amountMinor}`);
    return press;
  }

  async #follow(
    press: Pressed,
    twice: boolean,
    command: (register: Register) => Promise<CommandOutcome>,
  ): Promise<void> {
    const { address } = this.#options;
    this.#repeatsBlock = twice && address.transport === 'serial';
    this.#answersPress = press;
    const followed = this.#command(command);
    if (twice && address.transport === 'tcp') void this.#askBeside(press, address.port, command);
    const outcome = await followed;
    this.#answersPress = null;
    const last = outcome?.statusInformations.at(-1);
    if (outcome === null || (outcome.refused === null && outcome.ended === null)) {
      this.#options.tell(
        `the till's line broke; its ${press.what} of ${press.amountMinor} is open`,
      );
      return;
    }
    if (last !== undefined) press.receiptNumber = receiptOf(last);
    press.belief = beliefIn(outcome);
    const how =
      outcome.ended === null
        ? `84 ${outcome.refused?.toString(16)}`
        : outcome.ended.by === 'completion'
          ? '06 0F'
          : `06 1E ${outcome.ended.code.toString(16)}`;
    this.#options.tell(
      `the till ends with ${how}: its ${press.what} of ${press.amountMinor} is ${press.belief}`,
    );
  }

  /**
   * Sends the same request over a second connection while the first is being answered, so the
   * terminal is busy with it.
   */
  async #askBeside(
    press: Pressed,
    port: number,
    command: (register: Register) => Promise<CommandOutcome>,
  ): Promise<void> {
    const second = await Register.overTcp({ host: '127.0.0.1', port }).catch(() => null);
    if (second === null) return;
    // If the first one has ended already, this is a separate request.
    const beside: Beside = { belief: 'open', receiptNumber: null };
    press.besides.push(beside);
    if (press.what === 'refund') await second.register({ currency: 'DKK' }).catch(() => null);
    const outcome = await Promise.race([
      command(second).catch(() => null),
      sleep(hesitationMs, null),
    ]);
    await second.close();
    const isRefused = outcome?.refused != null;
    if (isRefused) press.besides.splice(press.besides.indexOf(beside), 1);
    else if (outcome !== null && outcome.ended !== null) {
      const last = outcome.statusInformations.at(-1);
      beside.belief = beliefIn(outcome);
      beside.receiptNumber = last === undefined ? null : receiptOf(last);
    }
    this.#options.tell(
      `the till asks the same over a second connection: ${isRefused ? `84 ${outcome.refused?.toString(16)}` : `not refused, ${beside.belief}`}`,
    );
  }

  /** null when the connection broke. */
  #command(
    command: (register: Register) => Promise<CommandOutcome>,
  ): Promise<CommandOutcome | null> {
    const register = this.#register;
    if (register === null) return Promise.resolve(null);
    const broken = new Promise<null>((resolve) => {
      this.#broken = () => resolve(null);
    });
    return Promise.race([command(register).catch(() => null), broken]);
  }

  readonly #openWire: OpenSerialWire = async (port, listener) => {
    const wire = await openSerialWire(port, listener);
    const write = (bytes: Uint8Array): Promise<void> => {
      const isRepeated = this.#repeatsBlock && bytes.length > 1;
      if (isRepeated) this.#repeatsBlock = false;
      return wire.write(isRepeated ? Buffer.concat([bytes, bytes]) : bytes);
    };
    return { write, close: () => wire.close() };
  };

  async #connectOnce(): Promise<Register> {
    const { address, onStep } = this.#options;
    const log = ({ direction, hex, meaning }: LoggedPacket): void => {
      this.#options.tell(`till ${direction === 'sent' ? '→' : '←'} ${meaning}`);
      if (isReady && direction === 'received' && hex.startsWith('80 00'))
        onStep('the till hears 80 00 00');
    };
    let isReady = false;
    const register =
      address.transport === 'tcp'
        ? await Register.overTcp({ host: '127.0.0.1', port: address.port, log })
        : await Register.overSerial({
            path: address.path,
            open: this.#openWire,
            clock: systemClock,
            log,
          });
    // Over TCP a terminal gives no money back to a till that has not registered.
    if (address.transport === 'tcp') await register.register({ currency: 'DKK' });
    isReady = true;
    register.respondTo = (packet, fields) => {
      if (packet === 'completion') onStep('the till hears 06 0F');
      if (packet !== 'statusInformation') return positiveAnswer;
      this.resultsHeard += 1;
      onStep('the till hears 04 0F');
      setImmediate(() => onStep('the till acknowledged 04 0F'));
      if (this.takesResult === 'refuses') return negativeAnswer(declined);
      if (resultCodeOf(fields) === 0 && this.#answersPress !== null)
        this.#answersPress.acknowledged = true;
      return positiveAnswer;
    };
    return register;
  }
}

function beliefIn({ ended, statusInformations }: CommandOutcome): Belief {
  const last = statusInformations.at(-1);
  return ended?.by === 'completion' && last !== undefined && resultCodeOf(last) === 0
    ? 'done'
    : 'notDone';
}

function receiptOf(fields: Fields): number | null {
  const bytes = fields.get(BMP.receiptNumber);
  return bytes === undefined ? null : decodeBcd(bytes);
}
