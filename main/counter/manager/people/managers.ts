import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backoffMs } from '../../../core/domain/backoff.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Ids } from '../../../core/domain/ids.ts';
import type { Log } from '../../../core/domain/log.ts';
import { TrustedScreens } from './trusted-screens.ts';
import { type ManagerRecord, managerFiles, readManagers, writeManagers } from './managers-file.ts';
import {
  hasCost,
  hashPin,
  type HashedPin,
  isPin,
  measurePinCost,
  type PinCost,
  PinQueue,
} from './pin.ts';
import { noTries, type PinTries } from './pin-tries.ts';
import { asError, messageOf } from '../../../core/domain/errors.ts';

export interface Manager {
  readonly managerId: string;
  readonly name: string;
}

export type PinTry =
  | { readonly kind: 'right'; readonly manager: Manager }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** `now`: locked by this attempt. */
  | { readonly kind: 'locked'; readonly leftMs: number; readonly now: boolean }
  | { readonly kind: 'unknown' };

const maxWrongTries = 5;
const firstLockMs = 60_000;
/**
 * Bounded, so that a prank does not lock a manager out for weeks; at five tries a day four digits
 * take years.
 */
const maxLockMs = 24 * 60 * 60_000;

interface ManagersOptions {
  /** The known screens and a request to unlock are beside this file. */
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Replaces the measured cost in tests. */
  readonly cost?: PinCost | undefined;
}

/**
 * The managers of this counter and their PINs, in one file. Every method throws when that file is
 * damaged, so that nobody can sign in.
 */
export class Managers {
  readonly #options: ManagersOptions;
  readonly #queue = new PinQueue();
  #cost: PinCost | undefined;
  #managers: readonly ManagerRecord[] = [];
  #damage: Error | null = null;
  readonly #screens: TrustedScreens;
  /** Ends of the locks, by the monotonic clock, and by manager and screen (`lockKey`). */
  readonly #lockedUntilMs = new Map<string, number>();

  constructor(options: ManagersOptions) {
    this.#options = options;
    try {
      const { cost, managers } = readManagers(options.path);
      this.#cost = cost;
      this.#managers = managers;
    } catch (error) {
      this.#damage = asError(error);
      options.log.error({ detail: this.#damage.message }, 'no manager can sign in');
    }
    this.#screens = new TrustedScreens(
      join(dirname(options.path), managerFiles.knownScreens),
      options.log,
    );
    for (const { managerId, lock } of this.#managers)
      this.#takeUpLock(lockKey(managerId, null), lock);
    for (const { hash, tries } of this.#screens.list)
      for (const [managerId, { lock }] of Object.entries(tries))
        this.#takeUpLock(lockKey(managerId, hash), lock);
  }

  #takeUpLock(key: string, lock: PinTries['lock']): void {
    if (lock === null) return;
    const { clock } = this.#options;
    const passedMs = Math.min(lock.lastsMs, Math.max(0, clock.wallMs() - lock.sinceMs));
    this.#lockedUntilMs.set(key, clock.monotonicMs() + lock.lastsMs - passedMs);
  }

  list(): Manager[] {
    return this.#all().map(({ managerId, name }) => ({ managerId, name }));
  }

  /**
   * Counts each attempt on disk before the PIN is checked, so that neither a power cut nor parallel
   * attempts give a free one.
   * @param screenToken from then on the wrong PINs of this screen count for it alone; null when the
   * screen has none
   */
  async tryPin(managerId: string, pin: string, screenToken: string | null = null): Promise<PinTry> {
    const manager = this.#all().find((one) => one.managerId === managerId);
    if (manager === undefined) return { kind: 'unknown' };
    this.#followUnlockRequest();
    const screen = screenToken === null ? null : this.#screens.find(screenToken);
    const lockedMs = this.#lockLeftMs(managerId, screen);
    if (lockedMs > 0) return { kind: 'locked', leftMs: lockedMs, now: false };
    this.#queue.mustHaveRoom();
    const before = this.#triesOf(managerId, screen);
    const tries = before.wrongTries + 1;
    this.#count(
      managerId,
      screen,
      tries < maxWrongTries ? { ...before, wrongTries: tries, lock: null } : this.#lock(before),
    );
    const right = await this.#queue.run(() => isPin(pin, manager.pin));
    if (!this.#hasPin(managerId, manager.pin)) return { kind: 'unknown' };
    if (right) {
      this.#count(managerId, screen, noTries);
      this.remember(screenToken);
      await this.#keepAnew(managerId, pin, manager.pin);
      return { kind: 'right', manager: { managerId, name: manager.name } };
    }
    return tries < maxWrongTries
      ? { kind: 'wrong', triesLeft: maxWrongTries - tries }
      : { kind: 'locked', leftMs: this.#lockLeftMs(managerId, screen), now: true };
  }

  /** A manager has signed in at this screen. */
  remember(screenToken: string | null): void {
    if (screenToken !== null) this.#screens.remember(screenToken);
  }

  /**
   * Ends all locks when the command `managers unlock` has asked for that: only the daemon's user
   * can write into its folder.
   */
  #followUnlockRequest(): void {
    const { path, log } = this.#options;
    const unlockRequest = join(dirname(path), managerFiles.unlockRequest);
    if (!existsSync(unlockRequest)) return;
    try {
      rmSync(unlockRequest);
    } catch (error) {
      // Otherwise it would end every later lock too.
      log.error(
        { path: unlockRequest, detail: messageOf(error) },
        'the request to unlock the managers could not be removed: it is ignored',
      );
      return;
    }
    log.warn({}, 'the managers were unlocked by the command managers unlock');
    for (const { managerId } of this.#all()) this.#count(managerId, null, noTries);
    this.#screens.forgive(null);
    this.#lockedUntilMs.clear();
  }

  /** @param asFirst the caller is not a manager, which is only allowed for the first one */
  async add(
    name: string,
    pin: string,
    asFirst: boolean,
  ): Promise<Manager | 'nameTaken' | 'notFirst'> {
    const hashed = await this.#hashed(pin);
    // No await between here and the write, so that nobody else is added.
    const all = this.#all();
    if (asFirst && all.length > 0) return 'notFirst';
    if (all.some((one) => one.name.toLocaleLowerCase() === name.toLocaleLowerCase()))
      return 'nameTaken';
    const managerId = this.#options.ids.uuid();
    this.#write([...all, { managerId, name, pin: hashed, ...noTries }]);
    return { managerId, name };
  }

  /**
   * Also ends a lock, because another manager vouches for this one. @returns false when there is no
   * such manager
   */
  async changePin(managerId: string, pin: string): Promise<boolean> {
    const hashed = await this.#hashed(pin);
    if (!this.#all().some((one) => one.managerId === managerId)) return false;
    this.#write(this.#changed(managerId, { pin: hashed, ...noTries }));
    this.#forgive(managerId);
    return true;
  }

  remove(managerId: string): 'removed' | 'last' | 'unknown' {
    const all = this.#all();
    const rest = all.filter((one) => one.managerId !== managerId);
    if (rest.length === all.length) return 'unknown';
    if (rest.length === 0) return 'last';
    this.#write(rest);
    this.#forgive(managerId);
    return 'removed';
  }

  #forgive(managerId: string): void {
    this.#screens.forgive(managerId);
    for (const key of this.#lockedUntilMs.keys())
      if (key.startsWith(managerId)) this.#lockedUntilMs.delete(key);
  }

  #all(): readonly ManagerRecord[] {
    if (this.#damage !== null) throw this.#damage;
    return this.#managers;
  }

  /** The manager may have been removed meanwhile, or the PIN changed. */
  #hasPin(managerId: string, pin: HashedPin): boolean {
    return this.#all().find((one) => one.managerId === managerId)?.pin === pin;
  }

  #hashed(pin: string): Promise<HashedPin> {
    return this.#queue.run(async () => {
      this.#cost ??= this.#options.cost ?? (await measurePinCost(this.#options.clock));
      return hashPin(pin, this.#cost);
    });
  }

  /** Rehashes the PIN at the current cost. A failure does not prevent the sign-in. */
  async #keepAnew(managerId: string, pin: string, hashedPin: HashedPin): Promise<void> {
    if (this.#cost !== undefined && hasCost(hashedPin, this.#cost)) return;
    try {
      const hashed = await this.#hashed(pin);
      if (this.#hasPin(managerId, hashedPin))
        this.#write(this.#changed(managerId, { pin: hashed }));
    } catch (error) {
      this.#options.log.warn(
        { managerId, detail: messageOf(error) },
        'a PIN could not be stored with its new cost: the old hash stays',
      );
    }
  }

  #triesOf(managerId: string, screen: string | null): PinTries {
    if (screen !== null) return this.#screens.triesOf(screen, managerId);
    const { wrongTries, locks, lock } =
      this.#all().find((one) => one.managerId === managerId) ?? noTries;
    return { wrongTries, locks, lock };
  }

  #lock({ locks }: PinTries): PinTries {
    const lastsMs = backoffMs(locks, { firstMs: firstLockMs, maxMs: maxLockMs });
    return {
      wrongTries: 0,
      locks: locks + 1,
      lock: { sinceMs: this.#options.clock.wallMs(), lastsMs },
    };
  }

  #lockLeftMs(managerId: string, screen: string | null): number {
    return Math.max(
      0,
      (this.#lockedUntilMs.get(lockKey(managerId, screen)) ?? 0) -
        this.#options.clock.monotonicMs(),
    );
  }

  /**
   * Stores attempts and locks. On a full disk they are only counted in memory, because a manager
   * must be able to sign in and see the problem.
   */
  #count(managerId: string, screen: string | null, tries: PinTries): void {
    if (screen === null) this.#countOfStrangers(managerId, tries);
    else this.#screens.count(screen, managerId, tries);
    const key = lockKey(managerId, screen);
    if (tries.lock === null) this.#lockedUntilMs.delete(key);
    else this.#lockedUntilMs.set(key, this.#options.clock.monotonicMs() + tries.lock.lastsMs);
  }

  #countOfStrangers(managerId: string, tries: PinTries): void {
    try {
      this.#write(this.#changed(managerId, tries));
    } catch (error) {
      this.#options.log.error(
        { detail: messageOf(error) },
        'the wrong tries of a PIN could not be stored: a restart forgets them',
      );
      this.#managers = this.#changed(managerId, tries);
    }
  }

  #changed(managerId: string, change: Partial<ManagerRecord>): readonly ManagerRecord[] {
    return this.#all().map((one) => (one.managerId === managerId ? { ...one, ...change } : one));
  }

  #write(managers: readonly ManagerRecord[]): void {
    writeManagers(this.#options.path, { cost: this.#cost, managers });
    this.#managers = managers;
  }
}

/** @param screen null for all screens that are not known */
const lockKey = (managerId: string, screen: string | null): string =>
  `${managerId} ${screen ?? ''}`;
