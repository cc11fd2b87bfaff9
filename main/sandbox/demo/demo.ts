import type { DemoView } from '../../../preload/contract.ts';
import type { DemoKey, DemoPhoneAction } from '../../../preload/procedures/counter.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Currency } from '../../domain/money.ts';
import type { ServiceName } from '../../domain/sale.ts';
import { decodeBcd } from '../../till/zvt/bcd.ts';
import { BMP } from '../../till/zvt/bitmaps.ts';
import { resultCodeOf } from '../../till/zvt/packets.ts';
import { decodeText } from '../../till/zvt/text.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { ServiceError } from '../simulator/service-error.ts';
import { type CommandOutcome, Register } from '../till/register.ts';
import { messageOf } from '../../domain/errors.ts';
import { beaconPhone, codePhone, type DemoPhone } from './phone.ts';

/** A till and a customer's phone for each lane of the demonstration. */
export interface Demo {
  view(laneId: string): Omit<DemoView, 'manager'> | null;
  subscribe(listener: (laneId: string) => void): () => void;
  /** @throws Refusal `failed`; so do `pay` and `usePhone` */
  pressKey(laneId: string, key: DemoKey): Promise<void>;
  pay(laneId: string, amountMinor: number): Promise<void>;
  usePhone(laneId: string, action: DemoPhoneAction): Promise<void>;
  /** A frozen service answers no request. */
  freeze(frozen: boolean): void;
  close(): Promise<void>;
}

export interface DemoLane {
  readonly id: string;
  /** `tcp:host:port`. */
  readonly address: string;
  readonly currency: Currency;
  readonly merchantPosId: string;
  /** Which of the simulated services takes its payments. */
  readonly service: ServiceName;
  /** Reference of the payment whose own code the counter shows; null when it shows none. */
  readonly reference: () => string | null;
}

const mostLogLines = 200;
/** More calls than anybody makes. */
const always = 1_000_000_000;

export function openDemo({ lanes, simulator }: { lanes: readonly DemoLane[]; simulator: Simulator }): Demo {
  let isFrozen = false;
  const counters = new Map(lanes.map((lane) => [lane.id, new DemoCounter(lane, simulator, () => changed(lane.id))]));
  const listeners = new Set<(laneId: string) => void>();
  const changed = (laneId: string): void => {
    for (const listener of listeners) listener(laneId);
  };
  // What a phone shows follows from the state of the simulated service.
  const forget = simulator.world.onChange((posId) => {
    for (const [laneId, counter] of counters) if (counter.isAt(posId)) changed(laneId);
  });
  const at = async (laneId: string, act: (counter: DemoCounter) => Promise<void>): Promise<void> => {
    const counter = counters.get(laneId);
    if (counter === undefined) throw new Refusal('unknownLane', `there is no lane ${laneId}`);
    await act(counter).catch((error: unknown) => {
      throw new Refusal('failed', messageOf(error));
    });
  };
  return {
    view(laneId) {
      const counter = counters.get(laneId);
      return counter === undefined ? null : { ...counter.view(), service: counter.service, frozen: isFrozen };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pressKey: (laneId, key) => at(laneId, (counter) => counter.pressKey(key)),
    pay: (laneId, amountMinor) => at(laneId, (counter) => counter.pay(amountMinor)),
    usePhone: (laneId, action) => at(laneId, async (counter) => counter.usePhone(action)),
    freeze(frozen) {
      isFrozen = frozen;
      simulator.faults.plan({ faults: frozen ? [{ operation: '*', kind: 'timeoutBefore', times: always }] : [] });
      for (const { id } of lanes) changed(id);
    },
    async close() {
      forget();
      await Promise.all([...counters.values()].map((counter) => counter.close()));
    },
  };
}

/** The till and the phone at one counter. */
class DemoCounter {
  readonly #lane: DemoLane;
  readonly #simulator: Simulator;
  readonly #changed: () => void;
  readonly #phone: DemoPhone;
  #register: Promise<Register> | null = null;
  #connected = false;
  #busy = false;
  #display = '';
  #receipt: readonly string[] = [];
  /** Receipt number of the last payment; null when there was none since the start. */
  #receiptNumber: number | null = null;
  #log: DemoView['till']['log'] = [];
  #seq = 0;
  #phoneMessage: string | null = null;

  constructor(lane: DemoLane, simulator: Simulator, changed: () => void) {
    this.#lane = lane;
    this.#simulator = simulator;
    this.#changed = changed;
    const { service, merchantPosId, reference } = lane;
    this.#phone = service === 'epayment' ? codePhone(reference, simulator) : beaconPhone(merchantPosId, simulator);
  }

  get service(): ServiceName {
    return this.#lane.service;
  }

  isAt(posId: string): boolean {
    return this.#phone.isAt(posId);
  }

  view(): Pick<DemoView, 'till' | 'phone'> {
    return {
      till: { connected: this.#connected, busy: this.#busy, display: this.#display, receipt: [...this.#receipt], log: this.#log },
      phone: { ...this.#phone.shown(), message: this.#phoneMessage },
    };
  }

  pay(amountMinor: number): Promise<void> {
    return this.#run('Payment', (register) => register.pay(amountMinor, this.#lane.currency));
  }

  async pressKey(key: DemoKey): Promise<void> {
    switch (key) {
      case 'abort': {
        const register = await this.#connect();
        const refused = await register.abort();
        if (refused !== null) this.#show('Too late to abort');
        return;
      }
      case 'register':
        return this.#run('Registration', (register) => register.register({ currency: this.#lane.currency }));
      case 'status':
        return this.#run('Status', (register) => register.statusEnquiry());
      case 'refund': {
        const number = this.#receiptNumber;
        if (number === null) return this.#show('Refund: nothing was paid since this till was started');
        return this.#run('Refund', (register) => register.reverse(number));
      }
      case 'repeatReceipt':
        return this.#run('Repeat receipt', (register) => register.repeatReceipt());
      case 'endOfDay':
        return this.#run('End of day', (register) => register.endOfDay());
      case 'diagnosis':
        return this.#run('Diagnosis', (register) => register.diagnosis());
      case 'logOff':
        return this.#run('Log-off', (register) => register.logOff());
    }
  }

  async close(): Promise<void> {
    const register = await this.#register?.catch(() => null);
    await register?.close();
  }

  /** Resolves once the command has begun. The till's display follows from what the terminal sends. */
  async #run(what: string, command: (register: Register) => Promise<CommandOutcome>): Promise<void> {
    const register = await this.#connect();
    if (register.isBusy) throw new Error('the till is still busy');
    this.#busy = true;
    if (what === 'Payment' || what === 'Refund') this.#receipt = [];
    this.#show(`${what} …`);
    void command(register)
      .then((outcome) => this.#showOutcome(what, outcome))
      .catch((error: Error) => this.#show(error.message))
      .finally(() => {
        this.#busy = false;
        this.#changed();
      });
  }

  #showOutcome(what: string, outcome: CommandOutcome): void {
    if (outcome.printed.length > 0) this.#receipt = outcome.printed;
    const last = outcome.statusInformations.at(-1);
    // A repeated receipt may be that of a payment or of a refund.
    const isRefund = what === 'Refund' || last?.has(BMP.originalTraceNumber) === true;
    const text = last?.get(BMP.additionalText);
    const amount = last?.get(BMP.amount);
    const amountMinor = amount && decodeBcd(amount);
    const receiptNumber = last?.get(BMP.receiptNumber);
    if (what === 'Payment' && last !== undefined && resultCodeOf(last) === 0 && receiptNumber) this.#receiptNumber = decodeBcd(receiptNumber);
    const amountText = amountMinor == null ? '' : ` ${(amountMinor / 100).toFixed(2)} ${this.#lane.currency}`;
    if (outcome.refused !== null) this.#show(`${what}: refused (84 ${outcome.refused.toString(16).toUpperCase()})`);
    else if (what === 'End of day' && outcome.ended?.by === 'completion') this.#show(`DAY CLOSED${amountText}`);
    else if (last !== undefined)
      this.#show(
        resultCodeOf(last) === 0
          ? `${isRefund ? 'REFUNDED' : 'PAID'}${amountText}`
          : `${isRefund ? 'NOT REFUNDED' : 'NOT PAID'}: ${text ? decodeText(text) : 'declined'}`,
      );
    else if (outcome.ended?.by === 'abort') this.#show(`${what}: not possible`);
    else this.#show(`${what}: ok`);
  }

  #show(display: string): void {
    this.#display = display;
    this.#changed();
  }

  /** A till connects, registers once, and keeps its connection all day. */
  #connect(): Promise<Register> {
    this.#register ??= this.#open().catch((error: unknown) => {
      this.#register = null;
      throw error;
    });
    return this.#register;
  }

  async #open(): Promise<Register> {
    const [, host = '127.0.0.1', port = '0'] = this.#lane.address.split(':');
    const register = await Register.overTcp({
      host,
      port: Number(port),
      log: (packet) => {
        this.#log = [...this.#log, { seq: (this.#seq += 1), atMs: this.#simulator.world.clock.wallMs(), ...packet }].slice(-mostLogLines);
        this.#changed();
      },
      gone: () => {
        this.#register = null;
        this.#connected = false;
        this.#changed();
      },
      progress: (text) => this.#show(text),
    });
    this.#connected = true;
    await register.register({ currency: this.#lane.currency });
    return register;
  }

  usePhone(action: DemoPhoneAction): void {
    try {
      this.#phoneMessage = null;
      this.#phone.use(action);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#phoneMessage = error.message;
      throw error;
    } finally {
      this.#changed();
    }
  }
}
