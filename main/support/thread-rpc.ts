import { createBirpc } from 'birpc';
import type { Log, RelayedLine } from '../core/domain/log.ts';

interface ThreadPort {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** What every thread may call in its process. */
export interface ProcessFunctions {
  log(line: RelayedLine): void;
}

/**
 * Calls between a process and its thread, both from the same build, which is why their messages are
 * typed and not validated. `Uint8Array`s are moved, not copied: their sender cannot use them
 * afterwards. Calls have no time-out: when a thread ends, `$close` rejects its calls.
 */
export function threadRpc<Remote extends object, Local extends object = object>(
  port: ThreadPort,
  functions: Local,
) {
  return createBirpc<Remote, Local>(functions, {
    post: (message: { readonly a?: readonly unknown[]; readonly r?: unknown }) =>
      port.postMessage(message, buffersOf([...(message.a ?? []), message.r])),
    on: (listener) => void port.on('message', listener),
    bind: 'functions',
    timeout: -1,
  });
}

export const writesTo = (log: Log): ProcessFunctions => ({
  log: ({ level, fields, message }) => log[level](fields, message),
});

const buffersOf = (values: readonly unknown[]): ArrayBuffer[] =>
  values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
