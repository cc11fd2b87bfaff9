import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { SerialCable } from '../support/processes.ts';
import { Checkout } from './checkout.ts';
import { patientFetch } from './patient-fetch.ts';
import { Person } from './person.ts';
import type { Plan } from './plan.ts';
import type { BookedPayment, Books } from './rules.ts';
import type { OnStep } from './steps.ts';

export interface CounterKind {
  readonly transport: 'serial' | 'tcp';
  readonly flow: 'initiate' | 'prepare';
}

interface ChaosCounterOptions {
  readonly kind: CounterKind;
  /** Number of the counter, from 1. */
  readonly number: number;
  readonly service: string;
  /** The present address of the daemon's screens. */
  readonly screens: () => string;
  readonly onStep: OnStep;
  readonly tell: (what: string) => void;
}

type PhoneAction = 'checkin' | 'accept' | 'refuse' | 'leave';

/** One till with its connection to the daemon, its cashier's screen, and its customer. */
export class Counter {
  readonly kind: CounterKind;
  readonly laneId: string;
  readonly checkout: Checkout;
  /** The person at its screens. */
  readonly person: Person;
  readonly #options: ChaosCounterOptions;
  readonly #cable: SerialCable | null;
  readonly #tcpPort: number;

  private constructor(options: ChaosCounterOptions, cable: SerialCable | null, tcpPort: number) {
    this.#options = options;
    this.#cable = cable;
    this.#tcpPort = tcpPort;
    this.kind = options.kind;
    this.laneId = String(options.number);
    const address =
      cable === null
        ? ({ transport: 'tcp', port: tcpPort } as const)
        : ({ transport: 'serial', path: cable.tillPath } as const);
    this.person = new Person(options);
    this.checkout = new Checkout({
      address,
      number: options.number,
      onStep: options.onStep,
      tell: (what) => this.#tell(what),
    });
  }

  static async build(options: ChaosCounterOptions): Promise<Counter> {
    return options.kind.transport === 'serial'
      ? new Counter(options, await new SerialCable().plugIn(), 0)
      : new Counter(options, null, await freePort());
  }

  /** Its part of the daemon's settings. */
  settings(storeId: string): object {
    const till =
      this.#cable === null
        ? {
            protocol: 'zvt',
            transport: 'tcp',
            host: '127.0.0.1',
            port: this.#tcpPort,
            partialReversals: true,
          }
        : {
            protocol: 'zvt',
            transport: 'serial',
            path: this.#cable.terminalPath,
            baudRate: 9600,
            stopBits: 2,
            partialReversals: true,
          };
    const name = `Check-out ${this.laneId}`;
    const pointOfSale = {
      merchantPosId: this.#merchantPosId,
      storeId,
      name,
      beaconTypes: ['QR'],
      beaconId: null,
    };
    return {
      id: this.laneId,
      name,
      currency: 'DKK',
      flow: this.kind.flow,
      deadlineSeconds: 15,
      pointOfSale,
      till,
    };
  }

  /**
   * Pulls the cable, or breaks the connection, and restores it after this time. A till on a serial
   * cable does not notice.
   */
  async breakLine(outMs: number): Promise<void> {
    this.#tell('the line is broken');
    if (this.#cable === null) await this.checkout.hangUp();
    else await this.#cable.pull();
    await sleep(outMs);
    if (this.#cable === null) await this.checkout.connect();
    else {
      await this.#cable.plugIn();
      await this.checkout.reopen();
    }
    this.#tell('the line is there again');
  }

  paymentsIn(books: Books): BookedPayment[] {
    return books.payments.filter(({ orderId }) => orderId.startsWith(`${this.laneId}-`));
  }

  /**
   * Acts as the customer: finds the payment, checks in, and approves it or not, regardless of the
   * shop meanwhile.
   */
  async beCustomer(
    {
      ending,
      customerMs,
      paymentsBefore,
    }: Pick<Plan, 'ending' | 'customerMs'> & { readonly paymentsBefore: number },
    { closes, cancel }: { readonly closes: AbortSignal; readonly cancel: () => Promise<void> },
  ): Promise<void> {
    let checkedIn = false;
    while (!closes.aborted) {
      const payment = this.paymentsIn(await this.#books())[paymentsBefore];
      switch (payment?.status) {
        case 'Initiated':
        case 'Prepared':
          if (checkedIn) break;
          await sleep(customerMs);
          checkedIn = await this.#phone('checkin');
          break;
        case 'IssuedToUser':
          await sleep(customerMs);
          if (ending === 'tillAborts') this.checkout.abort();
          else if (ending === 'cashierCancels') await cancel();
          else await this.#phone(ending === 'refuses' ? 'refuse' : 'accept');
          return;
        case undefined:
        case 'Paired':
          break;
        default:
          return;
      }
      await sleep(8);
    }
  }

  async close(): Promise<void> {
    await this.checkout.hangUp();
    await this.#cable?.remove();
  }

  /** Called while this process exits, when nothing asynchronous is done any more. */
  letGo(): void {
    void this.#cable?.pull();
  }

  get #merchantPosId(): string {
    return `shop-1-lane-${this.laneId}`;
  }

  async #books(): Promise<Books> {
    return (await (await patientFetch(`${this.#options.service}/simulator/state`)).json()) as Books;
  }

  /** @returns false when there was no payment for the action */
  async #phone(action: PhoneAction): Promise<boolean> {
    const pos = (await this.#books()).pointsOfSale.find(
      ({ merchantPosId }) => merchantPosId === this.#merchantPosId,
    );
    const body = JSON.stringify({
      beaconId: pos?.beaconId ?? '',
      phoneNumber: `+452003180${this.laneId}`,
    });
    const answer = await patientFetch(`${this.#options.service}/simulator/phone/${action}`, {
      method: 'POST',
      body,
    });
    this.#tell(`the customer: ${action}${answer.ok ? '' : `, in vain: ${await answer.text()}`}`);
    return answer.ok;
  }

  #tell(what: string): void {
    this.#options.tell(`counter ${this.laneId}: ${what}`);
  }
}
