import { join } from 'node:path';
import type { Clock } from '../core/domain/clock.ts';
import { messageOf } from '../core/domain/errors.ts';
import type { Log } from '../core/domain/log.ts';
import { createLogger } from './logger.ts';
import { makeFolder } from './make-folder.ts';
import { RotatingFile } from './rotating-file.ts';

const maxLogBytes = 5_000_000;
const maxLogFiles = 6;
/** Pause until the next attempt after the disk was full. */
const triedAgainAfterMs = 10 * 60_000;

/**
 * What a program and the one that it watches say on stderr, where nobody else keeps it: in files of
 * bounded size and number, `tillbeacon.jsonl` the newest. The process that watches has this, so
 * that the last words of a crash are in it too. Nothing that happens to it is anybody's error.
 */
class LogFile {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log = createLogger('error').log;
  #file: RotatingFile | null = null;
  #triedMs = Number.NEGATIVE_INFINITY;
  #rest = '';

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  append(line: string): void {
    this.#openAgain();
    this.#file?.append(line);
  }

  /** @param text its last line may continue in the next text */
  take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-maxLogBytes);
    for (const line of lines) this.append(line);
  }

  async close(): Promise<void> {
    if (this.#rest !== '') this.append(this.#rest);
    await this.#file?.close();
  }

  #openAgain(): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#file?.hasStopped === false || nowMs - this.#triedMs < triedAgainAfterMs) return;
    this.#triedMs = nowMs;
    try {
      makeFolder(this.#folder, 0o700);
      this.#file = new RotatingFile({
        path: join(this.#folder, 'tillbeacon.jsonl'),
        maxBytes: maxLogBytes,
        maxFiles: maxLogFiles,
        log: this.#log,
      });
    } catch (error) {
      this.#log.error(
        { folder: this.#folder, detail: messageOf(error) },
        'log file cannot be written',
      );
    }
  }
}

interface WatchingLogOptions {
  /** Folder of the files, unless `TILLBEACON_LOG_FOLDER` names another. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Systems on which stderr is lost. */
  readonly lostOn: readonly NodeJS.Platform[];
  readonly clock: Clock;
}

export interface WatchingLog {
  readonly log: Log;
  /** What the watched program says on stderr, to be passed on; null when it has the same stderr. */
  readonly relayText: ((text: string) => void) | null;
  /** Resolves when everything is written. */
  readonly close: () => Promise<void>;
}

/** The log of a process that watches another one. */
export function watchingLog({
  folder,
  environment,
  platform,
  lostOn,
  clock,
}: WatchingLogOptions): WatchingLog {
  const level = environment['TILLBEACON_LOG'] ?? 'info';
  const chosenFolder = environment['TILLBEACON_LOG_FOLDER'];
  if (!chosenFolder && !lostOn.includes(platform)) {
    const { log, flush } = createLogger(level);
    return { log, relayText: null, close: async () => flush() };
  }
  const file = new LogFile(chosenFolder || folder, clock);
  const passOn = (text: string, keep: () => void): void => {
    process.stderr.write(text);
    keep();
  };
  const own = {
    write: (line: string) => passOn(line, () => file.append(line.trimEnd())),
    flushSync() {},
  };
  return {
    log: createLogger(level, own).log,
    relayText: (text) => passOn(text, () => file.take(text)),
    close: () => file.close(),
  };
}
