import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product, type SimulatorReady } from './processes.ts';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const token = 'the-token-of-this-counter-0123456789';

/**
 * The built callback receiver of a counter with one sticker, registered by the command, with the
 * settings of a counter of the sales unit.
 */
export class StickerReceiver {
  readonly merchantQrId = 'shop-1-lane-1';
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-receiver-'));
  #port = 0;
  #receiver: Product | null = null;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The secret that the service told at the registration. */
  get secret(): string {
    return readFileSync(join(this.#folder, 'epayment-secret'), 'utf8').trim();
  }

  /** The settings of the counter and of its lane for this receiver. */
  get forCounter() {
    return {
      settings: { receiver: { url: this.url, token } },
      lane: { sticker: { id: this.merchantQrId } },
    };
  }

  async register({ baseUrl, epayment }: SimulatorReady, more: object = {}): Promise<this> {
    this.#port = await freePort();
    const wallet = {
      ...epayment,
      service: 'epayment',
      environment: 'test',
      country: 'DK',
      baseUrl,
    };
    const pointOfSale = { merchantPosId: 'till-1', name: 'Check-out 1' };
    const lane = {
      id: 'K1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale,
      till: { protocol: 'http' },
    };
    const [counter, settings] = [
      join(this.#folder, 'counter.json'),
      join(this.#folder, 'settings.json'),
    ];
    writeFileSync(counter, JSON.stringify({ wallet, lanes: [lane] }), { mode: 0o600 });
    const epaymentWebhook = {
      url: `${this.url}/callbacks/epayment`,
      secret: { file: 'epayment-secret' },
    };
    const ofReceiver = {
      epayment: [epaymentWebhook],
      followers: [{ token, stickers: [this.merchantQrId] }],
      ...more,
    };
    writeFileSync(settings, JSON.stringify(ofReceiver), { mode: 0o600 });
    const command = new Product('callbacks', [
      'register',
      '--settings',
      settings,
      '--counter',
      counter,
    ]);
    const { code } = await command.exited;
    if (code !== 0) throw new Error(`the receiver was not registered: ${command.stderr}`);
    return this;
  }

  async start(): Promise<void> {
    const args = [
      '--settings',
      join(this.#folder, 'settings.json'),
      '--data',
      this.#folder,
      '--port',
      String(this.#port),
    ];
    this.#receiver = new Product('callbacks', args);
    await this.#receiver.ready();
  }

  async kill(): Promise<void> {
    await this.#receiver?.end('SIGKILL');
  }

  async close(): Promise<void> {
    await this.#receiver?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
