import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { chromiumPath } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Product, type SimulatorReady, until } from '../support/processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const useStandIn = join(root, 'test/desktop/use-standin.ts');

/** The built desktop bundle, unmodified, over the stand-in. */
export class Desktop {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | null>;
  readonly #debugPort: number;
  #browser: Browser | null = null;
  readonly #pending = new Map<
    number,
    { resolve(value: unknown): void; reject(error: Error): void }
  >();
  #lastId = 0;

  /**
   * @param env settings of the stand-in, e.g. STANDIN_PACKAGED @param entry its supervisor, or an
   * AppImage that a test has made, to have it started again
   */
  static async start(
    args: readonly string[],
    userData: string,
    env: Readonly<Record<string, string>> = {},
    entry = 'out/main/desktop.js',
  ): Promise<Desktop> {
    return new Desktop(entry, args, userData, await freePort(), env);
  }

  private constructor(
    entry: string,
    args: readonly string[],
    userData: string,
    debugPort: number,
    more: Readonly<Record<string, string>>,
  ) {
    this.#debugPort = debugPort;
    const env = {
      ...process.env,
      ...more,
      STANDIN_CHROMIUM: chromiumPath(),
      STANDIN_DEBUG_PORT: String(debugPort),
      STANDIN_USER_DATA: userData,
      XDG_CONFIG_HOME: join(userData, 'config'),
    };
    const isProgram = entry.endsWith('.AppImage');
    this.child = spawn(
      isProgram ? entry : process.execPath,
      [...(isProgram ? [] : ['--import', useStandIn, entry]), ...args],
      {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.child.on(
      'message',
      ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
        const pending = this.#pending.get(id);
        this.#pending.delete(id);
        if (error === undefined) pending?.resolve(value);
        else pending?.reject(new Error(error));
      },
    );
    this.exited = new Promise((resolve) => this.child.once('close', resolve));
  }

  async isReady(): Promise<void> {
    await until(
      () => this.stderr.includes('"ready"') || this.child.exitCode !== null,
      'the desktop to start',
    );
    if (this.child.exitCode !== null)
      throw new Error(`it ended before it was ready:\n${this.stderr}`);
  }

  /** @param before another page of that window than this one */
  async window(name: string, before: Page | null = null): Promise<Page> {
    await this.isReady();
    this.#browser ??= await chromium.connectOverCDP(`http://127.0.0.1:${this.#debugPort}`);
    const browser = this.#browser;
    const find = (): Page | undefined =>
      browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((page) => page !== before && page.url().includes(`/${name}/index.html`));
    await until(() => find() !== undefined, `the window ${name}`);
    return find() as Page;
  }

  /** Calls a control of the stand-in: what the system, a person or an attacker does to the app. */
  control<Value = unknown>(name: string, input: unknown = null): Promise<Value> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Value>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve, reject });
      this.child.send({ id, name, input });
    });
  }

  async says(words: string): Promise<void> {
    await until(() => this.stderr.includes(words), `the desktop to say ${words}`);
  }

  /**
   * Ends the app as a shutdown of the computer does. @throws with the app's output when it did not
   * end in good order
   */
  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    const code = await this.exited;
    if (code !== 0) throw new Error(`it ended with ${code}:\n${this.stderr}`);
  }
}

type Lane = Readonly<Record<'pointOfSale' | 'till', object>>;
interface CounterSettings {
  readonly wallet: object;
  readonly lanes: readonly [Lane];
}

/** A counter with one lane at a simulated service. */
export async function settingsFor(
  service: Product,
  merchantPosId: string,
): Promise<{ settings: CounterSettings; clientSecret: string }> {
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
    await service.ready<SimulatorReady>();
  const pointOfSale = {
    merchantPosId,
    storeId: storeIds[0],
    name: 'Check-out 1',
    beaconTypes: ['QR'],
    beaconId: null,
  };
  const lane = {
    id: '1',
    name: 'Check-out 1',
    currency: 'DKK',
    pointOfSale,
    till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
  };
  return {
    settings: { wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat }, lanes: [lane] },
    clientSecret,
  };
}
