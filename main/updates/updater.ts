import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Clock } from '../domain/clock.ts';
import { messageOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { isNewerVersion } from '../domain/versions.ts';
import { fetchPackage, fetchSmall } from './download.ts';
import { type Feed, mostFeedBytes, readFeed } from './feed.ts';
import { type Current, readCurrent, writeCurrent } from './versions.ts';

/** As in the settings. */
export interface UpdatesSettings {
  readonly feed: string;
  readonly publicKey: string;
  readonly channel: string;
  readonly pin?: string | undefined;
  /** Times of the day, such as 08:00; nothing is installed in between. */
  readonly openingHours?: { readonly from: string; readonly until: string } | undefined;
}

/** null in `version`: none is meant. */
export interface UpdateStatus {
  readonly state: 'upToDate' | 'downloading' | 'waiting' | 'failed' | 'takenBack';
  readonly version: string | null;
  /** For support; null: nothing went wrong. */
  readonly detail: string | null;
}

export interface UpdaterOptions {
  /** null: nothing is updated. */
  readonly settings: () => UpdatesSettings | null;
  /** The folder `updates` of the data folder. */
  readonly folder: string;
  /** Of the running version: its files, its number, and the journal's layout that it knows. */
  readonly program: string;
  readonly version: string;
  readonly journalLayout: number;
  /** e.g. `linux-x64`. */
  readonly platform: string;
  /** Every lane takes payments and has nothing under way, undecided or not settled. */
  readonly isQuiet: () => boolean;
  /** Ends this process; the launcher starts the version of `current.json`. */
  readonly restart: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const lookEveryMs = 60_000;
const askEveryMs = 6 * 60 * 60_000;
/** A version that was taken back may have met a service that was away. */
const triedAgainAfterMs = 24 * 60 * 60_000;
const mostTimes = 3;

/** Looks for a newer version, brings it in the background, and has it started while nothing is under way. */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #end = new AbortController();
  #askedMs: number | null = null;
  #status: UpdateStatus = { state: 'upToDate', version: null, detail: null };
  #failures = 0;
  #isWorking = false;
  #cancel: Cancel = () => {};

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /** null: nothing is updated. */
  get status(): UpdateStatus | null {
    return this.#options.settings() === null ? null : this.#status;
  }

  /** Since the start: what could not be read, brought or started. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#tidy();
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
    const { settings, isQuiet, clock } = this.#options;
    const wanted = settings();
    if (wanted === null || this.#isWorking || !isQuiet()) return;
    this.#isWorking = true;
    try {
      if (this.#status.state === 'waiting') return this.#install(wanted);
      const nowMs = clock.monotonicMs();
      if (this.#askedMs !== null && nowMs - this.#askedMs < askEveryMs) return;
      this.#askedMs = nowMs;
      await this.#bring(wanted);
    } catch (error) {
      if (!this.#end.signal.aborted) this.#failed(messageOf(error));
    } finally {
      this.#isWorking = false;
    }
  }

  #failed(detail: string): void {
    this.#failures += 1;
    this.#status = { ...this.#status, state: 'failed', detail };
    this.#options.log.warn({ detail }, 'an update could not be brought; this version goes on');
  }

  async #bring({ feed: address, publicKey, channel, pin }: UpdatesSettings): Promise<void> {
    const { folder, program, version: own, log } = this.#options;
    const { signal } = this.#end;
    const base = address.replace(/\/$/, '');
    const name = `${base}/${pin ?? channel}.json`;
    const bytes = await fetchSmall(name, mostFeedBytes, signal);
    const feed = readFeed(bytes, (await fetchSmall(`${name}.sig`, 200, signal)).toString(), publicKey);
    const files = this.#judge(feed, { channel, pin });
    if (files === null) return;
    const { version } = feed;
    this.#status = { state: 'downloading', version, detail: null };
    mkdirSync(join(folder, 'versions'), { recursive: true, mode: 0o700 });
    await fetchPackage({ feed: base, version, files, updates: folder, program, signal });
    this.#status = { state: 'waiting', version, detail: null };
    log.info({ version, running: own }, 'a newer version is there, and is started when nothing is under way');
  }

  /** @returns null: nothing is to do. @throws Error when it must not be installed */
  #judge(feed: Feed, { channel, pin }: Pick<UpdatesSettings, 'channel' | 'pin'>): Feed['packages'][string] | null {
    const { version: own, platform, folder, clock } = this.#options;
    const { version } = feed;
    if (pin === undefined ? feed.channel !== channel : version !== pin)
      throw new Error(`the feed is of ${feed.channel} ${version}, and ${pin ?? channel} was asked for`);
    if (version === own) {
      this.#status = { state: 'upToDate', version: null, detail: null };
      return null;
    }
    if (!isNewerVersion(version, own)) throw new Error(`the feed offers ${version}, which is older than ${own}: nothing goes back by itself`);
    if (isNewerVersion(feed.minimumVersion, own)) throw new Error(`${version} is for ${feed.minimumVersion} and newer, and this is ${own}: install it by hand`);
    const failed = readCurrent(folder).failed.find((one) => one.version === version);
    if (failed !== undefined && (failed.times >= mostTimes || clock.wallMs() - failed.atMs < triedAgainAfterMs)) {
      this.#status = { state: 'takenBack', version, detail: failed.why };
      return null;
    }
    const files = feed.packages[platform];
    if (files === undefined) throw new Error(`${version} is not offered for ${platform}`);
    return files;
  }

  #install({ openingHours }: UpdatesSettings): void {
    const { folder, clock, journalLayout, restart, log } = this.#options;
    const { version } = this.#status;
    if (version === null || isWithin(openingHours, new Date(clock.wallMs()))) return;
    const before = readCurrent(folder);
    // What was refused meanwhile, or settings that no longer want it.
    const next: Current = { ...before, version, state: 'trying', starts: 0, previous: this.#ownFolder(before), journalLayout };
    writeCurrent(folder, next);
    log.warn({ version }, 'a newer version is started now');
    restart();
  }

  /** null: the running version is the installed one. */
  #ownFolder({ version }: Current): string | null {
    return version === this.#options.version ? version : null;
  }

  /** Versions that nothing leads to any more. */
  #tidy(): void {
    const { folder, version: own, log } = this.#options;
    const { version, previous, failed } = readCurrent(folder);
    const all = join(folder, 'versions');
    const isKept = (name: string): boolean => {
      const of = name.replace('.partial', '');
      return of === version || of === previous || of === own || (isNewerVersion(of, own) && !failed.some((one) => one.version === of));
    };
    if (!existsSync(all)) return;
    try {
      for (const name of readdirSync(all)) if (!isKept(name)) rmSync(join(all, name), { recursive: true, force: true });
    } catch (error) {
      log.warn({ folder: all, detail: messageOf(error) }, 'versions that are not used could not be removed');
    }
  }
}

/** Also over midnight. */
function isWithin(hours: UpdatesSettings['openingHours'], now: Date): boolean {
  if (hours === undefined) return false;
  const minutes = now.getHours() * 60 + now.getMinutes();
  const [from, until] = [hours.from, hours.until].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) as [number, number];
  return from <= until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
}
