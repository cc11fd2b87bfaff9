import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { UpdateStatus } from '../../core/domain/update-status.ts';
import { isNewerVersion } from '../../core/domain/versions.ts';
import { ExpiredListError } from './fresh-list.ts';
import { readCurrent } from './versions.ts';

/** The update settings. */
export interface UpdatesSettings {
  readonly feed: string;
  readonly publicKey: string;
  readonly channel: string;
  readonly pin?: string | undefined;
  /** Times of the day, such as 08:00; nothing is installed in between. */
  readonly openingHours?: { readonly from: string; readonly until: string } | undefined;
}

/** What a feed says; its signature has been checked before anything of it was read. */
export interface Offer {
  readonly channel: string;
  readonly version: string;
  /** Older versions cannot be updated to it by themselves. */
  readonly minimumVersion: string;
  /** Verified as the feed lists it, when this resolves. @throws Error in plain words */
  bring(signal: AbortSignal): Promise<void>;
}

/** What judges whether a list is the newest. */
export interface Asking {
  readonly signal: AbortSignal;
  /** Where the serial numbers of lists are kept. */
  readonly folder: string;
  readonly nowMs: number;
}

/**
 * How newer versions come to this computer, and take the running one's place: packages of the
 * daemon, or installers of the app.
 */
export interface Delivery {
  /** @param name of a channel, or a version that is pinned @throws Error in plain words */
  offered(name: string, wanted: UpdatesSettings, asking: Asking): Promise<Offer>;
  /**
   * Ends this process and has the version that was brought started in its place, watched. @throws
   * Error in plain words; then this version goes on
   */
  install(version: string): void | Promise<void>;
}

export interface UpdaterOptions {
  /** null when nothing is updated. */
  readonly settings: () => UpdatesSettings | null;
  readonly delivery: Delivery;
  /** Folder of `current.json`, which says what was taken back, and of the lists' serial numbers. */
  readonly folder: string;
  /** The running version. */
  readonly version: string;
  /** Whether every lane takes payments and has nothing under way, undecided or not settled. */
  readonly isQuiet: () => boolean;
  /**
   * Whether it is known what time it is: otherwise nobody can judge whether a feed has expired.
   * Missing: it always is.
   */
  readonly isTimeKnown?: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

const lookEveryMs = 60_000;
const askEveryMs = 6 * 60 * 60_000;
/**
 * A version that was taken back is tried again after this, because the service may have been away.
 */
const triedAgainAfterMs = 24 * 60 * 60_000;
const maxTrials = 3;

/**
 * Looks for a newer version, brings it in the background, and has it started while nothing is under
 * way.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #end = new AbortController();
  #checkedAtMs: number | null = null;
  #status: UpdateStatus = { state: 'upToDate', version: null, detail: null };
  #failures = 0;
  #isWorking = false;
  #cancel: Cancel = () => {};

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /** null when nothing is updated. */
  get status(): UpdateStatus | null {
    if (this.#options.settings() === null) return null;
    const { version, folder } = this.#options;
    const current = readCurrent(folder);
    return current.stuck !== null && current.version === version
      ? { state: 'failed', version, detail: current.stuck }
      : this.#status;
  }

  /** Number of failures since the start: updates that could not be read, downloaded or started. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#lookLater();
  }

  close(): void {
    this.#cancel();
    this.#end.abort(new Error('the daemon is stopping'));
  }

  #lookLater(): void {
    this.#cancel = this.#options.clock.after(lookEveryMs, () => {
      void this.look();
      this.#lookLater();
    });
  }

  /** Never rejects. */
  async look(): Promise<void> {
    const { settings, isQuiet, isTimeKnown = () => true, clock } = this.#options;
    const wanted = settings();
    if (wanted === null || this.#isWorking || !isTimeKnown() || !isQuiet()) return;
    this.#isWorking = true;
    try {
      if (this.#status.state === 'waiting') return await this.#install(wanted);
      const nowMs = clock.monotonicMs();
      if (this.#checkedAtMs !== null && nowMs - this.#checkedAtMs < askEveryMs) return;
      this.#checkedAtMs = nowMs;
      await this.#bring(wanted);
    } catch (error) {
      if (!this.#end.signal.aborted) this.#failed(error);
    } finally {
      this.#isWorking = false;
    }
  }

  #failed(error: unknown): void {
    const detail = messageOf(error);
    this.#failures += 1;
    this.#status = {
      ...this.#status,
      state: error instanceof ExpiredListError ? 'expired' : 'failed',
      detail,
    };
    this.#options.log.warn(
      { detail },
      'update could not be downloaded: this version keeps running',
    );
  }

  async #bring(wanted: UpdatesSettings): Promise<void> {
    const { delivery, version: own, folder, clock, log } = this.#options;
    const { signal } = this.#end;
    const offer = await delivery.offered(wanted.pin ?? wanted.channel, wanted, {
      signal,
      folder,
      nowMs: clock.wallMs(),
    });
    if (!this.#isWanted(offer, wanted)) return;
    const { version } = offer;
    const wasThere = this.#status.state === 'waiting' && this.#status.version === version;
    if (!wasThere) this.#status = { state: 'downloading', version, detail: null };
    await offer.bring(signal);
    this.#status = { state: 'waiting', version, detail: null };
    if (!wasThere)
      log.info(
        { version, running: own },
        'newer version downloaded: it starts when no payment is under way',
      );
  }

  /** @throws Error when it must not be installed */
  #isWanted(offer: Offer, { channel, pin }: UpdatesSettings): boolean {
    const { version: own, folder, clock } = this.#options;
    const { version } = offer;
    if (pin === undefined ? offer.channel !== channel : version !== pin)
      throw new Error(
        `the feed offers ${offer.channel} ${version}; the settings ask for ${pin ?? channel}`,
      );
    if (version === own) {
      this.#status = { state: 'upToDate', version: null, detail: null };
      return false;
    }
    if (!isNewerVersion(version, own))
      throw new Error(
        `the feed offers ${version}, which is older than ${own}: Tillbeacon does not downgrade itself`,
      );
    if (isNewerVersion(offer.minimumVersion, own))
      throw new Error(
        `${version} updates only ${offer.minimumVersion} and newer, and this is ${own}: install it by hand`,
      );
    const failed = readCurrent(folder).failed.find((one) => one.version === version);
    if (
      failed !== undefined &&
      (failed.times >= maxTrials || clock.wallMs() - failed.atMs < triedAgainAfterMs)
    ) {
      this.#status = { state: 'takenBack', version, detail: failed.why };
      return false;
    }
    return true;
  }

  /**
   * Judges anew: since the version was brought, hours in which the feed and the settings may have
   * changed can have passed.
   */
  async #install(wanted: UpdatesSettings): Promise<void> {
    const { clock, delivery, isQuiet, log } = this.#options;
    const isOpen = (): boolean => isWithin(wanted.openingHours, new Date(clock.wallMs()));
    if (isOpen()) return;
    await this.#bring(wanted);
    const { state, version } = this.#status;
    if (state !== 'waiting' || version === null || isOpen() || !isQuiet()) return;
    log.warn({ version }, 'starting a newer version');
    await delivery.install(version);
  }
}

/** Minutes after midnight of a time such as 08:00. */
const minutesIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether a time lies within the opening hours, which may include midnight. */
function isWithin(hours: UpdatesSettings['openingHours'], now: Date): boolean {
  if (hours === undefined) return false;
  const minutes = now.getHours() * 60 + now.getMinutes();
  const [from, until] = [minutesIn(hours.from), minutesIn(hours.until)];
  return from <= until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
}
