/**
 * Tells systemd how the daemon is, as sd_notify(3) describes: ready, in words, alive, stopping.
 *
 * Node has no datagram sockets of the file system. The packages that add them are compiled where
 * they are installed (sd-notify, unix-dgram), or call libc from the process that moves money
 * (koffi). `systemd-notify` is wherever systemd is, and costs a process of some 10 ms in half a
 * watchdog period.
 */
import { execFile } from 'node:child_process';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';

/** How the daemon is, and what tells that it may have changed. */
export interface Watched {
  readiness(): { readonly isReady: boolean; readonly words: string };
  /** @returns ends it */
  subscribe(listener: () => void): () => void;
}

export interface SystemdOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when systemd has taken the message. */
  readonly send?: (variables: readonly string[]) => Promise<void>;
}

/** Pause before a failed message is sent again, without a watchdog. */
const defaultBeatMs = 10_000;
const sendTimeoutMs = 10_000;

/** null when no service manager has started this process. */
export function openSystemd(options: SystemdOptions): Systemd | null {
  return options.environment['NOTIFY_SOCKET'] ? new Systemd(options) : null;
}

export class Systemd {
  readonly #options: SystemdOptions;
  readonly #send: (variables: readonly string[]) => Promise<void>;
  readonly #watchdogMs: number | null;
  /** Not yet taken by systemd; the newest of each. */
  #waiting: Readonly<Record<string, string>> = {};
  #isSending = false;
  #status: string | null = null;
  #wasReady = false;
  #hasFailed = false;
  #cancelBeat: Cancel = () => {};
  #unsubscribe: () => void = () => {};

  constructor(options: SystemdOptions) {
    this.#options = options;
    this.#send = options.send ?? ((variables) => systemdNotify(variables, options.environment));
    this.#watchdogMs = watchdogMsOf(options);
  }

  /** Until {@link stopping}. */
  watch(watched: Watched): void {
    this.#unsubscribe = watched.subscribe(() => this.#look(watched));
    this.#beat(watched);
  }

  /** That the daemon ends, and means to. */
  stopping(): void {
    this.#unsubscribe();
    this.#cancelBeat();
    // Not behind what is being sent: the process may end before that is done.
    this.#send(['STOPPING=1', 'STATUS=stopping']).catch(() => {});
  }

  /**
   * That another version takes over: a stop would have systemd end the launcher too. Resolves when
   * systemd has heard, or cannot.
   */
  async leaving(): Promise<void> {
    this.#unsubscribe();
    this.#cancelBeat();
    await this.#send(['RELOADING=1', 'WATCHDOG=1', 'STATUS=another version is started']).catch(
      () => {},
    );
  }

  /** The timer runs only while the event loop does, so that a daemon that hangs is noticed. */
  #beat(watched: Watched): void {
    this.#look(watched);
    if (this.#watchdogMs !== null) this.#tell({ WATCHDOG: '1' });
    // What could not be sent.
    else this.#tell({});
    const inMs = this.#watchdogMs === null ? defaultBeatMs : this.#watchdogMs / 2;
    this.#cancelBeat = this.#options.clock.after(inMs, () => this.#beat(watched));
  }

  #look(watched: Watched): void {
    const { isReady, words } = watched.readiness();
    const news = {
      // Said once: it cannot be taken back. Later on the status says whether payments are taken.
      ...(isReady && !this.#wasReady && { READY: '1' }),
      ...(words !== this.#status && { STATUS: words }),
    };
    this.#status = words;
    this.#wasReady ||= isReady;
    if (Object.keys(news).length > 0) this.#tell(news);
  }

  #tell(news: Readonly<Record<string, string>>): void {
    this.#waiting = { ...this.#waiting, ...news };
    if (!this.#isSending) void this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    while (Object.keys(this.#waiting).length > 0) {
      const sent = this.#waiting;
      this.#waiting = {};
      try {
        await this.#send(Object.entries(sent).map(([name, value]) => `${name}=${value}`));
        this.#hasFailed = false;
      } catch (error) {
        this.#waiting = { ...sent, ...this.#waiting };
        if (!this.#hasFailed)
          this.#options.log.warn(
            { detail: messageOf(error) },
            'status could not be sent to systemd: trying again',
          );
        this.#hasFailed = true;
        break;
      }
    }
    this.#isSending = false;
  }
}

/** null when systemd does not ask for it, or asks another process. */
function watchdogMsOf({ environment, pid }: SystemdOptions): number | null {
  const ms = Number(environment['WATCHDOG_USEC']) / 1_000;
  const isForThisProcess = (environment['WATCHDOG_PID'] ?? String(pid)) === String(pid);
  return ms > 0 && isForThisProcess ? ms : null;
}

/**
 * It waits until systemd has read the message, which could not tell whose it was if the sender were
 * gone.
 */
function systemdNotify(
  variables: readonly string[],
  { NOTIFY_SOCKET, PATH }: SystemdOptions['environment'],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(
    'systemd-notify',
    [...variables],
    { env: { NOTIFY_SOCKET, PATH }, timeout: sendTimeoutMs },
    (error) => (error === null ? resolve() : reject(error)),
  );
  return promise;
}
