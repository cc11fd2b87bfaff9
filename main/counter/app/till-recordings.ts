/** Recordings of the tills' lines in files: when they are made, and where. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { RotatingFile } from '../../support/rotating-file.ts';
import type { RecordingSink } from '../../tills/zvt/recorder.ts';

/** Limit for each lane: some twenty days of an ordinary till, and never more than 20 MB. */
const maxBytes = 5_000_000;
const maxFiles = 4;

const Until = z.object({ untilMs: z.number() });

interface TillRecordingsOptions {
  readonly folder: string;
  /** File that keeps a manager's choice when the process ends. */
  readonly untilPath: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class TillRecordings {
  readonly #options: TillRecordingsOptions;
  /** The files by lane; null where the folder could not be made. */
  readonly #files = new Map<string, RotatingFile | null>();
  /** Until when a manager has all lanes recorded; 0 when not. */
  #untilMs: number;

  constructor(options: TillRecordingsOptions) {
    this.#options = options;
    this.#untilMs = this.#readUntil();
  }

  /** Until when a manager has all lanes recorded; null when not. */
  get untilMs(): number | null {
    return this.#untilMs > this.#options.clock.wallMs() ? this.#untilMs : null;
  }

  /**
   * Records all lanes until then, also after a restart; null ends that. @throws when it cannot be
   * written down
   */
  recordUntil(untilMs: number | null): void {
    writeFileAtomically(this.#options.untilPath, JSON.stringify({ untilMs: untilMs ?? 0 }));
    this.#untilMs = untilMs ?? 0;
    // A manager who asks again may have made room on the disk.
    for (const [laneId, file] of this.#files)
      if (file === null || file.hasStopped) this.#files.delete(laneId);
  }

  /** @param record the setting of the lane */
  sink(laneId: string, record: true | string | undefined): RecordingSink {
    const settingsUntilMs =
      record === true ? Number.POSITIVE_INFINITY : record === undefined ? 0 : Date.parse(record);
    const { clock } = this.#options;
    return {
      isOn: () => Math.max(settingsUntilMs, this.#untilMs) > clock.wallMs(),
      write: (line) => this.#fileOf(laneId)?.append(line),
    };
  }

  /** Resolves when everything recorded is written. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file?.close() ?? Promise.resolve()));
  }

  /**
   * The lane's file. One that has stopped is tried again when a manager asks, and by the next
   * start.
   */
  #fileOf(laneId: string): RotatingFile | null {
    const open = this.#files.get(laneId);
    if (open !== undefined) return open;
    const { folder, log } = this.#options;
    try {
      makeFolder(folder, 0o700);
    } catch (error) {
      log.error({ path: folder, detail: messageOf(error) }, 'recording of a till stopped');
      this.#files.set(laneId, null);
      return null;
    }
    const file = new RotatingFile({
      path: join(folder, `till-${laneId}.jsonl`),
      maxBytes,
      maxFiles,
      log,
    });
    this.#files.set(laneId, file);
    return file;
  }

  #readUntil(): number {
    const { untilPath, log } = this.#options;
    try {
      return Until.parse(JSON.parse(readFileSync(untilPath, 'utf8'))).untilMs;
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT')
        log.warn(
          { path: untilPath, detail: messageOf(error) },
          'the end of the recording could not be read: tills are not recorded',
        );
      return 0;
    }
  }
}
