import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../main/counter/settings/schema.ts';
import { cheapPins, firstManagerCode } from './first-manager.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from './processes.ts';

/** The daemon with an empty data folder, and a simulated service in another process. */
export class Installation {
  readonly service: Product;
  readonly credentials: SimulatorReady;
  readonly daemon: Product;
  readonly screens: string;
  readonly folder: string;

  private constructor(parts: {
    service: Product;
    credentials: SimulatorReady;
    daemon: Product;
    screens: string;
    folder: string;
  }) {
    this.service = parts.service;
    this.credentials = parts.credentials;
    this.daemon = parts.daemon;
    this.screens = parts.screens;
    this.folder = parts.folder;
  }

  /** @param env of the daemon. @param entry what starts it, as `Product` has it */
  static async open(env: Record<string, string> = {}, entry = 'daemon'): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-installation-'));
    cheapPins(join(folder, 'data'));
    const service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
    const credentials = await service.ready<SimulatorReady>();
    const daemon = new Product(entry, ['--data', join(folder, 'data'), '--port', '0'], env);
    const { screens } = await daemon.ready<DaemonReady>();
    return new Installation({ service, credentials, daemon, screens, folder });
  }

  /** The one-time code for the first manager, once there are settings. */
  get firstManagerCode(): string {
    return firstManagerCode(join(this.folder, 'data'));
  }

  /** Writes settings.json into the data folder. @param change fields of each lane */
  dropSettings(
    change: object = {},
    { lanes = 1, wallet = {} }: { lanes?: number; wallet?: object } = {},
  ): void {
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } = this.credentials;
    const lane = (id: number): object => {
      const name = `Check-out ${id}`;
      const pointOfSale = {
        merchantPosId: `shop-${id}`,
        storeId: storeIds[0],
        name,
        beaconTypes: ['QR'],
      };
      return {
        id: String(id),
        name,
        currency: 'DKK',
        pointOfSale,
        till: { protocol: 'zvt', transport: 'tcp', port: 0 },
        ...change,
      };
    };
    writeFileSync(
      join(this.folder, 'data', 'settings.json'),
      JSON.stringify({
        wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat, ...wallet },
        lanes: Array.from({ length: lanes }, (_, index) => lane(index + 1)),
      }),
    );
  }

  /** The settings in the file. */
  settings(): Settings {
    return Settings.parse(
      JSON.parse(readFileSync(join(this.folder, 'data', 'settings.json'), 'utf8')),
    );
  }

  async state(): Promise<{
    payments: { status: string; amount: number | null }[];
    refunds: { status: string; amount: number }[];
    pointsOfSale: { name: string; merchantPosId: string; beaconId: string; deleted: boolean }[];
  }> {
    return (await (await fetch(`${this.credentials.baseUrl}/simulator/state`)).json()) as never;
  }

  async phone(action: 'checkin' | 'accept'): Promise<void> {
    const beaconId = (await this.state()).pointsOfSale.find(({ deleted }) => !deleted)?.beaconId;
    await fetch(`${this.credentials.baseUrl}/simulator/phone/${action}`, {
      method: 'POST',
      body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }),
    });
  }

  /** Plans a fault as `POST /simulator/faults` does, from now on; null ends all faults. */
  async fault(planned: object | null): Promise<void> {
    const answer = await fetch(`${this.credentials.baseUrl}/simulator/faults`, {
      method: planned === null ? 'DELETE' : 'POST',
      ...(planned !== null && { body: JSON.stringify(planned) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async paymentIs(status: string): Promise<void> {
    await until(
      async () => (await this.state()).payments.at(-1)?.status === status,
      `the payment to be ${status}`,
    );
  }

  async close(): Promise<void> {
    await this.daemon.end('SIGKILL');
    await this.service.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
