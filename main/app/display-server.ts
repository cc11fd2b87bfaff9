import type { Cancel, Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { type CustomerDisplays, type CustomerDisplaysOptions, startCustomerDisplays } from '../server/customer-displays.ts';
import type { CustomerDisplaySettings } from '../settings/schema.ts';
import { explainTaken } from './screens-port.ts';
import { messageOf } from '../domain/errors.ts';

export interface DisplayServerOptions extends Omit<CustomerDisplaysOptions, 'host' | 'port'> {
  /** null: only this machine has screens. */
  readonly settings: () => CustomerDisplaySettings | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** The address may come later than the daemon: the network is often up only after it has started. */
const retryMs = 5_000;

/** Serves customers' screens to other devices as the settings in use say. A failure is logged and stops no payment. */
export class DisplayServer {
  readonly #options: DisplayServerOptions;
  #open: { readonly settings: CustomerDisplaySettings; readonly displays: CustomerDisplays | null } | null = null;
  #cancelRetry: Cancel = () => {};
  /** Why they could not be served, as it was logged last. */
  #told: string | null = null;
  /** One change after the other. */
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: DisplayServerOptions) {
    this.#options = options;
  }

  /** Applies the settings in use. */
  follow(): Promise<void> {
    this.#work = this.#work.then(() => this.#adopt(this.#closed ? null : this.#options.settings()));
    return this.#work;
  }

  /** The port in use, after pending changes; null: none is served. */
  async port(): Promise<number | null> {
    await this.#work;
    return this.#open?.displays?.port ?? null;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.follow();
  }

  async #adopt(settings: CustomerDisplaySettings | null): Promise<void> {
    const isAsOpen = this.#open?.settings.host === settings?.host && this.#open?.settings.port === settings?.port;
    if (isAsOpen && this.#open?.displays !== null) return;
    this.#cancelRetry();
    await this.#open?.displays?.close();
    if (!isAsOpen) this.#told = null;
    this.#open = settings === null ? null : { settings, displays: await this.#start(settings) };
    if (this.#open?.displays === null) this.#cancelRetry = this.#options.clock.after(retryMs, () => void this.follow());
  }

  async #start(settings: CustomerDisplaySettings): Promise<CustomerDisplays | null> {
    const { log } = this.#options;
    try {
      const displays = await startCustomerDisplays({ ...this.#options, ...settings }).catch((error: unknown) => explainTaken(error));
      log.info({ host: settings.host, port: displays.port }, 'customers’ screens are served to other devices');
      return displays;
    } catch (error) {
      const detail = messageOf(error);
      if (detail !== this.#told) log.error({ ...settings, detail }, 'customers’ screens cannot be served to other devices: it is tried again');
      this.#told = detail;
      return null;
    }
  }
}
