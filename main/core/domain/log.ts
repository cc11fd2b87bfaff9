/**
 * Writes one structured line. Callers pass no secrets in `fields`; the sink redacts them all the
 * same.
 */
export type LogLine = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
  child(fields: Record<string, unknown>): Log;
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

export interface RelayedLine {
  readonly level: Exclude<keyof Log, 'child'>;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A log that forwards its lines, e.g. from a worker thread to the process's log. */
export function relayedLog(
  send: (line: RelayedLine) => void,
  about: Record<string, unknown> = {},
): Log {
  const on =
    (level: RelayedLine['level']): LogLine =>
    (fields, message) =>
      send({ level, fields: { ...about, ...fields }, message });
  return {
    debug: on('debug'),
    info: on('info'),
    warn: on('warn'),
    error: on('error'),
    child: (fields) => relayedLog(send, { ...about, ...fields }),
  };
}
