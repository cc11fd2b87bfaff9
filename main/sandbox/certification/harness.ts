/** Drives the product's client as the daemon does, with a recorder between it and the network. */
import type { BeaconType } from '../../core/domain/beacons.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Currency } from '../../core/domain/money.ts';
import { integratorAccess } from '../../wallets/v10/v10-access.ts';
import { type Client, clientOf } from '../../wallets/v10/typed-client.ts';
import type { HttpSend } from '../../wallets/http/http.ts';
import { createPointOfSaleClient } from '../../wallets/v10/point-of-sale/point-of-sale-client.ts';
import type {
  PaymentSettings,
  PointOfSaleSettings,
} from '../../wallets/v10/point-of-sale/point-of-sale-settings.ts';
import {
  pointOfSaleOperations,
  sandboxOperations,
} from '../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import type {
  CreateRequest,
  PaymentWatch,
  SeenStatus,
  PointOfSaleClient,
} from '../../core/lane/wallet-port.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';
import type { ClientCredentials } from '../../wallets/v10/v10-token.ts';
import { Transport } from '../../wallets/http/transport.ts';
import { type Customer, createCustomer, type Operator } from './customer.ts';
import { Driver, type FaultInjector } from './driver.ts';
import { recordingLog } from './recording-log.ts';
import { Recorder } from './recorder.ts';

export interface HarnessOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
  readonly tokenFor: 'merchant' | 'integrator';
  readonly profile: Profile;
  readonly clientVersion: string;
  readonly storeId: string;
  readonly beaconTypes: readonly BeaconType[];
  readonly currency: Currency;
  /** What the lane's settings say of its payments, and its notification service. */
  readonly payments?: PaymentSettings;
  readonly callbackAlias?: string | null | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly send: HttpSend;
  /** Stands between client and recorder, so that a test can make the client misbehave. */
  readonly spoil?: (send: HttpSend) => HttpSend;
  /** Makes the service fail as prescribed; null when it fails by itself, or cannot be made to. */
  readonly faults: FaultInjector | null;
  readonly operator: Operator | null;
  /** How long to wait for a state. */
  readonly patienceMs: number;
}

interface Opened {
  readonly settings: PointOfSaleSettings;
  readonly counter: PointOfSaleClient;
  readonly posId: string;
  readonly qr: string | null;
}

type CardType = 'debit' | 'credit';
type Restrictions = NonNullable<PaymentSettings['restrictions']>;

interface Restricted {
  readonly counter: PointOfSaleClient;
  readonly restrictions: Restrictions;
  /** A kind of card that the restrictions refuse. */
  readonly card: CardType;
}

const isRestricted = (restrictions: Restrictions | undefined): restrictions is Restrictions =>
  restrictions !== undefined &&
  (restrictions.debitCardDisallowed || restrictions.creditCardDisallowed);
const otherCard = (card: CardType): CardType => (card === 'debit' ? 'credit' : 'debit');

/** Final states of a payment. */
const finalStatuses: ReadonlySet<SeenStatus> = new Set([
  'captured',
  'cancelledByUser',
  'cancelledByClient',
  'cancelledByService',
  'expired',
]);
const amountMinor = 1_250;

export class Harness extends Driver {
  readonly recorder: Recorder;
  readonly client: Client<typeof pointOfSaleOperations>;
  readonly #options: HarnessOptions;
  readonly #transport: Transport;
  /** Payments and refunds that this run has left open at the provider. */
  readonly #payments = new Set<string>();
  readonly #refunds = new Set<string>();
  readonly #pointsOfSale = new Set<string>();
  /**
   * The merchantPosIds of points of sale that may exist, because their creation was not answered.
   */
  readonly #posIds = new Set<string>();
  #counter: Promise<Opened & { readonly customer: Customer }> | null = null;

  constructor(options: HarnessOptions) {
    super(options);
    const {
      baseUrl,
      authUrl,
      credentials,
      tokenFor,
      profile,
      clientVersion,
      clock,
      spoil = (send) => send,
    } = options;
    const { clientId, clientSecret } = credentials;
    this.#options = options;
    this.recorder = new Recorder({
      send: options.send,
      clock,
      baseUrl,
      profile,
      tokenPath: profile.tokenPath,
      operations: [...pointOfSaleOperations, ...sandboxOperations],
      secrets: [clientSecret, Buffer.from(`${clientId}:${clientSecret}`).toString('base64')],
    });
    const send = spoil(this.recorder.send);
    this.#transport = new Transport({
      baseUrl,
      access: integratorAccess({
        authUrl,
        credentials,
        tokenFor,
        clientVersion,
        profile,
        send,
        clock,
      }),
      profile,
      send,
      clock,
      log: recordingLog(this.log),
    });
    this.client = clientOf(this.#transport, pointOfSaleOperations);
  }

  get patienceMs(): number {
    return this.#options.patienceMs;
  }
  get money() {
    return { amountMinor, currency: this.#options.currency } as const;
  }
  uuid(): string {
    return this.#options.ids.uuid();
  }

  /**
   * A new sale, whose key and order id are chosen before anything is sent (document 4, section
   * 1.8).
   */
  sale(flow: CreateRequest['flow'] = 'initiate'): CreateRequest {
    return {
      flow,
      orderId: `certify-${this.uuid().slice(0, 8)}`,
      idempotencyKey: this.uuid(),
      ...this.money,
    };
  }

  /** Settings of a new point of sale. */
  newPointOfSale(): PointOfSaleSettings {
    const { storeId, beaconTypes, callbackAlias } = this.#options;
    return {
      merchantPosId: `certify-${this.uuid().slice(0, 8)}`,
      storeId,
      name: 'Certification',
      beaconTypes,
      beaconId: null,
      callbackAlias,
    };
  }

  /**
   * The point of sale that the cases use, opened when first asked for, and the customer at its
   * beacon.
   */
  counter(): Promise<Opened & { readonly customer: Customer }> {
    this.#counter ??= this.#openCounter().catch((error: unknown) => {
      this.#counter = null;
      throw error;
    });
    return this.#counter;
  }

  /** A client of the same point of sale that knows nothing of the run so far. */
  async restarted(): Promise<PointOfSaleClient> {
    return (await this.open((await this.counter()).settings)).counter;
  }

  /**
   * The same point of sale with the lane's restrictions, or without any, with one on this kind of
   * card. The other cases run without restrictions.
   */
  async restricted(card: CardType): Promise<Restricted> {
    const { payments } = this.#options;
    const ofLane = payments?.restrictions;
    const restrictions = isRestricted(ofLane)
      ? ofLane
      : { debitCardDisallowed: card === 'debit', creditCardDisallowed: card === 'credit' };
    const { counter } = await this.open((await this.counter()).settings, {
      ...payments,
      restrictions,
    });
    return {
      counter,
      restrictions,
      card: restrictions[`${card}CardDisallowed`] ? card : otherCard(card),
    };
  }

  async #openCounter(): Promise<Opened & { readonly customer: Customer }> {
    const opened = await this.open(this.newPointOfSale());
    const { posId, qr } = opened;
    const beaconId =
      qr === null
        ? ((await this.client.getPointOfSale({ posId })).beaconId ?? null)
        : this.#scanned(qr);
    if (beaconId === null) throw new Error('the point of sale has no beacon to check in at');
    const { credentials, operator, faults } = this.#options;
    const sandbox = clientOf(this.#transport, sandboxOperations);
    const customer = createCustomer({
      sandbox,
      beaconId,
      merchantVat: credentials.merchantVat,
      operator,
      simulationIsSure: faults !== null,
    });
    return { ...opened, customer };
  }

  /** The id of the beacon in a QR code's text. */
  #scanned(qr: string): string {
    const [before = '', after = ''] = this.#options.profile.qrTemplate.split('{beaconId}');
    return qr.slice(before.length, qr.length - after.length);
  }

  /** Opens a point of sale as the daemon does at its start. @throws when the service refuses */
  async open(
    settings: PointOfSaleSettings,
    payments: PaymentSettings = {
      merchantPaymentLabel: this.#options.payments?.merchantPaymentLabel,
    },
  ): Promise<Opened> {
    const { profile, clock, ids } = this.#options;
    const counter = createPointOfSaleClient({
      transport: this.#transport,
      profile,
      settings,
      payments,
      clock,
      ids,
      log: recordingLog(this.log),
    });
    this.#posIds.add(settings.merchantPosId);
    const answer = await counter.open();
    if (answer.kind !== 'open')
      throw new Error(`the point of sale was not opened: ${answer.detail}`);
    this.#posIds.delete(settings.merchantPosId);
    this.#pointsOfSale.add(answer.posId);
    return { settings, counter, posId: answer.posId, qr: answer.qr };
  }

  removed(posId: string): void {
    this.#pointsOfSale.delete(posId);
  }

  /** @throws when it is not created */
  async create(counter: PointOfSaleClient, sale: CreateRequest): Promise<string> {
    const answer = await counter.create(sale);
    if (answer.kind !== 'created')
      throw new Error(
        `the payment was not created: ${answer.kind}${'detail' in answer ? ` (${answer.detail})` : ''}`,
      );
    return this.paymentOpened(answer.paymentId);
  }

  paymentOpened(paymentId: string): string {
    this.#payments.add(paymentId);
    return paymentId;
  }

  refundOpened(refundId: string): string {
    this.#refunds.add(refundId);
    return refundId;
  }

  refundClosed(refundId: string): void {
    this.#refunds.delete(refundId);
  }

  /**
   * Polls until the payment is in one of `until`, or can change no more. @throws when that takes
   * too long
   */
  async follow(
    watch: PaymentWatch,
    paymentId: string,
    ...until: SeenStatus[]
  ): Promise<SeenStatus> {
    const giveUpAtMs = this.clock.monotonicMs() + this.#options.patienceMs;
    let last = 'nothing';
    while (this.clock.monotonicMs() < giveUpAtMs) {
      const answer = await watch.poll(this.signal);
      last = answer.kind === 'seen' ? answer.status : answer.kind;
      if (answer.kind === 'notFound')
        throw new Error('the service does not know the payment any more');
      if (answer.kind === 'unknown') continue;
      if (finalStatuses.has(answer.status)) this.#payments.delete(paymentId);
      if (until.includes(answer.status) || finalStatuses.has(answer.status)) return answer.status;
    }
    throw new Error(`waited in vain for the payment to be ${until.join(' or ')}: it is ${last}`);
  }

  protected async closeWhatIsOpen(): Promise<string[]> {
    const left: string[] = [];
    const close = async (
      what: string,
      ids: Set<string>,
      act: (id: string) => Promise<unknown>,
    ): Promise<void> => {
      for (const id of ids) {
        ids.delete(id);
        await act(id).catch((error: Error) => left.push(`${what} ${id}: ${error.message}`));
      }
    };
    await close('payment', this.#payments, (paymentId) => this.client.cancelPayment({ paymentId }));
    await close('refund', this.#refunds, (refundId) => this.client.cancelRefund({ refundId }));
    return left;
  }

  /**
   * After the last case: cancels payments whose creation was not answered, and deletes the run's
   * points of sale.
   */
  override async close(): Promise<string[]> {
    const left = await super.close();
    const opened = await this.#counter?.catch(() => null);
    const cleared = await opened?.counter.clear();
    if (cleared?.kind === 'unknown') left.push(`payments at the point of sale: ${cleared.detail}`);
    for (const merchantPosId of this.#posIds)
      await this.client.listPointsOfSale({ query: { merchantPosId } }).then(
        ({ posIds }) => posIds.forEach((posId) => this.#pointsOfSale.add(posId)),
        (error: Error) => left.push(`point of sale ${merchantPosId}: ${error.message}`),
      );
    for (const posId of this.#pointsOfSale)
      await this.client
        .deletePointOfSale({ posId })
        .catch((error: Error) => left.push(`point of sale ${posId}: ${error.message}`));
    return left;
  }
}
