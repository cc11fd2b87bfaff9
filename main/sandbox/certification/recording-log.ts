import type { Log, LogLine } from '../../core/domain/log.ts';

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Keeps the client's log for the support data (case 26). */
export function recordingLog(
  entries: LogEntry[],
  about: Readonly<Record<string, unknown>> = {},
): Log {
  const line =
    (level: LogEntry['level']): LogLine =>
    (fields, message) =>
      void entries.push({ level, fields: { ...about, ...fields }, message });
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => recordingLog(entries, { ...about, ...fields }),
  };
}
