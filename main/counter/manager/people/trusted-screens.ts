import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../../../core/domain/errors.ts';
import type { Log } from '../../../core/domain/log.ts';
import { writeFileAtomically } from '../../../support/atomic-file.ts';
import { noTries, PinTries } from './pin-tries.ts';

/**
 * A shop's counters and its office. Each is one more place whose tries count apart, so that there
 * must not be many.
 */
const maxScreens = 8;

const ScreenRecord = z.strictObject({
  /** SHA-256 of the token that the screen's browser keeps. */
  hash: z.string(),
  /** By manager. */
  tries: z.record(z.uuid(), PinTries),
});
const ScreensFile = z.strictObject({
  version: z.literal(1),
  screens: z.array(ScreenRecord).max(maxScreens),
});
type ScreenRecord = z.infer<typeof ScreenRecord>;

/**
 * Screens at which a manager has signed in. The wrong PINs of each count for that screen alone, so
 * that others cannot lock a manager out there. This is a device cookie as OWASP describes it. A
 * damaged file knows none: then all screens are strangers until the next sign-in.
 */
export class TrustedScreens {
  readonly #path: string;
  readonly #log: Log;
  /** The one used last is the last. */
  #screens: readonly ScreenRecord[] = [];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    try {
      this.#screens = ScreensFile.parse(JSON.parse(readFileSync(path, 'utf8'))).screens;
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT')
        log.warn(
          { path, detail: messageOf(error) },
          'the file of the known screens could not be read: no screen is known',
        );
    }
  }

  get list(): readonly ScreenRecord[] {
    return this.#screens;
  }

  /** @returns the screen's name here, or null when no manager has signed in there */
  find(token: string): string | null {
    const hash = hashOf(token);
    return this.#screens.some((screen) => screen.hash === hash) ? hash : null;
  }

  remember(token: string): void {
    const hash = hashOf(token);
    const current = this.#screens.find((screen) => screen.hash === hash) ?? { hash, tries: {} };
    if (current !== this.#screens.at(-1))
      this.#write(
        [...this.#screens.filter((screen) => screen !== current), current].slice(-maxScreens),
      );
  }

  triesOf(hash: string, managerId: string): PinTries {
    return this.#screens.find((screen) => screen.hash === hash)?.tries[managerId] ?? noTries;
  }

  count(hash: string, managerId: string, tries: PinTries): void {
    this.#write(
      this.#screens.map((screen) =>
        screen.hash === hash
          ? { ...screen, tries: { ...screen.tries, [managerId]: tries } }
          : screen,
      ),
    );
  }

  /** Of this manager; null: of all. */
  forgive(managerId: string | null): void {
    const left = (tries: ScreenRecord['tries']): ScreenRecord['tries'] =>
      managerId === null
        ? {}
        : Object.fromEntries(Object.entries(tries).filter(([id]) => id !== managerId));
    this.#write(this.#screens.map(({ hash, tries }) => ({ hash, tries: left(tries) })));
  }

  /** On a full disk it is known in memory alone, because a manager must be able to sign in. */
  #write(screens: readonly ScreenRecord[]): void {
    this.#screens = screens;
    const file: z.input<typeof ScreensFile> = { version: 1, screens: [...screens] };
    try {
      writeFileAtomically(this.#path, `${JSON.stringify(file, null, 2)}\n`);
    } catch (error) {
      this.#log.error(
        { path: this.#path, detail: messageOf(error) },
        'the known screens could not be stored: a restart forgets the change',
      );
    }
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
