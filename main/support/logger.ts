import pino from 'pino';
import type { Log, LogLine, RelayedLine } from '../domain/log.ts';
import { withUnseenEscaped } from './json-line.ts';
import { logFields } from './log-fields.ts';
import { RecentLines } from './recent-lines.ts';

/** For the diagnostics bundle: half a day of a busy counter, and not more than a few megabytes of memory. */
const recentLines = 5_000;

export interface Logger {
  readonly log: Log;
  /** The newest lines of the log. */
  readonly recent: () => string[];
  /** Writes what waits. */
  readonly flush: () => void;
}

interface Destination {
  write(line: string): void;
  flushSync(): void;
}

/** The level that is recorded for the diagnostics even where stderr has less. */
const leastKept = 'info';

interface LoggerOptions {
  readonly destination?: Destination;
  /**
   * How long lines wait until they are formatted and written together; 0 for not at all. A process that ends by itself, also by an error, writes them
   * first; one that is killed loses them.
   */
  readonly writtenAfterMs?: number;
}

/** For a program that takes payments, so that neither a till nor a customer waits for the log. */
export const afterPaymentMs = 10;
/** Lines that wait, at most. */
const mostWaiting = 500;

/** The write functions of loggers that have lines waiting. */
const writtenAtExit = new Set<() => void>();
// The destination closes itself then, and has to get them before.
process.prependListener('exit', () => {
  for (const write of writtenAtExit) write();
});

/** JSON lines on stderr; stdout is for the one line that says "ready". */
export function createLogger(level: string, { destination = pino.destination({ fd: 2, sync: false }), writtenAfterMs = 0 }: LoggerOptions = {}): Logger {
  const recent = new RecentLines(recentLines);
  const { values } = pino.levels;
  const told = values[level] ?? Number.POSITIVE_INFINITY;
  const both = {
    // Tells pino to pass the level of each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string): void {
      if (both.lastLevel >= told) destination.write(withUnseenEscaped(line));
      recent.add(line.trimEnd());
    },
  };
  let loggedAtMs = 0;
  const logger = pino(
    {
      level: told > (values[leastKept] ?? 0) ? leastKept : level,
      base: null,
      timestamp: () => `,"time":"${new Date(loggedAtMs).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: logFields },
    },
    both,
  );

  const waiting: (RelayedLine & { readonly to: pino.Logger; readonly atMs: number })[] = [];
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    writtenAtExit.delete(write);
    for (const line of waiting.splice(0)) {
      loggedAtMs = line.atMs;
      line.to[line.level](line.fields, line.message);
    }
  };
  const writingTo = (to: pino.Logger): Log => {
    const on =
      (of: RelayedLine['level']): LogLine =>
      (fields, message) => {
        if (!to.isLevelEnabled(of)) return;
        if (waiting.push({ to, level: of, fields, message, atMs: Date.now() }) >= mostWaiting || writtenAfterMs === 0) return write();
        if (waiting.length > 1) return;
        writtenAtExit.add(write);
        timer = setTimeout(write, writtenAfterMs).unref();
      };
    return { debug: on('debug'), info: on('info'), warn: on('warn'), error: on('error'), child: (fields) => writingTo(to.child(fields)) };
  };
  return {
    log: writingTo(logger),
    recent() {
      write();
      return recent.list().map(withUnseenEscaped);
    },
    flush() {
      write();
      destination.flushSync();
    },
  };
}
