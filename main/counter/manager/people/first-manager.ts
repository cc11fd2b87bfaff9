import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import { writeFileAtomically } from '../../../support/atomic-file.ts';
import type { Managers } from './managers.ts';
import { messageOf } from '../../../core/domain/errors.ts';

type CodeTry =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** `now`: locked by this attempt. */
  | { readonly kind: 'locked'; readonly leftMs: number; readonly now: boolean };

interface FirstManagerOptions {
  readonly managers: Pick<Managers, 'list'>;
  /** Whether the counter has settings to protect. */
  readonly isSetUp: () => boolean;
  /** File with the code, because not every daemon's log can be seen. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Without characters that look alike. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 59 bits: at 20,000 tries a second all codes take a million years. */
const length = 12;
const groupLength = 4;
const maxWrongTries = 5;
const lockMs = 60_000;

/**
 * Protects a counter that has settings but no manager: the first manager must type a one-time code
 * that only somebody with access to the daemon's log or data folder can read. It is valid until the
 * daemon stops.
 */
export class FirstManager {
  readonly #options: FirstManagerOptions;
  #code: string | null = null;
  /** Somebody wants what other computers reach, before there are settings. */
  #isWanted = false;
  /** Removes a code that an earlier run left. */
  #isFileGone = false;
  #wrongTries = 0;
  #lockedUntilMs = 0;

  constructor(options: FirstManagerOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** @throws Error when the managers' file is damaged */
  get isMissing(): boolean {
    return this.#options.managers.list().length === 0;
  }

  /** @throws Error when the managers' file is damaged */
  get needsCode(): boolean {
    return this.isMissing && this.#options.isSetUp();
  }

  get isSetUp(): boolean {
    return this.#options.isSetUp();
  }

  /**
   * Whether a code that is typed says anything: that the first manager, or before there are
   * settings a person, types it.
   */
  get takesCode(): boolean {
    return this.needsCode || (this.#isWanted && !this.isSetUp);
  }

  /** Publishes a code also before there are settings. */
  wantCode(): void {
    this.#isWanted = true;
    this.announce();
  }

  /** Publishes the code if it is needed. @returns the code, or null */
  announce(): string | null {
    try {
      if (this.takesCode) return (this.#code ??= this.#tell(newCode()));
    } catch {
      // Nobody can sign in while the managers' file is damaged; the log says so.
    }
    this.#forget();
    return null;
  }

  /**
   * Normalises what was typed. The right code is always accepted: it is too long to be guessed, and
   * an attacker's guesses must not lock the installer out.
   */
  try(typed: string): CodeTry {
    const { clock } = this.#options;
    const leftMs = this.#lockedUntilMs - clock.monotonicMs();
    const code = this.announce();
    if (code !== null && isSame(plain(typed), plain(code))) {
      this.#wrongTries = 0;
      this.#lockedUntilMs = 0;
      return { kind: 'right' };
    }
    if (leftMs > 0) return { kind: 'locked', leftMs, now: false };
    this.#wrongTries += 1;
    if (this.#wrongTries < maxWrongTries)
      return { kind: 'wrong', triesLeft: maxWrongTries - this.#wrongTries };
    this.#wrongTries = 0;
    this.#lockedUntilMs = clock.monotonicMs() + lockMs;
    return { kind: 'locked', leftMs: lockMs, now: true };
  }

  #tell(code: string): string {
    const { log, path } = this.#options;
    this.#isFileGone = false;
    try {
      writeFileAtomically(path, `${code}\n`);
    } catch (error) {
      log.warn(
        { path, detail: messageOf(error) },
        'the one-time code could not be written to its file',
      );
    }
    const why = this.isSetUp
      ? 'this counter has no manager: the first one is made with the one-time code in this file, at /manager/'
      : 'setup opens what other computers reach once the one-time code in this file is typed, at /setup/';
    log.warn({ path }, why);
    return code;
  }

  #forget(): void {
    if (this.#code === null && this.#isFileGone) return;
    this.#code = null;
    this.#isFileGone = true;
    try {
      rmSync(this.#options.path, { force: true });
    } catch (error) {
      this.#options.log.warn(
        { path: this.#options.path, detail: messageOf(error) },
        'an invalid one-time code could not be removed',
      );
    }
  }
}

function newCode(): string {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  return code.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? code;
}

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
