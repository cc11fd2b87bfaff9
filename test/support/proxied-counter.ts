import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOutcome, Register } from '../../main/sandbox/till/register.ts';
import { authority } from './authority.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from './processes.ts';
import { Proxy, tlsBefore } from './proxy.ts';

export const walletHost = 'wallet.shop.example';
export const proxyUser = 'till-7';
export const proxyPassword = 'geheim/of the:proxy';

/**
 * A shop's network: the wallet service has a certificate of the shop's own authority, and is
 * reached through a proxy that wants a password.
 */
export class ShopNetwork {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-network-'));
  readonly authority = join(this.folder, 'authority.pem');
  readonly simulator: Product;
  readonly credentials: SimulatorReady;
  readonly tls: Awaited<ReturnType<typeof tlsBefore>>;
  readonly proxy: Proxy;
  readonly products: Product[] = [];

  private constructor(parts: Pick<ShopNetwork, 'simulator' | 'credentials' | 'tls' | 'proxy'>) {
    this.simulator = parts.simulator;
    this.credentials = parts.credentials;
    this.tls = parts.tls;
    this.proxy = parts.proxy;
    writeFileSync(this.authority, authority);
  }

  static async open(): Promise<ShopNetwork> {
    const simulator = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
    const credentials = await simulator.ready<SimulatorReady>();
    const tls = await tlsBefore(credentials.baseUrl);
    return new ShopNetwork({
      simulator,
      credentials,
      tls,
      proxy: await Proxy.before(() => tls.port),
    });
  }

  get proxyUrl(): string {
    return this.proxy.url.replace('//', `//${proxyUser}:${encodeURIComponent(proxyPassword)}@`);
  }

  /**
   * What a process finds in its environment. Node reads NODE_EXTRA_CA_CERTS by itself only when it
   * is there from the beginning; here it comes later, as for the desktop app, whose Electron does
   * not read it.
   */
  get environment(): Record<string, string> {
    const late = join(this.folder, 'late.mjs');
    writeFileSync(late, `process.env.NODE_EXTRA_CA_CERTS = ${JSON.stringify(this.authority)};`);
    return { HTTPS_PROXY: this.proxyUrl, NODE_OPTIONS: `--import=${late}` };
  }

  settings(more: object = {}): object {
    const { clientId, clientSecret, merchantVat, storeIds } = this.credentials;
    const url = `https://${walletHost}`;
    return {
      wallet: { baseUrl: url, authUrl: url, clientId, clientSecret, merchantVat },
      lanes: [
        {
          id: '1',
          name: 'Check-out 1',
          currency: 'DKK',
          pointOfSale: {
            merchantPosId: 'shop-1',
            storeId: storeIds[0],
            name: 'Check-out 1',
            beaconTypes: ['QR'],
          },
          till: { protocol: 'zvt', transport: 'tcp', port: 0 },
        },
      ],
      ...more,
    };
  }

  start(entry: string, args: readonly string[], environment: Record<string, string>): Product {
    const product = new Product(entry, args, environment);
    this.products.push(product);
    return product;
  }

  /** @param more of the settings */
  async counter(
    environment: Record<string, string>,
    more: object = {},
    entry = 'daemon',
  ): Promise<ProxiedCounter> {
    const data = mkdtempSync(join(this.folder, 'data-'));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'settings.json'), JSON.stringify(this.settings(more)), {
      mode: 0o600,
    });
    const daemon = this.start(entry, ['--data', data, '--port', '0'], environment);
    const { screens, lanes } = await daemon.ready<DaemonReady>();
    const till = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(lanes[0]?.till.split(':')[2]),
    });
    return new ProxiedCounter(this, daemon, data, screens, till);
  }

  async close(): Promise<void> {
    for (const product of this.products) await product.end('SIGKILL');
    await this.simulator.end('SIGKILL');
    this.proxy.close();
    this.tls.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class ProxiedCounter {
  readonly network: ShopNetwork;
  readonly daemon: Product;
  readonly data: string;
  readonly screens: string;
  readonly till: Register;

  constructor(
    network: ShopNetwork,
    daemon: Product,
    data: string,
    screens: string,
    till: Register,
  ) {
    this.network = network;
    this.daemon = daemon;
    this.data = data;
    this.screens = screens;
    this.till = till;
  }

  /** What the service has, as JSON. */
  async state(): Promise<string> {
    return (await fetch(`${this.network.credentials.baseUrl}/simulator/state`)).text();
  }

  /** Starts a payment and returns once the service has it. */
  async begin(): Promise<{ readonly paying: Promise<CommandOutcome> }> {
    const payments = async (): Promise<number> =>
      (JSON.parse(await this.state()) as { payments: unknown[] }).payments.length;
    const before = await payments();
    const paying = this.till.pay(1234, 'DKK');
    await until(
      async () => (await payments()) > before || !this.till.isBusy,
      'a payment at the service',
    );
    if (!this.till.isBusy) throw new Error(`no payment began: ${JSON.stringify(await paying)}`);
    return { paying };
  }

  /** A customer checks in and approves the payment. */
  async approve(): Promise<void> {
    const { pointsOfSale } = JSON.parse(await this.state()) as {
      pointsOfSale: { beaconId: string; deleted: boolean }[];
    };
    const beaconId = pointsOfSale.findLast(({ deleted }) => !deleted)?.beaconId;
    for (const action of ['checkin', 'accept'])
      await fetch(`${this.network.credentials.baseUrl}/simulator/phone/${action}`, {
        method: 'POST',
        body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }),
      });
  }

  async close(): Promise<void> {
    await this.till.close();
    await this.daemon.end('SIGKILL');
  }
}
