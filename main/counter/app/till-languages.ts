/**
 * The language that each till has chosen with 08 30: it holds until another one is chosen, so it
 * outlives the process.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import { type Language, languages } from '../../core/domain/languages.ts';
import type { Log } from '../../core/domain/log.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import type { StoredLanguage } from '../../tills/zvt/till.ts';

/** A till that chooses again and again does not keep the disk busy. */
const writtenAfterMs = 1_000;

/** The languages by lane. */
const LanguagesFile = z.record(z.string(), z.enum(languages));

interface TillLanguagesOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class TillLanguages {
  readonly #options: TillLanguagesOptions;
  readonly #chosen: Map<string, Language>;
  #cancelWriting: Cancel | null = null;

  constructor(options: TillLanguagesOptions) {
    this.#options = options;
    this.#chosen = new Map(Object.entries(read(options)));
  }

  ofLane(laneId: string): StoredLanguage {
    return {
      read: () => this.#chosen.get(laneId) ?? null,
      keep: (language) => {
        if (this.#chosen.get(laneId) === language) return;
        this.#chosen.set(laneId, language);
        this.#cancelWriting ??= this.#options.clock.after(writtenAfterMs, () => this.#write());
      },
    };
  }

  /** Writes a choice that is not on disk yet. */
  close(): void {
    if (this.#cancelWriting === null) return;
    this.#cancelWriting();
    this.#write();
  }

  #write(): void {
    this.#cancelWriting = null;
    const { path, log } = this.#options;
    try {
      writeFileAtomically(path, `${JSON.stringify(Object.fromEntries(this.#chosen))}\n`);
    } catch (error) {
      log.warn(
        { path, detail: messageOf(error) },
        'the language that a till has chosen could not be stored: the next start forgets it',
      );
    }
  }
}

function read({ path, log }: TillLanguagesOptions): Record<string, Language> {
  try {
    return LanguagesFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT')
      log.warn(
        { path, detail: messageOf(error) },
        'the languages that tills have chosen could not be read: they have to choose again',
      );
    return {};
  }
}
