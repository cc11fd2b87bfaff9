import { type CommandOutcome, Register } from '../../main/demo/register.ts';
import { openSerialWire } from '../../main/hardware/serial-port.ts';
import { systemClock } from '../../main/primitives/clock.ts';
import { decodeBcd } from '../../main/till/zvt/bcd.ts';
import { BMP, type Fields } from '../../main/till/zvt/bitmaps.ts';
import { negativeAnswer, positiveAnswer, resultCodeOf } from '../../main/till/zvt/packets.ts';
import type { OnStep } from './steps.ts';

/** One key that was pressed, and what the till knows of it. Told by its amount, which no other has. */
export interface Pressed {
  readonly what: 'sale' | 'refund';
  readonly amountMinor: number;
  belief: 'open' | 'done' | 'notDone';
  /** As the terminal told it. */
  receiptNumber: number | null;
}

export type TillAddress = { readonly transport: 'serial'; readonly path: string } | { readonly transport: 'tcp'; readonly port: number };

interface CheckoutOptions {
  readonly address: TillAddress;
  readonly onStep: OnStep;
  readonly tell: (what: string) => void;
}

const patienceMs = 8_000;
const declined = 0x05;

/** The till of the shop, with a memory. It believes what the protocol lets it believe, and after a broken line it asks (06 20). */
export class Checkout {
  readonly pressed: Pressed[] = [];
  /** How the till takes the next result: as usual, not at all, or late. */
  takesResult: 'positive' | 'refuses' = 'positive';
  readonly #options: CheckoutOptions;
  #register: Register | null = null;
  #broken: () => void = () => {};
  #nextAmountMinor = { sale: 10_001, refund: 11 };

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  /** The line to the terminal, as soon as there is somebody at its other end. */
  async connect(): Promise<void> {
    const giveUpAtMs = performance.now() + patienceMs;
    for (;;) {
      try {
        this.#register = await this.#connectOnce();
        return;
      } catch (error) {
        if (performance.now() > giveUpAtMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  /** Presses the key. Resolves when the till has an outcome, or its line broke. */
  pay(): Promise<void> {
    const press = this.#press('sale');
    return this.#follow(press, (register) => register.pay(press.amountMinor, 'DKK'));
  }

  /** There is something to be given back. */
  get hasSold(): boolean {
    return this.#receiptNumber !== null;
  }

  /** Gives a part of the last sale back (06 30), as `pay`. */
  refund(): Promise<void> {
    const press = this.#press('refund');
    return this.#follow(press, (register) => register.reverse(this.#receiptNumber ?? 0, press.amountMinor, 'DKK'));
  }

  abort(): void {
    this.#options.tell('the till aborts (06 B0)');
    void this.#register?.abort();
  }

  /** The line is broken, for whatever reason: a running command ends without an outcome. */
  async hangUp(): Promise<void> {
    const register = this.#register;
    this.#register = null;
    this.#broken();
    await register?.close();
  }

  /** After a broken line: what became of the last request (06 20). Asked until the terminal answers. */
  async settleBelief(): Promise<void> {
    const unsure = this.pressed.find(({ belief }) => belief === 'open');
    if (unsure === undefined) return;
    const outcome = await this.#command((register) => register.repeatReceipt());
    if (outcome === null) return;
    const last = outcome.statusInformations[0];
    const amount = last?.get(BMP.amount);
    const isMine = amount !== undefined && decodeBcd(amount) === unsure.amountMinor;
    const isDone = isMine && last !== undefined && resultCodeOf(last) === 0;
    unsure.belief = isDone ? 'done' : 'notDone';
    if (isMine && last !== undefined) unsure.receiptNumber = receiptOf(last);
    this.#options.tell(
      `the till asks (06 20) and hears ${amount === undefined ? 'of none' : `of ${decodeBcd(amount)}`}: its ${unsure.what} of ${unsure.amountMinor} is ${unsure.belief}`,
    );
  }

  get #receiptNumber(): number | null {
    return this.pressed.findLast(({ what, belief, receiptNumber }) => what === 'sale' && belief === 'done' && receiptNumber !== null)?.receiptNumber ?? null;
  }

  #press(what: Pressed['what']): Pressed {
    const press: Pressed = { what, amountMinor: this.#nextAmountMinor[what], belief: 'open', receiptNumber: null };
    this.#nextAmountMinor[what] += 1;
    this.pressed.push(press);
    this.#options.tell(`the till presses ${what} of ${press.amountMinor}`);
    return press;
  }

  async #follow(press: Pressed, command: (register: Register) => Promise<CommandOutcome>): Promise<void> {
    const outcome = await this.#command(command);
    const last = outcome?.statusInformations.at(-1);
    if (outcome === null || (outcome.refused === null && outcome.ended === null)) {
      this.#options.tell(`the till's line broke; its ${press.what} of ${press.amountMinor} is open`);
      return;
    }
    if (last !== undefined) press.receiptNumber = receiptOf(last);
    press.belief = outcome.ended?.by === 'completion' && last !== undefined && resultCodeOf(last) === 0 ? 'done' : 'notDone';
    const how =
      outcome.ended === null ? `84 ${outcome.refused?.toString(16)}` : outcome.ended.by === 'completion' ? '06 0F' : `06 1E ${outcome.ended.code.toString(16)}`;
    this.#options.tell(`the till ends with ${how}: its ${press.what} of ${press.amountMinor} is ${press.belief}`);
  }

  /** null: the line broke. */
  #command(command: (register: Register) => Promise<CommandOutcome>): Promise<CommandOutcome | null> {
    const register = this.#register;
    if (register === null) return Promise.resolve(null);
    const broken = new Promise<null>((resolve) => {
      this.#broken = () => resolve(null);
    });
    return Promise.race([command(register).catch(() => null), broken]);
  }

  async #connectOnce(): Promise<Register> {
    const { address, onStep } = this.#options;
    const log = ({ direction, hex }: { direction: string; hex: string }): void => {
      if (direction === 'received' && hex.startsWith('80 00')) onStep('the till hears 80 00 00');
    };
    const register =
      address.transport === 'tcp'
        ? await Register.overTcp({ host: '127.0.0.1', port: address.port, log })
        : await Register.overSerial({ path: address.path, open: openSerialWire, clock: systemClock, log });
    register.manner = (packet) => {
      if (packet === 'completion') onStep('the till hears 06 0F');
      if (packet !== 'statusInformation') return positiveAnswer;
      onStep('the till hears 04 0F');
      setImmediate(() => onStep('the till acknowledged 04 0F'));
      return this.takesResult === 'refuses' ? negativeAnswer(declined) : positiveAnswer;
    };
    return register;
  }
}

function receiptOf(fields: Fields): number | null {
  const bytes = fields.get(BMP.receiptNumber);
  return bytes === undefined ? null : decodeBcd(bytes);
}
