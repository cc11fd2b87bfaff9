import type { RestoredFolder } from '../backup/restored-folder.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Lane } from '../../core/lane/lane.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { type ReadySettings } from '../settings/load.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import type { Settings } from '../settings/schema.ts';
import { addressOf, serviceOf, type WalletSettings } from '../settings/wallet.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import type { SecretSources } from '../../support/settings/secrets.ts';
import { type SettingsRead, SettingsFile } from '../settings/settings-file.ts';
import type { Recreations, Replaced } from '../setup/recreation.ts';
import type { FileState } from '../setup/setup-host.ts';
import type { Counter } from './counter.ts';
import type { OpenMoney } from './open-money.ts';
import { asError, messageOf } from '../../core/domain/errors.ts';

/** A settings file, the fixed settings of a demonstration, or null without settings. */
export type SettingsSource = SettingsFile | ReadySettings | null;

interface CounterSupervisorOptions {
  readonly source: SettingsSource;
  readonly open: (settings: ReadySettings) => Promise<Counter>;
  readonly openMoney: () => readonly OpenMoney[];
  readonly recreations: Recreations;
  /** No lane is opened while a restored folder waits to be confirmed. */
  readonly restored: Pick<RestoredFolder, 'waiting'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pause until a change that had to wait is tried again. */
const retryMs = 1_000;

/** Owns the counter in use and its settings. Neither changes during a payment. */
export class CounterSupervisor {
  readonly #options: CounterSupervisorOptions;
  #counter: Counter | null = null;
  #settings: Settings | null = null;
  #file: Pick<FileState, 'state' | 'mistakes' | 'atMs'> = {
    state: 'none',
    mistakes: [],
    atMs: null,
  };
  #cancelRetry: Cancel = () => {};
  /** Changes run one after the other. */
  #work: Promise<unknown> = Promise.resolve();
  #closed = false;
  #replaced: () => void = () => {};

  constructor(options: CounterSupervisorOptions) {
    this.#options = options;
  }

  /**
   * The running counter; null while it is not set up. While settings are replaced, it is the one
   * before.
   */
  get counter(): Counter | null {
    return this.#counter;
  }

  /** @param listener is called whenever the lanes were replaced */
  onReplaced(listener: () => void): void {
    this.#replaced = listener;
  }

  /** The settings as in the file, with secrets not looked up. */
  get settings(): Settings | null {
    return this.#settings;
  }

  get secrets(): SecretSources {
    return this.#options.source instanceof SettingsFile
      ? this.#options.source.secrets
      : { environment: {}, safe: null, folder: '' };
  }

  get fileState(): FileState {
    const { source } = this.#options;
    return { ...this.#file, path: source instanceof SettingsFile ? source.path : '' };
  }

  /** Opens what the settings say. @throws Error in plain words when that can never work */
  async start(): Promise<void> {
    const { source, restored } = this.#options;
    if (source === null || restored.waiting !== null) return;
    if (!(source instanceof SettingsFile)) {
      this.#settings = { ...source, wallet: { simulator: true } };
      this.#counter = await this.#options.open(source);
      return;
    }
    const settingsRead = source.read();
    if (settingsRead.kind === 'wrong') this.#refused(settingsRead.mistakes);
    if (settingsRead.kind === 'right') {
      this.#counter = await this.#options.open(settingsRead.ready);
      this.#inUse(source, settingsRead);
    }
    this.#logOrphanedMoney();
    source.watch((changed) => void this.#onFile(source, changed));
  }

  /** Opens what was restored. An error is reported as one of the settings. */
  startRestored(): Promise<void> {
    return this.#next(async () => {
      if (this.#counter !== null) return;
      try {
        await this.start();
      } catch (error) {
        this.#refused([messageOf(error)]);
      }
      this.#replaced();
    });
  }

  /**
   * Puts other settings in use, and into the file.
   * @param to from those in use when the changes before this one are done
   * @param replaced a point of sale that is to be created anew
   * @throws Refusal busy, unsettledMoney, notWritable, settingsRefused, cannotOpen: what was in use
   * still is
   */
  change(
    to: (inUse: Settings | null) => Settings,
    replaced: Replaced | null = null,
  ): Promise<void> {
    const { source: file, recreations, restored } = this.#options;
    if (restored.waiting !== null)
      return Promise.reject(
        new Refusal(
          'notHere',
          'this counter was restored: confirm first, on the manager’s screen, that the old computer takes no payments',
        ),
      );
    if (!(file instanceof SettingsFile))
      return Promise.reject(
        new Refusal('notHere', 'the settings of a demonstration cannot be changed'),
      );
    return this.#next(async () => {
      const settings = to(this.#settings);
      this.#mayReplace(settings, replaced);
      const written = write(file, settings);
      try {
        if (replaced !== null) recreations.intend(replaced);
        if (replaced !== null || !(await this.#adjust(written.ready)))
          await this.#replace(written.ready);
      } catch (error) {
        file.takeBack();
        if (replaced !== null) recreations.forget(replaced.merchantPosId);
        throw error;
      }
      this.#inUse(file, written);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    if (this.#options.source instanceof SettingsFile) this.#options.source.close();
    await this.#work.catch(() => {});
    await this.#counter?.close();
  }

  async #onFile(file: SettingsFile, settingsRead: SettingsRead): Promise<void> {
    const { log } = this.#options;
    this.#cancelRetry();
    if (settingsRead.kind === 'none') {
      log.warn(
        { path: file.path },
        'the settings file is missing: its settings stay in use until the next start',
      );
      return;
    }
    if (settingsRead.kind === 'wrong') return this.#refused(settingsRead.mistakes);
    try {
      await this.#next(async () => {
        this.#mayReplace(settingsRead.settings, null);
        if (!(await this.#adjust(settingsRead.ready))) await this.#replace(settingsRead.ready);
        this.#inUse(file, settingsRead);
        log.info(
          { path: file.path, lanes: settingsRead.settings.lanes.map(({ id }) => id) },
          'the settings file was changed and is in use',
        );
      });
    } catch (error) {
      this.#waitOrRefuse(file, settingsRead, asError(error));
    }
  }

  #waitOrRefuse(file: SettingsFile, settingsRead: SettingsRead, error: Error): void {
    if (this.#closed) return;
    const waits =
      error instanceof Refusal && (error.code === 'busy' || error.code === 'unsettledMoney');
    if (!waits) return this.#refused([error.message]);
    if (this.#file.state !== 'waiting')
      this.#options.log.warn(
        { path: file.path, detail: error.message },
        'the settings file was changed: it is used as soon as no payment prevents it',
      );
    this.#file = {
      state: 'waiting',
      mistakes: [error.message],
      atMs: this.#options.clock.wallMs(),
    };
    this.#cancelRetry = this.#options.clock.after(
      retryMs,
      () => void this.#onFile(file, settingsRead),
    );
  }

  #refused(mistakes: readonly string[]): void {
    const { log, clock } = this.#options;
    for (const mistake of mistakes)
      log.error({ mistake }, 'the settings file is invalid: the previous settings stay in use');
    this.#file = { state: 'refused', mistakes: [...mistakes], atMs: clock.wallMs() };
  }

  #inUse(file: SettingsFile, settingsRead: Extract<SettingsRead, { kind: 'right' }>): void {
    file.use(settingsRead);
    this.#settings = settingsRead.settings;
    this.#file = { state: 'inUse', mistakes: [], atMs: this.#options.clock.wallMs() };
  }

  /** Logs open payments of lanes that are not in the settings any more: no lane settles them. */
  #logOrphanedMoney(): void {
    const { log, openMoney } = this.#options;
    try {
      for (const { laneId, service, count } of openMoney()) {
        const isTakenUp = this.#settings?.lanes.some(({ id }) => id === laneId) === true;
        if (!isTakenUp)
          log.error(
            { lane: laneId, service, count },
            'payments are unsettled, and no lane of the settings can settle them',
          );
      }
    } catch (error) {
      log.error(
        { detail: messageOf(error) },
        'the journal could not be searched for unsettled payments',
      );
    }
  }

  /**
   * Refuses a replacement during a payment, and the removal or move of a lane that has something to
   * settle.
   */
  #mayReplace(next: Settings, replaced: Replaced | null): void {
    for (const lane of this.#counter?.lanes ?? []) {
      if (isBusy(lane))
        throw new Refusal('busy', `lane ${lane.id}: a payment is under way`, {
          facts: { laneId: lane.id },
        });
    }
    for (const { laneId, service, count } of this.#options.openMoney()) {
      const now = this.#settings?.lanes.find(({ id }) => id === laneId);
      const then = next.lanes.find(({ id }) => id === laneId);
      const isUnchanged = then !== undefined && staysAt(service, this.#settings, next);
      const isSamePos =
        !providerOf({ service }).capabilities.listsOpenPayments ||
        now === undefined ||
        (now.pointOfSale.merchantPosId === then?.pointOfSale.merchantPosId &&
          replaced?.merchantPosId !== now.pointOfSale.merchantPosId);
      if (isUnchanged && isSamePos) continue;
      throw new Refusal(
        'unsettledMoney',
        `lane ${laneId} has ${count} payments that are not settled`,
        { facts: { laneId, count } },
      );
    }
  }

  /**
   * Changes the lanes that the settings change, and leaves the others open. @returns false when
   * nothing was done
   */
  async #adjust(ready: ReadySettings): Promise<boolean> {
    const counter = this.#counter;
    if (counter === null) return false;
    const before = counter.settings;
    try {
      if (!(await counter.adjust(ready))) return false;
    } catch (error) {
      await counter.close();
      await this.#openAgain(before, error);
    }
    this.#replaced();
    return true;
  }

  async #replace(ready: ReadySettings): Promise<void> {
    const before = this.#counter;
    await before?.close();
    try {
      this.#counter = await this.#options.open(ready);
    } catch (error) {
      await this.#openAgain(before?.settings ?? null, error);
    }
    this.#replaced();
  }

  /** @throws Refusal cannotOpen */
  async #openAgain(before: ReadySettings | null, error: unknown): Promise<never> {
    const { open, log } = this.#options;
    log.error(
      { detail: messageOf(error) },
      'the lanes could not be opened with the new settings: using the previous settings again',
    );
    this.#counter =
      before && (await open(before).catch((again: unknown) => this.#withoutCounter(again)));
    this.#replaced();
    throw new Refusal('cannotOpen', messageOf(error));
  }

  #withoutCounter(error: unknown): null {
    this.#options.log.error(
      { detail: messageOf(error) },
      'the lanes could not be opened with the previous settings either: no till can pay until the settings are corrected',
    );
    return null;
  }

  #next<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(() => {
      if (this.#closed) throw new Refusal('failed', 'the daemon is stopping');
      return step();
    });
    this.#work = done.catch(() => {});
    return done;
  }
}

/**
 * Whether a lane is busy. What a start finds undecided is decided once the lane is open, so until
 * then it must not block the settings that let it open.
 */
function isBusy(lane: Pick<Lane, 'snapshot' | 'isOpened' | 'isUndecided'>): boolean {
  const { current, refund } = lane.snapshot();
  return current !== null || refund?.outcome === null || (lane.isOpened && lane.isUndecided);
}

/**
 * Open payments are settled at the service and the account where they were made. @param now null
 * when it is not known
 */
function staysAt(service: ServiceName, now: Settings | null, next: Settings): boolean {
  const [before, after] = [now && walletFor(service, now), walletFor(service, next)];
  return after !== null && (before === null || accountOf(before) === accountOf(after));
}

/** An embedded simulator stands for every service. */
function walletFor(
  service: ServiceName,
  { wallet, formerWallet }: Settings,
): WalletSettings | null {
  return (
    [wallet, formerWallet].find(
      (one) => one !== undefined && ('simulator' in one || serviceOf(one) === service),
    ) ?? null
  );
}

function accountOf(wallet: WalletSettings): string {
  if ('simulator' in wallet) return 'simulator';
  return `${addressOf(wallet)} ${providerOf(wallet).accountOf(wallet)}`;
}

function write(file: SettingsFile, settings: Settings): Extract<SettingsRead, { kind: 'right' }> {
  try {
    return file.write(settings);
  } catch (error) {
    const message = messageOf(error);
    if (error instanceof SettingsError) throw new Refusal('settingsRefused', message);
    throw new Refusal('notWritable', message, { facts: { path: file.path } });
  }
}
