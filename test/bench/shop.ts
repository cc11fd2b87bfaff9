import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { LaneState, ToPage } from '../../preload/contract.ts';
import { viewIn, watchMessage } from '../support/contract-client.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import type { ServiceName } from '../../main/core/domain/sale.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { maxStreamsOfToken } from '../../main/tills/http/streams.ts';
import { Tokens } from '../../main/tills/http/tokens.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import { bounded } from '../support/bounded.ts';
import { type DaemonReady, Product } from '../support/processes.ts';
import { TillClient } from './till-client.ts';

const phone = '+4520031801';
const storeId = '51070000-0000-4000-8000-000000000001';
/** Enough for 500 event streams. */
const maxReaders = 63;

/** The environment variables that the systemd unit sets for the daemon. */
function serviceEnvironment(): Record<string, string> {
  const unit = readFileSync(
    new URL('../../assets/service/tillbeacon.service', import.meta.url),
    'utf8',
  );
  return Object.fromEntries(
    [...unit.matchAll(/^Environment=(.*)$/gm)]
      .flatMap(([, all = '']) => all.split(' '))
      .map((one) => one.split('=')),
  );
}

/** The latencies of one payment, in milliseconds. */
export interface Sample {
  readonly toAccepted: number;
  readonly toQr: number;
  /** Measured from the delivery of the poll's answer that says Reserved. */
  readonly toStatusInformation: number;
}

/**
 * A shop whose times are measured: the daemon is a process of its own; the service, tills and
 * screens are in this one.
 */
export class Shop {
  readonly simulator: Simulator;
  polls = 0;
  /** With one lane, the time that this process alone needs for the picture of a code. */
  readonly pictureMs: number[] = [];
  daemon!: Product;
  readonly #lanes: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-bench-'));
  readonly #reservedSeenAtMs = new Map<string, number>();
  /** For each lane, the state that is waited for. */
  readonly #waiters = new Map<
    string,
    { readonly matches: (state: LaneState) => boolean; readonly onShown: (atMs: number) => void }
  >();
  /** For each lane, the last state on its screen. */
  readonly #states = new Map<string, object>();
  readonly #till: 'zvt' | 'http';
  readonly #service: ServiceName;
  /** ePayment: of each lane the latest that was polled, and of those that are approved. */
  readonly #references = new Map<string, string>();
  readonly #approved = new Set<string>();
  readonly #tokens: string[] = [];
  readonly #readers: string[] = [];
  readonly #tills: TillClient[] = [];
  readonly #screens: WebSocket[] = [];
  #started!: DaemonReady;

  constructor({
    lanes,
    pollDelayInMs,
    till = 'zvt',
    service = 'v10',
  }: { lanes: number; pollDelayInMs: number; till?: 'zvt' | 'http'; service?: ServiceName }) {
    this.#lanes = lanes;
    this.#till = till;
    this.#service = service;
    this.simulator = new Simulator({
      profile: profileNamed('generic'),
      clock: systemClock,
      ids: systemIds,
      storeIds: [storeId],
      policy: { pollDelayInMs },
    });
  }

  get dataFolder(): string {
    return join(this.#folder, 'data');
  }

  async open(): Promise<this> {
    await this.simulator.start({ port: 0 });
    subscribe('http.server.response.finish', this.#onDelivered);
    const { baseUrl, authUrl, credentials, salesUnit } = this.simulator;
    const { subscriptionKeys, msn: merchantSerialNumber, ...keys } = salesUnit;
    const epayment = {
      service: 'epayment',
      environment: 'production',
      baseUrl,
      country: 'DK',
      ...keys,
      subscriptionKey: subscriptionKeys[0],
      merchantSerialNumber,
    };
    const wallet = this.#service === 'v10' ? { baseUrl, authUrl, ...credentials } : epayment;
    const lanes = Array.from({ length: this.#lanes }, (_, index) => ({
      id: String(index + 1),
      name: `Check-out ${index + 1}`,
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: `lane-${index + 1}`,
        storeId,
        name: `Check-out ${index + 1}`,
        beaconTypes: ['QR'],
        beaconId: null,
      },
      till:
        this.#till === 'http'
          ? { protocol: 'http' }
          : { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
    }));
    if (this.#till === 'http') this.#makeTokens();
    writeFileSync(
      join(this.#folder, 'settings.json'),
      JSON.stringify({ wallet, api: { port: 0 }, lanes }),
    );
    return this;
  }

  /** Creates the tokens as a manager would. */
  #makeTokens(): void {
    mkdirSync(this.dataFolder, { recursive: true, mode: 0o700 });
    const tokens = new Tokens({
      path: join(this.dataFolder, 'till-tokens.json'),
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
    });
    const make = (name: string, laneId: string): string => {
      const token = tokens.make({ name, laneId, scopes: ['pay', 'read'] });
      if (token === 'tooMany') throw new Error('too many tokens');
      return token.token;
    };
    for (let lane = 1; lane <= this.#lanes; lane += 1)
      this.#tokens.push(make(`Till ${lane}`, String(lane)));
    for (let reader = 1; reader <= maxReaders; reader += 1)
      this.#readers.push(make(`Reader ${reader}`, '1'));
  }

  /** Milliseconds from the start of the process to its line. */
  async startDaemon(): Promise<number> {
    const startedAtMs = performance.now();
    const args = [
      '--settings',
      join(this.#folder, 'settings.json'),
      '--data',
      this.dataFolder,
      '--port',
      '0',
    ];
    this.daemon = new Product('daemon', args, serviceEnvironment());
    this.#started = await this.daemon.ready<DaemonReady>();
    return performance.now() - startedAtMs;
  }

  async openCounters(): Promise<void> {
    for (const { id, till } of this.#started.lanes) {
      if (this.#till === 'zvt')
        this.#tills.push(await TillClient.connect(Number(till.split(':')[2])));
      this.#screens.push(await this.#openScreen(id));
    }
  }

  get screensUrl(): string {
    return this.#started.screens;
  }

  /** The address for tills over HTTP. */
  get apiUrl(): string {
    return this.#started.api ?? '';
  }

  /**
   * Tokens of the first lane for those that hold its event streams, of which each may hold eight.
   */
  readerTokens(streams: number): readonly string[] {
    return this.#readers.slice(0, Math.ceil(streams / maxStreamsOfToken));
  }

  tokenOf(lane: number): string {
    return this.#tokens[lane] ?? '';
  }

  /**
   * When the lane's screen is next told of this state; of a customer who is waited for, with what
   * is scanned.
   */
  whenShown(lane: number, kind: LaneState['kind']): Promise<number> {
    const matches = (state: LaneState): boolean =>
      state.kind === kind &&
      (state.kind !== 'waitingForCustomer' ||
        this.#service === 'v10' ||
        state.ownCode !== undefined);
    const laneId = String(lane + 1);
    const shownAtMs = new Promise<number>((resolve) =>
      this.#waiters.set(laneId, { matches: matches, onShown: resolve }),
    );
    return bounded(
      shownAtMs,
      () =>
        `the cashier's screen of lane ${laneId} shows ${kind}; it shows ${JSON.stringify(this.#states.get(laneId) ?? null)}`,
    );
  }

  /** Resolves when the lane waits for its customer. */
  async beginPayment(lane: number): Promise<void> {
    const qrAt = this.whenShown(lane, 'waitingForCustomer');
    void (this.#tills[lane] as TillClient).pay(1_000);
    await qrAt;
  }

  /**
   * One payment at one lane; the customer takes `customerMs` to scan, and as long again to approve.
   */
  async pay(lane: number, customerMs: number): Promise<Sample> {
    const laneId = String(lane + 1);
    const before = this.#references.get(laneId);
    const qrAt = this.whenShown(lane, 'waitingForCustomer');
    const payment = (this.#tills[lane] as TillClient).pay(1_000 + lane);
    const qrAtMs = await qrAt;
    await new Promise((resolve) => setTimeout(resolve, customerMs));
    const paymentId =
      this.#service === 'v10'
        ? await this.#approvesAt(laneId, customerMs)
        : await this.#approvesByCode(laneId, before);
    const times = await bounded(payment, `the till of lane ${laneId} is told the result`);
    if (!times.completed) throw new Error('a payment failed under the stopwatch');
    const reservedSeenAtMs = this.#reservedSeenAtMs.get(paymentId) as number;
    this.#reservedSeenAtMs.delete(paymentId);
    return {
      toAccepted: times.acceptedAtMs - times.startMs,
      toQr: qrAtMs - times.startMs,
      toStatusInformation: times.statusInformationAtMs - reservedSeenAtMs,
    };
  }

  /** @returns the payment's id */
  async #approvesAt(laneId: string, customerMs: number): Promise<string> {
    const pos = this.simulator.world.posByMerchantPosId
      .values()
      .find(({ merchantPosId }) => merchantPosId === `lane-${laneId}`);
    if (pos === undefined) throw new Error(`lane ${laneId} has no point of sale`);
    this.simulator.phone('checkin', pos.beaconId, phone);
    const paymentId = pos.active?.paymentId as string;
    await new Promise((resolve) => setTimeout(resolve, customerMs));
    this.simulator.phone('accept', pos.beaconId, phone);
    return paymentId;
  }

  /** @param before the payment before, whose code is gone @returns its reference */
  async #approvesByCode(laneId: string, before: string | undefined): Promise<string> {
    const reference = (): string | undefined => this.#references.get(laneId);
    const deadlineMs = performance.now() + 60_000;
    while (reference() === before && performance.now() < deadlineMs)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const payment = reference();
    if (payment === undefined || payment === before)
      throw new Error(`the daemon does not poll the payment of lane ${laneId}`);
    if (this.#lanes === 1) await this.#timePicture(payment);
    this.simulator.answerEpayment('approve', payment, phone);
    this.#approved.add(payment);
    return payment;
  }

  async #timePicture(reference: string): Promise<void> {
    const askedAtMs = performance.now();
    await (
      await fetch(`${this.simulator.baseUrl}/simulator/epayment-code/${reference}`)
    ).arrayBuffer();
    this.pictureMs.push(performance.now() - askedAtMs);
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.daemon.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Processor time of the daemon's process so far, with a resolution of 10 ms. */
  daemonCpuMs(): number {
    const [user, system] =
      readFileSync(`/proc/${this.daemon.child.pid}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ')
        .slice(11, 13) ?? [];
    return 10 * (Number(user) + Number(system));
  }

  violations(): Record<string, number> {
    return (this.simulator.state() as { violations: Record<string, number> }).violations;
  }

  async stopDaemon(): Promise<void> {
    await this.daemon.end();
    for (const till of this.#tills.splice(0)) till.close();
    for (const screen of this.#screens.splice(0)) screen.terminate();
  }

  async close(): Promise<void> {
    unsubscribe('http.server.response.finish', this.#onDelivered);
    await this.simulator.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Called when an answer to a poll was sent, which may be the one that says Reserved. */
  readonly #onDelivered = (message: unknown): void => {
    const { url, method } = (message as { request: IncomingMessage }).request;
    const paymentId =
      method === 'GET'
        ? /\/(?:v10|epayment\/v1)\/payments\/([\w-]{8,64})$/.exec(url ?? '')?.[1]
        : undefined;
    if (paymentId === undefined || paymentId.startsWith('tillbeacon')) return;
    this.polls += 1;
    if (this.#service === 'epayment')
      this.#references.set(paymentId.split('-')[0] ?? '', paymentId);
    const isReserved =
      this.#approved.has(paymentId) ||
      this.simulator.world.payments.get(paymentId)?.status === 'Reserved';
    if (isReserved && !this.#reservedSeenAtMs.has(paymentId))
      this.#reservedSeenAtMs.set(paymentId, performance.now());
  };

  #openScreen(laneId: string): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const screen = new WebSocket(`${this.#started.screens.replace('http', 'ws')}/screens`);
      screen.once('error', reject);
      screen.once('open', () => {
        screen.send(JSON.stringify(watchMessage({ screen: 'cashier', laneId })));
        resolve(screen);
      });
      screen.on('message', (data) => {
        const arrivedAtMs = performance.now();
        const view = viewIn(JSON.parse((data as Buffer).toString('utf8')) as ToPage);
        if (view?.lane) this.#states.set(laneId, { ...view.lane.state, ownCode: undefined });
        const waiter = this.#waiters.get(laneId);
        if (waiter === undefined || view?.lane == null || !waiter.matches(view.lane.state)) return;
        this.#waiters.delete(laneId);
        waiter.onShown(arrivedAtMs);
      });
    });
  }
}
