import pino from 'pino';
import type { Log } from '../domain/log.ts';
import { withUnseenEscaped } from './json-line.ts';
import { logFields } from './log-fields.ts';
import { RecentLines } from './recent-lines.ts';

/** For the diagnostics bundle: half a day of a busy counter, and not more than a few megabytes of memory. */
const recentLines = 5_000;

export interface Logger {
  readonly log: Log;
  /** The newest lines of the log. */
  readonly recent: () => string[];
  readonly flush: () => void;
}

interface Destination {
  write(line: string): void;
  flushSync(): void;
}

/** The level that is recorded for the diagnostics even where stderr has less. */
const leastKept = 'info';

/** JSON lines on stderr; stdout is for the one line that says "ready". */
export function createLogger(level: string, destination: Destination = pino.destination({ fd: 2, sync: false })): Logger {
  const recent = new RecentLines(recentLines);
  const { values } = pino.levels;
  const told = values[level] ?? Number.POSITIVE_INFINITY;
  const both = {
    // Tells pino to pass the level of each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string): void {
      const seen = withUnseenEscaped(line);
      if (both.lastLevel >= told) destination.write(seen);
      recent.add(seen.trimEnd());
    },
  };
  const logger = pino(
    {
      level: told > (values[leastKept] ?? 0) ? leastKept : level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: logFields },
    },
    both,
  );
  return { log: logger, recent: () => recent.list(), flush: () => destination.flushSync() };
}
