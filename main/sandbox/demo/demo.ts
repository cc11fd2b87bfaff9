import type { DemoDisplay, DemoView } from '../../../preload/contract.ts';
import type { DemoKey, DemoPhoneAction } from '../../../preload/procedures/counter.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import { decodeBcd } from '../../tills/zvt/bcd.ts';
import { BMP } from '../../tills/zvt/bitmaps.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { ServiceError } from '../simulator/service-error.ts';
import { type CommandOutcome, Register } from '../till/register.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { beaconPhone, codePhone, type DemoPhone } from './phone.ts';
import { type DemoCommand, display, displayOf } from './till-display.ts';

/** A till and a customer's phone for each lane of the demonstration. */
export interface Demo {
  view(laneId: string): Omit<DemoView, 'manager'> | null;
  subscribe(listener: (laneId: string) => void): () => void;
  /** @throws Refusal `failed`; so do `pay` and `usePhone` */
  pressKey(laneId: string, key: DemoKey, language: Language): Promise<void>;
  pay(laneId: string, amountMinor: number, language: Language): Promise<void>;
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

const maxLogLines = 200;
/** More calls than anybody makes. */
const always = 1_000_000_000;

export function openDemo({
  lanes,
  simulator,
}: {
  lanes: readonly DemoLane[];
  simulator: Simulator;
}): Demo {
  let isFrozen = false;
  const counters = new Map(
    lanes.map((lane) => [lane.id, new DemoCounter(lane, simulator, () => changed(lane.id))]),
  );
  const listeners = new Set<(laneId: string) => void>();
  const changed = (laneId: string): void => {
    for (const listener of listeners) listener(laneId);
  };
  // What a phone shows follows from the state of the simulated service.
  const forget = simulator.world.onChange((posId) => {
    for (const [laneId, counter] of counters) if (counter.isAt(posId)) changed(laneId);
  });
  const at = async (
    laneId: string,
    act: (counter: DemoCounter) => Promise<void>,
  ): Promise<void> => {
    const counter = counters.get(laneId);
    if (counter === undefined) throw new Refusal('unknownLane', `there is no lane ${laneId}`);
    await act(counter).catch((error: unknown) => {
      throw new Refusal('failed', messageOf(error));
    });
  };
  return {
    view(laneId) {
      const counter = counters.get(laneId);
      return counter === undefined
        ? null
        : { ...counter.view(), service: counter.service, frozen: isFrozen };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pressKey: (laneId, key, language) => at(laneId, (counter) => counter.pressKey(key, language)),
    pay: (laneId, amountMinor, language) =>
      at(laneId, (counter) => counter.pay(amountMinor, language)),
    usePhone: (laneId, action) => at(laneId, async (counter) => counter.usePhone(action)),
    freeze(frozen) {
      isFrozen = frozen;
      simulator.faults.plan({
        faults: frozen ? [{ operation: '*', kind: 'timeoutBefore', times: always }] : [],
      });
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
  #display: DemoDisplay = display('ready');
  /** From the running or last command; null when the command named none. */
  #amount: DemoDisplay['amount'] = null;
  /** In which the till has registered; null while it is not registered. */
  #language: Language | null = null;
  #receipt: readonly string[] = [];
  /** Receipt number of the last payment; null when there was none since the start. */
  #receiptNumber: number | null = null;
  #log: DemoView['till']['log'] = [];
  #seq = 0;
  #phoneRefusal: DemoView['phone']['refusal'] = null;

  constructor(lane: DemoLane, simulator: Simulator, changed: () => void) {
    this.#lane = lane;
    this.#simulator = simulator;
    this.#changed = changed;
    const { service, merchantPosId, reference } = lane;
    this.#phone =
      service === 'epayment'
        ? codePhone(reference, simulator)
        : beaconPhone(merchantPosId, simulator);
  }

  get service(): ServiceName {
    return this.#lane.service;
  }

  isAt(posId: string): boolean {
    return this.#phone.isAt(posId);
  }

  view(): Pick<DemoView, 'till' | 'phone'> {
    return {
      till: {
        connected: this.#connected,
        busy: this.#busy,
        display: this.#display,
        receipt: [...this.#receipt],
        log: this.#log,
      },
      phone: { ...this.#phone.display(), refusal: this.#phoneRefusal },
    };
  }

  pay(amountMinor: number, language: Language): Promise<void> {
    const amount = { amountMinor, currency: this.#lane.currency };
    return this.#run(
      'payment',
      (register) => register.pay(amountMinor, amount.currency),
      language,
      amount,
    );
  }

  async pressKey(key: DemoKey, language: Language): Promise<void> {
    switch (key) {
      case 'abort': {
        const register = await this.#connect(language);
        const refused = await register.abort();
        if (refused !== null) this.#show(display('tooLateToAbort', { amount: this.#amount }));
        return;
      }
      case 'refund': {
        const number = this.#receiptNumber;
        if (number === null) return this.#show(display('nothingToRefund'));
        return this.#run('refund', (register) => register.reverse(number), language);
      }
      case 'register':
        return this.#run(
          'register',
          (register) => register.register({ currency: this.#lane.currency, language }),
          language,
        );
      case 'status':
        return this.#run('status', (register) => register.statusEnquiry(), language);
      case 'repeatReceipt':
        return this.#run('repeatReceipt', (register) => register.repeatReceipt(), language);
      case 'endOfDay':
        return this.#run('endOfDay', (register) => register.endOfDay(), language);
      case 'diagnosis':
        return this.#run('diagnosis', (register) => register.diagnosis(), language);
      case 'logOff':
        return this.#run('logOff', (register) => register.logOff(), language);
    }
  }

  async close(): Promise<void> {
    const register = await this.#register?.catch(() => null);
    await register?.close();
  }

  /**
   * Resolves once the command has begun. The till's display follows from what the terminal sends.
   */
  async #run(
    command: DemoCommand,
    send: (register: Register) => Promise<CommandOutcome>,
    language: Language,
    amount: DemoDisplay['amount'] = null,
  ): Promise<void> {
    const register = await this.#connect(language);
    if (this.#busy || register.isBusy) throw new Error('the till is still busy');
    this.#busy = true;
    this.#amount = amount;
    if (command === 'payment' || command === 'refund') this.#receipt = [];
    this.#show(display('running', { command, amount }));
    void this.#inLanguage(register, command, language)
      .then(() => send(register))
      .then((outcome) => this.#ended(command, outcome))
      .catch(() => this.#show(display('lost', { command })))
      .finally(() => {
        this.#busy = false;
        this.#changed();
      });
  }

  /**
   * Registers anew when the screen's language is another one than the till has told. After a
   * log-off the till stays logged off.
   */
  async #inLanguage(register: Register, command: DemoCommand, language: Language): Promise<void> {
    if (command === 'register') this.#language = language;
    else if (command === 'logOff') this.#language = null;
    else if (this.#language !== null && this.#language !== language) {
      this.#language = language;
      await register.register({ currency: this.#lane.currency, language });
    }
  }

  #ended(command: DemoCommand, outcome: CommandOutcome): void {
    if (outcome.printed.length > 0) this.#receipt = outcome.printed;
    const display = displayOf(command, outcome, this.#lane.currency);
    const receiptNumber = outcome.statusInformations.at(-1)?.get(BMP.receiptNumber);
    if (command === 'payment' && display.kind === 'paid' && receiptNumber)
      this.#receiptNumber = decodeBcd(receiptNumber);
    this.#show(display);
  }

  #show(display: DemoDisplay): void {
    this.#display = display;
    this.#changed();
  }

  /** A till connects, registers once, and keeps its connection all day. */
  #connect(language: Language): Promise<Register> {
    this.#register ??= this.#open(language).catch((error: unknown) => {
      this.#register = null;
      throw error;
    });
    return this.#register;
  }

  async #open(language: Language): Promise<Register> {
    const [, host = '127.0.0.1', port = '0'] = this.#lane.address.split(':');
    const register = await Register.overTcp({
      host,
      port: Number(port),
      log: (packet) => {
        this.#log = [
          ...this.#log,
          { seq: (this.#seq += 1), atMs: this.#simulator.world.clock.wallMs(), ...packet },
        ].slice(-maxLogLines);
        this.#changed();
      },
      gone: () => {
        this.#register = null;
        this.#connected = false;
        this.#changed();
      },
      progress: (text) => this.#show(display('progress', { amount: this.#amount, text })),
    });
    this.#connected = true;
    this.#language = language;
    await register.register({ currency: this.#lane.currency, language });
    return register;
  }

  usePhone(action: DemoPhoneAction): void {
    try {
      this.#phoneRefusal = null;
      this.#phone.use(action);
    } catch (error) {
      if (error instanceof ServiceError)
        this.#phoneRefusal = action === 'scan' ? 'nothingToScan' : 'nothingAsked';
      throw error;
    } finally {
      this.#changed();
    }
  }
}
