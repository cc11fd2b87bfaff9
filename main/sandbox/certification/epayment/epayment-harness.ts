/**
 * Drives the product's ePayment client as a lane does, with a recorder between it and the network.
 */
import { backoffMs } from '../../../core/domain/backoff.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Ids } from '../../../core/domain/ids.ts';
import { salesUnitAccess } from '../../../wallets/epayment/epayment-access.ts';
import { epaymentCatalogue } from '../../../wallets/epayment/epayment-catalogue.ts';
import { createEpaymentClient } from '../../../wallets/epayment/point-of-sale/epayment-client.ts';
import {
  forceApproveEpayment,
  getEpayment,
  listEpaymentEvents,
} from '../../../wallets/epayment/payments/payments-operations.ts';
import { epaymentProfile } from '../../../wallets/epayment/epayment-profile.ts';
import { listRegisteredWebhooks } from '../../../wallets/epayment/webhooks/webhooks-operations.ts';
import type { HttpSend } from '../../../wallets/http/http.ts';
import { Transport } from '../../../wallets/http/transport.ts';
import type {
  CreateRefundRequest,
  CreateRequest,
  PointOfSaleClient,
  SeenStatus,
  SettleAnswer,
} from '../../../core/lane/wallet-port.ts';
import { errorText } from '../../simulator/error-text.ts';
import { Driver } from '../driver.ts';
import { NotShownError } from '../finding.ts';
import { Recorder } from '../recorder.ts';
import { recordingLog } from '../recording-log.ts';
import type { EpaymentTarget } from './epayment-service.ts';

export interface EpaymentHarnessOptions {
  readonly service: EpaymentTarget;
  readonly clientVersion: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly send: HttpSend;
  /** Stands between client and recorder, so that a test can make the client misbehave. */
  readonly spoil?: (send: HttpSend) => HttpSend;
}

const amountMinor = 1_250;
/**
 * The first pause after a change that was not confirmed, as a lane has it. It doubles each time.
 */
const firstRetryMs = 4_000;

export class EpaymentHarness extends Driver {
  readonly recorder: Recorder;
  readonly #options: EpaymentHarnessOptions;
  readonly #transport: Transport;
  /** Payments that this run has left open or reserved at the provider. */
  readonly #open = new Set<string>();
  #counter: PointOfSaleClient;

  constructor(options: EpaymentHarnessOptions) {
    super({ clock: options.clock, faults: options.service.faults });
    const { service, clientVersion, clock, spoil = (send) => send } = options;
    const { baseUrl, keys } = service;
    this.#options = options;
    this.recorder = new Recorder({
      send: options.send,
      clock,
      baseUrl,
      profile: epaymentProfile,
      tokenPath: '/accesstoken/get',
      operations: epaymentCatalogue,
      secrets: [keys.clientSecret, ...keys.subscriptionKeys],
    });
    const log = recordingLog(this.log);
    const parts = { baseUrl, send: spoil(this.recorder.send), clock, log };
    const system = {
      name: 'tillbeacon',
      version: clientVersion,
      pluginName: 'zvt',
      pluginVersion: clientVersion,
    };
    this.#transport = new Transport({
      ...parts,
      profile: epaymentProfile,
      access: salesUnitAccess({ ...parts, keys, system }),
    });
    this.#counter = this.#newCounter();
  }

  #newCounter(): PointOfSaleClient {
    const { service, clock } = this.#options;
    const { baseUrl, keys } = service;
    const settings = {
      msn: keys.msn,
      description: 'Certification, till 1',
      codeForm: 'picture',
    } as const;
    return createEpaymentClient({
      transport: this.#transport,
      baseUrl,
      settings,
      send: this.recorder.send,
      clock,
      log: recordingLog(this.log),
    });
  }

  get counter(): PointOfSaleClient {
    return this.#counter;
  }
  get money() {
    return { amountMinor, currency: this.#options.service.currency } as const;
  }

  get nowMs(): number {
    return this.#options.clock.wallMs();
  }

  /** A new sale, whose key and order id are chosen before anything is sent. */
  sale(): CreateRequest {
    const { ids } = this.#options;
    return {
      flow: 'initiate',
      orderId: `certify-000001-${ids.uuid().slice(0, 8)}`,
      idempotencyKey: ids.uuid(),
      ...this.money,
    };
  }

  refund(reference: string, part = amountMinor): CreateRefundRequest {
    const { ids } = this.#options;
    const refundOrderId = `certify-R000001-${ids.uuid().slice(0, 8)}`;
    return {
      paymentId: reference,
      refundOrderId,
      idempotencyKey: ids.uuid(),
      amountMinor: part,
      currency: this.money.currency,
    };
  }

  /** Replaces the client by one that knows nothing of the run so far. */
  restart(): void {
    this.#counter = this.#newCounter();
  }

  /**
   * Resolves when `ms` have passed at the service: at once where its clock can be put forward, and
   * in real time elsewhere.
   */
  async letPass(ms: number): Promise<void> {
    if (this.#options.service.faults === null) await this.pause(ms);
    else this.inject({ operation: 'getEpayment', kind: 'clockJump', jumpMs: ms });
  }

  /** @throws when it is not created */
  async create(sale = this.sale()): Promise<string> {
    const answer = await this.counter.create(sale);
    if (answer.kind !== 'created')
      throw new Error(
        `the payment was not created: ${answer.kind}${'detail' in answer ? ` (${answer.detail})` : ''}`,
      );
    this.#open.add(answer.paymentId);
    if (answer.code?.kind === 'picture') {
      const picture = await this.counter.codePicture?.(answer.code.address);
      if (picture?.kind !== 'fetched')
        throw new Error(`the picture of the code was not fetched: ${picture?.detail}`);
    }
    return answer.paymentId;
  }

  /** Approval by the customer, whom the test environment simulates, or a person. */
  async approve(reference: string): Promise<void> {
    const { testPhone, operator, faults } = this.#options.service;
    try {
      if (testPhone === null) throw new Error('no test phone is named');
      await this.#transport.call(forceApproveEpayment, {
        reference,
        body: { customer: { phoneNumber: testPhone } },
      });
    } catch (error) {
      if (faults !== null) throw error;
      if (operator === null)
        throw new NotShownError(
          `the service does not approve it for a test (${errorText(error)}), and nobody is at a terminal to do it`,
        );
      await operator(`Approve payment ${reference} in the test app and press Enter`);
    }
  }

  async refuse(reference: string): Promise<void> {
    const { refuse, operator } = this.#options.service;
    if (refuse !== null) return refuse(reference);
    if (operator === null)
      throw new NotShownError(
        'no program can refuse a payment, and nobody is at a terminal to do it',
      );
    await operator(
      `Scan the code of payment ${reference} with the test app, cancel it there, and press Enter`,
    );
  }

  /**
   * Polls as a lane does until the payment is in one of `wanted`. @throws when that takes too long
   */
  async follow(reference: string, ...wanted: SeenStatus[]): Promise<void> {
    const { clock, service } = this.#options;
    const giveUpAtMs = clock.monotonicMs() + service.patienceMs;
    const watch = this.counter.watch(reference);
    let last = 'nothing';
    while (clock.monotonicMs() < giveUpAtMs) {
      const answer = await watch.poll(this.signal);
      last = answer.kind === 'seen' ? answer.status : answer.kind;
      if (answer.kind === 'seen' && wanted.includes(answer.status)) return;
    }
    throw new Error(`waited in vain for the payment to be ${wanted.join(' or ')}: it is ${last}`);
  }

  /**
   * Repeats a change with the same key until it is confirmed, as a lane does. @throws when it is
   * refused, or never confirmed
   */
  async settle(what: string, change: () => Promise<SettleAnswer>): Promise<void> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const answer = await change();
      if (answer.kind === 'done') return;
      if (answer.kind !== 'unknown')
        throw new Error(
          `${what}: ${answer.kind}${'detail' in answer ? ` (${answer.detail})` : ''}`,
        );
      await this.pause(backoffMs(attempt - 1, { firstMs: firstRetryMs }));
    }
    throw new Error(`${what} was never confirmed`);
  }

  async authorized(sale?: CreateRequest): Promise<string> {
    const reference = await this.create(sale);
    await this.approve(reference);
    await this.follow(reference, 'reserved');
    return reference;
  }

  async captured(): Promise<string> {
    const reference = await this.authorized();
    await this.settle('capture', () => this.counter.capture(reference, this.money));
    this.#open.delete(reference);
    return reference;
  }

  /** Reads the payment and its event log, so that the rules can judge what the service says. */
  async read(reference: string): Promise<void> {
    await this.#transport.call(getEpayment, { reference });
    await this.#transport.call(listEpaymentEvents, { reference });
  }

  async registrations(): Promise<number> {
    return (await this.#transport.call(listRegisteredWebhooks, {})).webhooks.length;
  }

  protected async closeWhatIsOpen(): Promise<string[]> {
    const left: string[] = [];
    for (const reference of this.#open) {
      this.#open.delete(reference);
      const answer = await this.counter.cancel(reference, { ifNotApproved: false });
      // A refusal means that the payment has ended: it was captured, or it expired.
      if (answer.kind === 'unknown') left.push(`payment ${reference}: ${answer.detail}`);
    }
    return left;
  }
}
