import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonReady, Product, SerialCable, type SimulatorReady } from '../support/processes.ts';
import { Checkout } from './checkout.ts';
import { Gateway, type Seen } from './gateway.ts';
import { JournalReader } from './journal-reader.ts';
import { type Books, unintended } from './rules.ts';
import type { Step } from './steps.ts';

export interface ShopKind {
  readonly transport: 'serial' | 'tcp';
  readonly flow: 'initiate' | 'prepare';
}

const phoneNumber = '+4520031801';

/** Everything for real, each its own process: the daemon, the service, the cable. The road to the service and the till are here, where they are watched. */
export class Shop {
  readonly kind: ShopKind;
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-chaos-'));
  /** What happened, for a person; emptied at each round. */
  readonly story: string[] = [];
  /** What must never be: requests that left without an intent on disk. */
  readonly unexpected: string[] = [];
  onStep: (step: Step) => void = () => {};
  daemon!: Product;
  journal!: JournalReader;
  checkout!: Checkout;
  readonly #service: Product;
  readonly #credentials: SimulatorReady;
  readonly #cable: SerialCable | null;
  readonly gateway: Gateway;
  #begunAtMs = performance.now();
  #isOpen = false;

  private constructor(kind: ShopKind, service: Product, credentials: SimulatorReady, cable: SerialCable | null) {
    this.kind = kind;
    this.#service = service;
    this.#credentials = credentials;
    this.#cable = cable;
    this.gateway = new Gateway({ service: credentials.baseUrl, onStep: (step) => this.onStep(step), onRequest: (seen) => this.#onRequest(seen) });
  }

  static async open(kind: ShopKind): Promise<Shop> {
    const service = new Product('simulator', ['--port', '0', '--poll-delay', '100']);
    const cable = kind.transport === 'serial' ? await new SerialCable().plugIn() : null;
    const shop = new Shop(kind, service, await service.ready(), cable);
    process.once('exit', shop.#leaveNothing);
    const port = cable === null ? await freePort() : 0;
    const address = cable === null ? ({ transport: 'tcp', port } as const) : ({ transport: 'serial', path: cable.tillPath } as const);
    writeFileSync(shop.#settingsFile, JSON.stringify(shop.#settings(await shop.gateway.start(), port)));
    shop.checkout = new Checkout({ address, onStep: (step) => shop.onStep(step), tell: (what) => shop.tell(what) });
    await shop.startDaemon();
    const data = join(shop.folder, 'data');
    shop.journal = new JournalReader(
      data,
      join(data, 'journal.sqlite'),
      () => shop.onStep('the journal is being written'),
      ({ type }) => shop.onStep(`on disk: ${type}`),
    );
    shop.#isOpen = true;
    await shop.checkout.connect();
    return shop;
  }

  tell(what: string): void {
    this.story.push(`${(performance.now() - this.#begunAtMs).toFixed(0).padStart(6)} ms  ${what}`);
  }

  beginStory(): void {
    this.#begunAtMs = performance.now();
    this.story.length = 0;
    this.unexpected.length = 0;
  }

  launchDaemon(): void {
    this.daemon = new Product('daemon', ['--settings', this.#settingsFile, '--data', join(this.folder, 'data'), '--port', '0']);
  }

  /** Resolves when the lane takes payments, with the milliseconds that took. */
  async startDaemon(): Promise<number> {
    const startedAtMs = performance.now();
    this.launchDaemon();
    await this.daemon.ready<DaemonReady>();
    return performance.now() - startedAtMs;
  }

  /** In the same turn as whatever it follows. */
  killDaemon(why: string): void {
    this.tell(`SIGKILL: ${why}`);
    this.daemon.child.kill('SIGKILL');
  }

  /** The service is away: each connection is reset, the process frozen; what was on its way there is carried out when it is back. */
  freezeService(): void {
    this.tell('the service is gone: connections reset, process stopped');
    this.gateway.cut();
    this.#service.child.kill('SIGSTOP');
  }

  thawService(): void {
    this.#service.child.kill('SIGCONT');
    this.gateway.mend();
    this.tell('the service is back, with its books');
  }

  async books(): Promise<Books> {
    return (await (await fetch(`${this.#credentials.baseUrl}/simulator/state`)).json()) as Books;
  }

  /** What the customer does at the beacon; false: there was nothing to do it to. */
  async phone(action: 'checkin' | 'accept' | 'refuse' | 'leave'): Promise<boolean> {
    const beaconId = (await this.books()).pointsOfSale[0]?.beaconId ?? '';
    const answer = await fetch(`${this.#credentials.baseUrl}/simulator/phone/${action}`, { method: 'POST', body: JSON.stringify({ beaconId, phoneNumber }) });
    if (answer.ok) this.tell(`the customer: ${action}`);
    return answer.ok;
  }

  /** @param keep the folder, because somebody has to look at it */
  async close({ keep }: { keep: boolean }): Promise<void> {
    process.off('exit', this.#leaveNothing);
    this.journal.close();
    await this.checkout.hangUp();
    await this.daemon.end('SIGKILL');
    this.gateway.stop();
    this.#service.child.kill('SIGCONT');
    await this.#service.end('SIGKILL');
    await this.#cable?.remove();
    if (!keep && existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Whatever ends this process, no other is to be left; only what happens at once still happens. */
  readonly #leaveNothing = (): void => {
    this.daemon?.child.kill('SIGKILL');
    this.#service.child.kill('SIGKILL');
    void this.#cable?.pull();
  };

  get #settingsFile(): string {
    return join(this.folder, 'settings.json');
  }

  #settings(gateway: string, tillPort: number): object {
    const { storeIds, clientId, clientSecret, merchantVat } = this.#credentials;
    const till =
      this.#cable === null
        ? { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: tillPort }
        : { protocol: 'zvt', transport: 'serial', path: this.#cable.terminalPath, baudRate: 9600, stopBits: 2 };
    const pointOfSale = { merchantPosId: 'shop-1-lane-1', storeId: storeIds[0], name: 'Check-out 1', beaconTypes: ['QR'], beaconId: null };
    return {
      wallet: { baseUrl: gateway, authUrl: gateway, clientId, clientSecret, merchantVat },
      lanes: [{ id: '1', name: 'Check-out 1', currency: 'DKK', flow: this.kind.flow, deadlineSeconds: 30, pointOfSale, till }],
    };
  }

  #onRequest(seen: Seen): void {
    if (seen.kind !== 'poll' && seen.kind !== 'pollRefund') this.tell(`to the service: ${seen.kind} ${seen.id?.slice(0, 8) ?? ''}`);
    const broken = this.#isOpen ? unintended(seen, this.journal) : null;
    if (broken !== null) this.unexpected.push(broken);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
