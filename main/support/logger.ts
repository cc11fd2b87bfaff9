import pino from 'pino';
import type { Log } from '../primitives/log.ts';
import { RecentLines } from './recent-lines.ts';

/** For the diagnostics bundle: half a day of a busy counter, and not more than a few megabytes of memory. */
const recentLines = 5_000;

export interface Logger {
  readonly log: Log;
  /** The newest lines, as they were written. */
  readonly recent: () => string[];
  readonly flush: () => void;
}

/** JSON lines on stderr; stdout is for the one line that says "ready". What could be a secret is removed whatever its caller thought. */
export function createLogger(level: string): Logger {
  const destination = pino.destination({ fd: 2, sync: false });
  const recent = new RecentLines(recentLines);
  const both = {
    write(line: string): void {
      destination.write(line);
      recent.add(line.trimEnd());
    },
  };
  const names = [
    'clientSecret',
    'authorization',
    'Authorization',
    'access_token',
    'customerToken',
    'customerReceiptToken',
    'receiptToken',
    'loyaltyIds',
    'password',
    'pin',
  ];
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: names.flatMap((name) => [name, `*.${name}`]), censor: '***' },
    },
    both,
  );
  return { log: logger, recent: () => recent.list(), flush: () => destination.flushSync() };
}
