import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BeaconType } from '../../main/core/domain/beacons.ts';
import { type LoggedPacket, Register } from '../../main/sandbox/till/register.ts';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import type { SerialFormat } from '../../main/core/domain/serial-format.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { Tokens } from '../../main/tills/http/tokens.ts';
import { cheapPins, firstManagerCode } from './first-manager.ts';
import { type DaemonReady, Product, SerialCable, type SimulatorReady, until } from './processes.ts';
import { comPort, wine } from './wine.ts';

export interface ServicePayment {
  readonly paymentId: string;
  readonly posId: string;
  readonly orderId: string;
  readonly amount: number | null;
  readonly currencyCode: string | null;
  readonly status: string;
  readonly history: { status: string; at: string }[];
  readonly captureCount: number;
  readonly capturedAmount: number;
}

export interface ServiceRefund {
  readonly refundId: string;
  readonly amount: number;
  readonly status: string;
}

/**
 * `changed` is a shop that has changed from the point-of-sale interface to the ePayment service.
 */
type Service = 'v10' | 'epayment' | 'changed';

export interface ServiceEpayment {
  readonly reference: string;
  readonly state: string;
  readonly captured: number;
  readonly cancelled: number;
  readonly refunded: number;
  readonly events: readonly { readonly name: string; readonly success: boolean }[];
}

interface Options {
  /** The wallet service, by default v10. */
  readonly service?: Service;
  /** With `http` the till's requests are sent with `ask`. */
  readonly transport?: 'serial' | 'tcp' | 'http';
  /** With `concert` the test itself is the till. */
  readonly protocol?: 'zvt' | 'concert';
  readonly serialFormat?: SerialFormat;
  /** Together with `http`, makes the till speak Nexo. */
  readonly nexo?: {
    readonly poiId: string;
    readonly key: {
      readonly identifier: string;
      readonly version: number;
      readonly passphrase: string;
    };
  };
  readonly flow?: 'initiate' | 'prepare';
  readonly deadlineSeconds?: number;
  readonly pollDelayMs?: number;
  /** Whether the settings have the key for the merchant's reports. */
  readonly reporting?: boolean;
  /** Whether the lane takes reservations, and the customer's card allows a part to be captured. */
  readonly reserves?: boolean;
  /** Whether customers check in before there is an amount. */
  readonly checkInFirst?: boolean;
  /** What the lane's point of sale has; a QR code if left out. */
  readonly beaconTypes?: readonly BeaconType[];
  /** Whether the till's line is recorded. */
  readonly records?: boolean;
  /** Further settings of the counter and of its lane, and further lanes. */
  readonly more?: (credentials: SimulatorReady) => Promise<More>;
  /** Environment variables of the daemon, and of the simulated service. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly serviceEnvironment?: Readonly<Record<string, string>>;
  /** A limit instead of a minute; the daemon is then `impatient-daemon.ts`. */
  readonly leaveAfterMs?: number;
}

interface More {
  readonly settings?: object;
  readonly lane?: object;
  readonly lanes?: readonly object[];
}

/** The terminal's end of the cable, by the name that the daemon's system gives it. */
const terminalPort = ({ terminalPath }: SerialCable): string =>
  wine === null ? terminalPath : comPort(wine, terminalPath);

const phoneNumber = '+4520031801';
const partPhoneNumber = '+4520031805';

/**
 * A whole counter: simulated service, daemon and till, in processes of their own, and a cable or
 * TCP between them.
 */
export class Counter {
  service: Product;
  readonly credentials: SimulatorReady;
  readonly cable: SerialCable | null;
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-counter-'));
  /** The services that the settings name at the daemon's next start. */
  uses: Service;
  daemon!: Product;
  started!: DaemonReady;
  till!: Register;
  /** The token of a till over HTTP. */
  token = '';
  /** Every packet on the till's line. */
  readonly onTheLine: LoggedPacket[] = [];
  readonly #options: Options;
  #more: More = {};
  #registers: Register[] = [];

  private constructor(
    service: Product,
    credentials: SimulatorReady,
    cable: SerialCable | null,
    options: Options,
  ) {
    this.service = service;
    this.credentials = credentials;
    this.cable = cable;
    this.#options = options;
    this.uses = options.service ?? 'v10';
  }

  static async open(options: Options = {}): Promise<Counter> {
    const service = new Product(
      'simulator',
      ['--port', '0', '--poll-delay', String(options.pollDelayMs ?? 200)],
      options.serviceEnvironment,
    );
    const cable = options.transport === 'serial' ? await new SerialCable().plugIn() : null;
    const counter = new Counter(service, await service.ready(), cable, options);
    cheapPins(join(counter.folder, 'data'));
    counter.#more = (await options.more?.(counter.credentials)) ?? {};
    if (options.transport === 'http') counter.token = counter.#makeToken();
    await counter.startDaemon();
    if (options.transport !== 'http' && options.protocol !== 'concert')
      counter.till = await counter.connectTill();
    return counter;
  }

  /** The one-time code for this counter's first manager. */
  get firstManagerCode(): string {
    return firstManagerCode(join(this.folder, 'data'));
  }

  get settings(): object {
    const {
      protocol = 'zvt',
      flow = 'initiate',
      deadlineSeconds = 120,
      checkInFirst = false,
      beaconTypes = ['QR'],
      reserves = false,
      records = false,
    } = this.#options;
    const { storeIds, baseUrl, authUrl, clientId, clientSecret, merchantVat } = this.credentials;
    const isHttp = this.#options.transport === 'http';
    const till = isHttp
      ? { protocol: 'http', ...(this.#options.nexo && { nexo: this.#options.nexo }) }
      : this.cable === null
        ? { protocol, transport: 'tcp', host: '127.0.0.1', port: 0 }
        : {
            protocol,
            transport: 'serial',
            path: terminalPort(this.cable),
            baudRate: 9600,
            stopBits: 2,
            ...this.#options.serialFormat,
          };
    const pointOfSale = {
      merchantPosId: 'shop-1-lane-1',
      storeId: storeIds[0],
      name: 'Check-out 1',
      beaconTypes,
      beaconId: null,
    };
    const reporting = this.#options.reporting
      ? { reportingKey: `simulated-key-of-${merchantVat}` }
      : {};
    const v10 = { baseUrl, authUrl, clientId, clientSecret, merchantVat, ...reporting };
    const epayment = {
      service: 'epayment',
      environment: 'production',
      country: 'DK',
      ...this.credentials.epayment,
      baseUrl,
    };
    return {
      wallet: this.uses === 'v10' ? v10 : epayment,
      ...(this.uses === 'changed' && { formerWallet: v10 }),
      ...(isHttp && { api: { port: 0 } }),
      ...this.#more.settings,
      lanes: [
        {
          id: '1',
          name: 'Check-out 1',
          currency: 'DKK',
          flow,
          deadlineSeconds,
          checkInFirst,
          ...(reserves && { plannedCaptureDelay: 'LessThan14Days' }),
          pointOfSale,
          ...this.#more.lane,
          till: { ...till, ...(records && { record: true }) },
        },
        ...(this.#more.lanes ?? []),
      ],
    };
  }

  launchDaemon(port = 0): Product {
    writeFileSync(join(this.folder, 'settings.json'), JSON.stringify(this.settings), {
      mode: 0o600,
    });
    const args = [
      '--settings',
      join(this.folder, 'settings.json'),
      '--data',
      join(this.folder, 'data'),
      '--port',
      String(port),
    ];
    const { leaveAfterMs, environment = {} } = this.#options;
    this.daemon =
      leaveAfterMs === undefined
        ? new Product('daemon', args, environment)
        : new Product('test/support/impatient-daemon.ts', [
            ...args,
            '--leave-after-ms',
            String(leaveAfterMs),
          ]);
    return this.daemon;
  }

  async startDaemon(port = 0): Promise<void> {
    this.started = await this.launchDaemon(port).ready<DaemonReady>();
  }

  /**
   * Restarts as after a power cut: the process is killed and the till's line is dead before
   * everything comes back.
   */
  async restartDaemon(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.daemon.end(signal);
    await this.till.close();
    await this.startDaemon();
    this.till = await this.connectTill();
  }

  /** Creates a token as a manager would, before the daemon starts. */
  #makeToken(): string {
    const tokens = new Tokens({
      path: join(this.folder, 'data', 'till-tokens.json'),
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
    });
    const token = tokens.make({ name: 'Kiosk', laneId: '1', scopes: ['pay', 'refund', 'read'] });
    if (token === 'tooMany') throw new Error('too many tokens');
    return token.token;
  }

  /** A request of a till over HTTP. */
  async ask(
    method: 'GET' | 'POST',
    path: string,
    {
      key = '',
      body,
      headers = {},
    }: { key?: string; body?: object; headers?: Record<string, string> } = {},
  ) {
    const sent = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      ...(key !== '' && { 'idempotency-key': key }),
      ...headers,
    };
    const answer = await fetch(`${this.started.api}/v1${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  /** Starts the service again at its address, without its former state. */
  async restartService(): Promise<void> {
    await this.service.end();
    this.service = new Product('simulator', [
      '--port',
      new URL(this.credentials.baseUrl).port,
      '--poll-delay',
      '200',
    ]);
    await this.service.ready();
  }

  async connectTill(): Promise<Register> {
    const log = (packet: LoggedPacket): number => this.onTheLine.push(packet);
    const register =
      this.cable === null
        ? await Register.overTcp({
            host: '127.0.0.1',
            port: Number(this.started.lanes[0]?.till.split(':')[2]),
            log,
          })
        : await Register.overSerial({
            path: this.cable.tillPath,
            open: openSerialWire,
            clock: systemClock,
            log,
          });
    this.#registers.push(register);
    return register;
  }

  async state(): Promise<{
    payments: ServicePayment[];
    refunds: ServiceRefund[];
    pointsOfSale: { posId: string; beaconId: string }[];
    violations: Record<string, number>;
  }> {
    return (await (await fetch(`${this.credentials.baseUrl}/simulator/state`)).json()) as never;
  }

  async epayments(): Promise<readonly ServiceEpayment[]> {
    return ((await this.state()) as unknown as { epayments: ServiceEpayment[] }).epayments;
  }

  /**
   * Scans the code of the newest payment of the ePayment service and approves it, as soon as there
   * is one.
   */
  async customerApproves(): Promise<void> {
    let reference = '';
    await until(async () => {
      const last = (await this.epayments()).at(-1);
      reference = last?.reference ?? '';
      return last?.state === 'CREATED';
    }, 'a payment to approve');
    await fetch(`${this.credentials.baseUrl}/simulator/epayment/approve`, {
      method: 'POST',
      body: JSON.stringify({ reference }),
    });
  }

  /** The requests that the service received, each with its operation and what it was about. */
  async requests(): Promise<readonly { operation: string | null; path: string }[]> {
    return (await (await fetch(`${this.credentials.baseUrl}/simulator/requests`)).json()) as never;
  }

  async lastPayment(): Promise<ServicePayment | undefined> {
    return (await this.state()).payments.at(-1);
  }

  /** Waits until the newest payment is in this state at the service. */
  async serviceSays(status: string, withinMs?: number): Promise<ServicePayment> {
    let last: ServicePayment | undefined;
    await until(
      async () => {
        last = await this.lastPayment();
        return last?.status === status;
      },
      `the service to say ${status} (it says ${last?.status ?? 'nothing'})`,
      withinMs,
    ).catch((error: Error) => {
      throw new Error(
        `${error.message}; it says ${last?.status ?? 'nothing'}\n${this.daemon.stderr.split('\n').slice(-12).join('\n')}`,
      );
    });
    return last as ServicePayment;
  }

  /** An act of the customer, through the service's own sandbox operations. */
  async customer(
    action: 'checkin' | 'acceptpayment' | 'cancelpaymentbyuser',
    beaconId?: string,
  ): Promise<void> {
    const { authUrl, baseUrl, clientId, clientSecret, merchantVat } = this.credentials;
    const token = (await (
      await fetch(`${authUrl}/connect/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `grant_type=client_credentials&merchant_vat=${merchantVat}`,
      })
    ).json()) as { access_token: string };
    const at = beaconId ?? (await this.state()).pointsOfSale[0]?.beaconId;
    const answer = await fetch(`${baseUrl}/app/usersimulation/${action}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'content-type': 'application/json',
        'x-service-client-system-version': '1.0.0',
      },
      body: JSON.stringify(
        action === 'cancelpaymentbyuser'
          ? { beaconId: at }
          : { beaconId: at, phoneNumber: this.#options.reserves ? partPhoneNumber : phoneNumber },
      ),
    });
    if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
  }

  /** Checks in and approves as soon as that is possible. */
  async customerPays(): Promise<void> {
    await until(
      async () =>
        ['Initiated', 'Prepared', 'IssuedToUser'].includes(
          (await this.lastPayment())?.status ?? '',
        ),
      'a payment to check in for',
    );
    const { payments, pointsOfSale } = await this.state();
    const beaconId = pointsOfSale.find(({ posId }) => posId === payments.at(-1)?.posId)?.beaconId;
    await this.customer('checkin', beaconId);
    await this.serviceSays('IssuedToUser');
    await this.customer('acceptpayment', beaconId);
  }

  async fault(fault: object): Promise<void> {
    await fetch(`${this.credentials.baseUrl}/simulator/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
    });
  }

  /** Removes all planned faults. */
  async noFaults(): Promise<void> {
    await fetch(`${this.credentials.baseUrl}/simulator/faults`, { method: 'DELETE' });
  }

  async close(): Promise<void> {
    await Promise.all(this.#registers.map((register) => register.close().catch(() => {})));
    await this.daemon.end('SIGKILL');
    await this.service.end();
    await this.cable?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
