import pino from 'pino';
import type { Log, LogLine, RelayedLine } from '../core/domain/log.ts';
import { withUnseenEscaped } from './json-line.ts';
import { logFields } from './log-fields.ts';

/**
 * For the diagnostics bundle: half a day of a busy counter, and not more than a few megabytes of
 * memory.
 */
const recentLines = 5_000;

export interface Logger {
  readonly log: Log;
  /** The newest lines of the log. */
  readonly recent: () => string[];
  /** Writes what waits. */
  readonly flush: () => void;
  /**
   * From now on a line is formatted and written a millisecond later, so that no till, service or
   * screen waits for the log.
   */
  readonly writeLater: () => void;
}

interface Destination {
  write(lines: string): void;
  flushSync(): void;
}

/** The level that is recorded for the diagnostics even where stderr has less. */
const minRecentLevel = 'info';
const laterMs = 1;

/** The write functions of loggers that have lines waiting. */
const writtenAtExit = new Set<() => void>();
// Before pino's destination closes itself.
process.prependListener('exit', () => {
  for (const write of writtenAtExit) write();
});

/** JSON lines on stderr; stdout is for the one line that says "ready". */
export function createLogger(
  level: string,
  destination: Destination = pino.destination({ fd: 2, sync: false }),
): Logger {
  const recent = new RecentLines(recentLines);
  const { values } = pino.levels;
  const minStderrValue = values[level] ?? Number.POSITIVE_INFINITY;
  let isLater = false;
  let loggedAtMs = 0;
  let lines = '';
  const both = {
    // Tells pino to pass the level of each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string): void {
      const seen = withUnseenEscaped(line);
      if (both.lastLevel >= minStderrValue) lines += seen;
      recent.add(seen.trimEnd());
    },
  };
  const logger = pino(
    {
      level: minStderrValue > (values[minRecentLevel] ?? 0) ? minRecentLevel : level,
      base: null,
      timestamp: () => `,"time":"${new Date(loggedAtMs).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: logFields },
    },
    both,
  );

  const waiting: (RelayedLine & {
    readonly about: Record<string, unknown>;
    readonly atMs: number;
  })[] = [];
  const write = (): void => {
    writtenAtExit.delete(write);
    for (const { about, atMs, level: of, fields, message } of waiting.splice(0)) {
      loggedAtMs = atMs;
      logger[of]({ ...about, ...fields }, message);
    }
    const written = lines;
    lines = '';
    if (written !== '') destination.write(written);
  };
  const logOf = (about: Record<string, unknown>): Log => {
    const on =
      (of: RelayedLine['level']): LogLine =>
      (fields, message) => {
        if (!logger.isLevelEnabled(of)) return;
        waiting.push({ about, atMs: Date.now(), level: of, fields, message });
        if (!isLater) return write();
        if (waiting.length > 1) return;
        writtenAtExit.add(write);
        setTimeout(write, laterMs);
      };
    return {
      debug: on('debug'),
      info: on('info'),
      warn: on('warn'),
      error: on('error'),
      child: (more) => logOf({ ...about, ...more }),
    };
  };
  return {
    log: logOf({}),
    recent() {
      write();
      return recent.list();
    },
    flush() {
      write();
      destination.flushSync();
    },
    writeLater() {
      isLater = true;
    },
  };
}

/** Longer lines are cut, because only an error makes them. */
const maxLine = 4_000;

/** Keeps the newest lines in order and drops older ones. */
export class RecentLines {
  readonly #maxLines: number;
  readonly #lines: string[] = [];
  #oldest = 0;

  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  add(line: string): void {
    const cut = line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
    if (this.#lines.length < this.#maxLines) {
      this.#lines.push(cut);
      return;
    }
    this.#lines[this.#oldest] = cut;
    this.#oldest = (this.#oldest + 1) % this.#maxLines;
  }

  list(): string[] {
    return [...this.#lines.slice(this.#oldest), ...this.#lines.slice(0, this.#oldest)];
  }
}
