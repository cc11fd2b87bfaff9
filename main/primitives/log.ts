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
