import { type FromPage, socketPath } from '../../../preload/contract.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';

/** A daemon that is started again is found again within a second. */
const reconnectMs = 500;

interface DaemonSocketOptions {
  /** On this computer. */
  readonly port: number;
  readonly clock: Clock;
  readonly onConnected: (isConnected: boolean) => void;
  /** undefined for what is not JSON. */
  readonly onMessage: (message: unknown) => void;
}

/**
 * A connection to the daemon's screens, opened again whenever it is lost. What is sent while it is
 * lost is not kept.
 */
export class DaemonSocket {
  readonly #options: DaemonSocketOptions;
  #socket: WebSocket | null = null;
  #cancel: Cancel = () => {};
  #isClosed = false;

  constructor(options: DaemonSocketOptions) {
    this.#options = options;
    this.#open();
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message: FromPage): void {
    if (this.isConnected) this.#socket?.send(JSON.stringify(message));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#socket?.close();
  }

  #open(): void {
    const { port, clock, onConnected, onMessage } = this.#options;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${socketPath}`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (!this.#isClosed) onConnected(true);
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!this.#isClosed) onMessage(parseJson(String(data)));
    });
    // This event also follows an error.
    socket.addEventListener('close', () => {
      if (this.#isClosed) return;
      onConnected(false);
      this.#cancel = clock.after(reconnectMs, () => this.#open());
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
