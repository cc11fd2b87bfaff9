import { createBirpc } from 'birpc';
import { type Bridge, type FromPage, type MessageChannel, socketPath, ToPage, type View, type Watch } from '../preload/contract.ts';
import { type AnswerTo, type InputOf, type OutputOf, type ProcedureName, procedures } from '../preload/procedures.ts';
import type { Answer } from '../preload/procedures/procedure.ts';

declare global {
  interface Window {
    /** Present inside Electron. */
    readonly tillbeacon?: MessageChannel;
  }
}

const firstReconnectMs = 250;
const longestReconnectMs = 800;
/** Of the codes that a page may close with (3000 to 4999, RFC 6455 section 7.4.2). */
const notOfTheContract = 4002;

/** The connection to the daemon: over Electron's IPC, or over a WebSocket. */
export function connect(): Bridge {
  const { tillbeacon } = window;
  return tillbeacon === undefined ? overSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${socketPath}`) : overElectron(tillbeacon);
}

function overElectron(channel: MessageChannel): Bridge {
  const bridge = new MessageBridge((message) => channel.send(message));
  channel.onMessage((message) => bridge.receive(message));
  channel.onConnection((connected) => bridge.setConnected(connected));
  return bridge;
}

function overSocket(url: string): Bridge {
  let socket: WebSocket;
  let pauseMs = firstReconnectMs;
  const bridge = new MessageBridge((message) => socket.send(JSON.stringify(message)));
  const open = (): void => {
    socket = new WebSocket(url);
    socket.addEventListener('open', () => {
      pauseMs = firstReconnectMs;
      bridge.setConnected(true);
    });
    socket.addEventListener('message', ({ data, target }) => {
      if (bridge.receive(parseJson(String(data)))) return;
      // A daemon of another version: better no screen than a wrong one.
      bridge.setConnected(false);
      if (target instanceof WebSocket) target.close(notOfTheContract, 'not a message of the contract');
    });
    socket.addEventListener('close', () => {
      bridge.setConnected(false);
      setTimeout(open, pauseMs);
      pauseMs = Math.min(longestReconnectMs, pauseMs * 2);
    });
  };
  open();
  return bridge;
}

/** The contract over whatever carries its messages. birpc keeps the calls that are not answered yet. */
class MessageBridge implements Bridge {
  readonly #viewListeners = new Set<(view: View) => void>();
  readonly #connectionListeners = new Set<(connected: boolean) => void>();
  readonly #calls;
  #answered: (message: ToPage) => void = () => {};
  #watched: Watch | null = null;
  #connected = false;

  constructor(send: (message: FromPage) => void) {
    this.#calls = createBirpc<Record<string, (input: unknown) => Answer>, object, false>(
      {},
      { post: send, on: (answered) => void (this.#answered = answered), timeout: -1, proxify: false },
    );
  }

  watch(watch: Watch): void {
    this.#watched = watch;
    if (this.#connected) void this.#calls.$callEvent('watch', watch);
  }

  onView(listener: (view: View) => void): () => void {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#connectionListeners.add(listener);
    if (this.#connected) listener(true);
    return () => this.#connectionListeners.delete(listener);
  }

  async ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    if (!this.#connected) return disconnected;
    return checked(name, await this.#calls.$call(name, input).catch(() => disconnected));
  }

  /** @returns false: it is not a message of the contract */
  receive(message: unknown): boolean {
    const parsed = ToPage.safeParse(message);
    // What still arrives on a connection that was given up is not live.
    if (!parsed.success || !this.#connected) return parsed.success;
    if (parsed.data.t === 's') this.#answered(parsed.data);
    else for (const listener of this.#viewListeners) listener(parsed.data.a[0]);
    return true;
  }

  setConnected(connected: boolean): void {
    if (this.#connected === connected) return;
    this.#connected = connected;
    for (const listener of this.#connectionListeners) listener(connected);
    if (!connected) void this.#calls.$rejectPendingCalls();
    else if (this.#watched !== null) this.watch(this.#watched);
  }
}

const disconnected = { ok: false, code: 'disconnected', field: null, message: 'the connection was lost', facts: {} } as const;

/** A value that breaks the procedure's declaration is not used. */
function checked<Name extends ProcedureName>(name: Name, answer: Answer): AnswerTo<Name> {
  // The daemon's router answers with codes of the declaration only.
  if (!answer.ok) return answer as AnswerTo<Name>;
  const parsed = procedures[name].output.safeParse(answer.value);
  if (parsed.success) return { ok: true, value: parsed.data as OutputOf<Name> };
  return { ok: false, code: 'failed', field: null, message: parsed.error.message, facts: {} };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
