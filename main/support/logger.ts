import pino from 'pino';
import type { Log } from '../primitives/log.ts';

/** JSON lines on stderr; stdout is for the one line that says "ready". What could be a secret is removed whatever its caller thought. */
export function createLogger(level: string): { log: Log; flush: () => void } {
  const destination = pino.destination({ fd: 2, sync: false });
  const names = ['clientSecret', 'authorization', 'Authorization', 'access_token', 'customerToken', 'customerReceiptToken', 'password'];
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: names.flatMap((name) => [name, `*.${name}`]), censor: '***' },
    },
    destination,
  );
  return { log: logger, flush: () => destination.flushSync() };
}
