import { isDeepStrictEqual } from 'node:util';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';

export interface FollowedServerOptions<Settings, Running> {
  /** null when no server is wanted. */
  readonly settings: () => Settings | null;
  readonly start: (settings: Settings) => Promise<Running>;
  readonly served: string;
  readonly failed: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** A server whose thread has died comes back after this time. */
const revivedMs = 500;
/**
 * The address may come later than the daemon: the network is often up only after it has started.
 */
const retryMs = 5_000;

/**
 * A server for other devices or programs, as the settings in use say. A failure is logged and stops
 * no payment.
 */
export class FollowedServer<
  Settings extends { readonly host: string; readonly port: number },
  Running extends { readonly port: number; readonly died: Promise<Error>; close(): Promise<void> },
> {
  readonly #options: FollowedServerOptions<Settings, Running>;
  #open: { readonly settings: Settings; readonly running: Running | null } | null = null;
  #cancelRetry: Cancel = () => {};
  /** Why it could not be served, as it was logged last. */
  #reportedProblem: string | null = null;
  /** One change after the other. */
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: FollowedServerOptions<Settings, Running>) {
    this.#options = options;
  }

  /** Applies the settings in use. */
  follow(): Promise<void> {
    this.#work = this.#work.then(() => this.#adopt(this.#closed ? null : this.#options.settings()));
    return this.#work;
  }

  /** The port in use, after pending changes; null without a server. */
  async port(): Promise<number | null> {
    await this.#work;
    return this.#open?.running?.port ?? null;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.follow();
  }

  async #adopt(settings: Settings | null): Promise<void> {
    const isAsOpen = isDeepStrictEqual(this.#open?.settings ?? null, settings);
    if (isAsOpen && this.#open?.running !== null) return;
    this.#cancelRetry();
    await this.#open?.running?.close();
    if (!isAsOpen) this.#reportedProblem = null;
    this.#open = settings === null ? null : { settings, running: await this.#start(settings) };
    if (this.#open?.running === null)
      this.#cancelRetry = this.#options.clock.after(retryMs, () => void this.follow());
  }

  /** Its thread has died. Payments of other tills were not affected, and it is started again. */
  #lost(running: Running, error: Error): void {
    this.#work = this.#work.then(() => {
      if (this.#open?.running !== running) return;
      this.#options.log.error(
        { detail: messageOf(error) },
        'the thread of a server ended: starting it again',
      );
      this.#open = { ...this.#open, running: null };
      void running.close();
      this.#cancelRetry = this.#options.clock.after(revivedMs, () => void this.follow());
    });
  }

  async #start(settings: Settings): Promise<Running | null> {
    const { start, served, failed, log } = this.#options;
    try {
      const running = await start(settings);
      log.info({ host: settings.host, port: running.port }, served);
      void running.died.then((error) => this.#lost(running, error));
      return running;
    } catch (error) {
      const detail = messageOf(error);
      if (detail !== this.#reportedProblem)
        log.error({ host: settings.host, port: settings.port, detail }, failed);
      this.#reportedProblem = detail;
      return null;
    }
  }
}
