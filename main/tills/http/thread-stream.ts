import type { threadRpc } from '../../support/thread-rpc.ts';
import type { ApiThread } from './calls.ts';
import type { StreamResponse } from './streams.ts';

/**
 * An event stream whose socket is in the thread. One piece is on its way at a time, so that a slow
 * reader fills no memory.
 */
export class ThreadStream implements StreamResponse {
  readonly #id: number;
  readonly #thread: ReturnType<typeof threadRpc<ApiThread>>;
  #listener: Parameters<StreamResponse['listen']>[0] = { drained() {}, closed() {} };
  destroyed = false;
  writableNeedDrain = false;

  constructor(id: number, thread: ReturnType<typeof threadRpc<ApiThread>>) {
    this.#id = id;
    this.#thread = thread;
  }

  listen(listener: Parameters<StreamResponse['listen']>[0]): void {
    this.#listener = listener;
  }

  write(bytes: Buffer): void {
    this.writableNeedDrain = true;
    // A copy, because it is moved to the thread, and other streams are told the same.
    void this.#thread.write.asEvent(this.#id, Uint8Array.from(bytes));
  }

  end(): void {
    void this.#thread.end.asEvent(this.#id);
  }

  /** The system has taken what was written. */
  written(): void {
    this.writableNeedDrain = false;
    this.#listener.drained();
  }

  closed(): void {
    this.destroyed = true;
    this.#listener.closed();
  }
}
