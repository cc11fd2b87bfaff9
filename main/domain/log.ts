/** Writes one structured line. `fields` never carries a secret: what could is redacted by the sink all the same. */
export type LogLine = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
  child(fields: Record<string, unknown>): Log;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

export interface RelayedLine {
  readonly level: Exclude<keyof Log, 'child'>;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A log whose lines are written elsewhere: what a thread says goes to the process's log. */
export function relayedLog(send: (line: RelayedLine) => void, about: Record<string, unknown> = {}): Log {
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
