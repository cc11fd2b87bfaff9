/**
 * The terminal id of each lane at its ZVT till, which outlives the process: a till with several
 * terminals knows them by it.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { defaultTerminalId } from '../../tills/zvt/terminal.ts';

const TerminalId = z.string().regex(/^\d{8}$/);
/** The ids by lane. */
const TerminalIdsFile = z.record(z.string(), TerminalId);

interface TerminalIdsOptions {
  readonly path: string;
  readonly log: Log;
  /** Whether the lane has taken payments. */
  readonly isUsed: (laneId: string) => boolean;
}

export class TerminalIds {
  readonly #options: TerminalIdsOptions;
  readonly #ids: Map<string, string>;
  /**
   * Earlier versions gave every lane the same id. A lane that was used then keeps it, because its
   * till knows it.
   */
  readonly #isFirstStart: boolean;

  constructor(options: TerminalIdsOptions) {
    this.#options = options;
    const storedIds = read(options);
    this.#isFirstStart = storedIds === null;
    this.#ids = new Map(Object.entries(storedIds ?? {}));
  }

  /** @param reserved ids that settings give to lanes */
  ofLane(laneId: string, reserved: readonly string[]): string {
    const existingId = this.#ids.get(laneId);
    if (existingId !== undefined) return existingId;
    const idsInUse = new Set([...this.#ids.values(), ...reserved]);
    const keeps =
      this.#isFirstStart && !reserved.includes(defaultTerminalId) && this.#options.isUsed(laneId);
    const id = keeps ? defaultTerminalId : newId(idsInUse);
    this.#ids.set(laneId, id);
    this.#write();
    return id;
  }

  #write(): void {
    const { path, log } = this.#options;
    try {
      writeFileAtomically(path, `${JSON.stringify(Object.fromEntries(this.#ids))}\n`);
    } catch (error) {
      log.warn(
        { path, detail: messageOf(error) },
        "a lane's terminal id could not be written: it gets another one at the next start",
      );
    }
  }
}

/** Random, so that two counters at one till differ too. */
function newId(idsInUse: ReadonlySet<string>): string {
  for (;;) {
    const id = String(randomInt(Number(defaultTerminalId) + 1, 100_000_000)).padStart(8, '0');
    if (!idsInUse.has(id)) return id;
  }
}

/** Reads the stored ids; null before the first start has written them. */
function read({ path, log }: TerminalIdsOptions): Record<string, string> | null {
  try {
    return TerminalIdsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    log.warn(
      { path, detail: messageOf(error) },
      'the terminal ids of the lanes could not be read: each lane gets a new one',
    );
    return {};
  }
}
