import { type Bridge, type Command, type CommandResult, type FromScreen, socketPath, ToScreen, type View, type Watch } from '../preload/contract.ts';
import { type Answered, type AnswerTo, type Asking, type QuestionName, questions } from '../preload/procedures.ts';
import type { Answer } from '../preload/procedures/procedure.ts';

declare global {
  interface Window {
    /** Present inside Electron. */
    readonly tillbeacon?: Bridge;
  }
}

const firstReconnectMs = 250;
const longestReconnectMs = 800;
/** Of the codes that a page may close with (3000 to 4999, RFC 6455 section 7.4.2). */
const notOfTheContract = 4002;

/** The way to the daemon: Electron's bridge, or the same over a WebSocket. */
export function connect(): Bridge {
  return window.tillbeacon ?? new SocketBridge(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${socketPath}`);
}

class SocketBridge implements Bridge {
  readonly #url: string;
  readonly #viewListeners = new Set<(view: View) => void>();
  readonly #connectionListeners = new Set<(connected: boolean) => void>();
  readonly #results = new Map<number, (result: CommandResult) => void>();
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #socket: WebSocket | null = null;
  #watch: Watch | null = null;
  #connected = false;
  #nextId = 1;
  #pauseMs = firstReconnectMs;

  constructor(url: string) {
    this.#url = url;
    this.#open();
  }

  watch(watch: Watch): void {
    this.#watch = watch;
    if (this.#connected) this.#send({ type: 'watch', watch });
  }

  onView(listener: (view: View) => void): () => void {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#connectionListeners.add(listener);
    return () => this.#connectionListeners.delete(listener);
  }

  command(command: Command): Promise<CommandResult> {
    if (!this.#connected) return Promise.resolve({ ok: false, code: 'failed', message: 'no connection to the daemon' });
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#results.set(id, resolve);
      this.#send({ type: 'command', id, command });
    });
  }

  ask<Name extends QuestionName>(name: Name, asked: Asking<Name>): Promise<AnswerTo<Name>> {
    if (!this.#connected) return Promise.resolve(disconnected as AnswerTo<Name>);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#answers.set(id, (answer) => resolve(checked(name, answer)));
      this.#send({ type: 'question', id, name, asked });
    });
  }

  #open(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#pauseMs = firstReconnectMs;
      this.#setConnected(true);
      if (this.#watch !== null) this.#send({ type: 'watch', watch: this.#watch });
    });
    socket.addEventListener('message', (event) => this.#receive(String(event.data)));
    socket.addEventListener('close', () => {
      this.#setConnected(false);
      for (const resolve of this.#results.values())
        resolve({ ok: false, code: 'failed', message: 'the connection was lost: look at the state before you try again' });
      this.#results.clear();
      for (const resolve of this.#answers.values()) resolve(disconnected);
      this.#answers.clear();
      setTimeout(() => this.#open(), this.#pauseMs);
      this.#pauseMs = Math.min(longestReconnectMs, this.#pauseMs * 2);
    });
  }

  #send(message: FromScreen): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    const parsed = ToScreen.safeParse(parseJson(text));
    // A daemon that speaks another contract: better no screen than a wrong one.
    if (!parsed.success) {
      this.#setConnected(false);
      this.#socket?.close(notOfTheContract, 'not a message of the contract');
      return;
    }
    // What still arrives on a line that was given up is not live.
    if (!this.#connected) return;
    const message = parsed.data;
    if (message.type === 'view') for (const listener of this.#viewListeners) listener(message.view);
    else if (message.type === 'answer') {
      this.#answers.get(message.id)?.(message.answer);
      this.#answers.delete(message.id);
    } else {
      this.#results.get(message.id)?.(message.result);
      this.#results.delete(message.id);
    }
  }

  #setConnected(connected: boolean): void {
    if (this.#connected === connected) return;
    this.#connected = connected;
    for (const listener of this.#connectionListeners) listener(connected);
  }
}

const disconnected: Answer = { ok: false, code: 'disconnected', field: null, message: 'the connection was lost', facts: {} };

/** A value that is not what the declaration says is none. */
function checked<Name extends QuestionName>(name: Name, answer: Answer): AnswerTo<Name> {
  if (!answer.ok) return answer as AnswerTo<Name>;
  const parsed = questions[name].answers.safeParse(answer.value);
  if (parsed.success) return { ok: true, value: parsed.data as Answered<Name> };
  return { ok: false, code: 'failed', field: null, message: parsed.error.message, facts: {} };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
