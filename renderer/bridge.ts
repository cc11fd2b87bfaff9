import { createBirpc } from 'birpc';
import type { Bridge, FromPage, MessageChannel, ToPage, View, Watch } from '../preload/contract.ts';
import { toPage } from '../preload/described/messages.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../preload/procedures.ts';
import { socketPath } from '../preload/procedures/plain.ts';
import type { Answer } from '../preload/procedures/procedure.ts';
import { fits, type Shape } from '../preload/shape.ts';
import { isLanguage, type Language } from './locales/i18n.ts';

declare global {
  interface Window {
    /** Present inside Electron. */
    readonly tillbeacon?: MessageChannel;
  }
}

const firstReconnectMs = 250;
const maxReconnectMs = 800;
/** A close code of the range for applications (3000 to 4999, RFC 6455 section 7.4.2). */
const notOfTheContract = 4002;

/** The shapes of answers, by the names of their procedures. */
export type Answers = Readonly<Record<string, Shape>>;

/**
 * The connection to the daemon, over Electron's IPC or a WebSocket. @param answers the shapes of
 * the answers to this page's calls
 */
export function connect(answers: Answers): Bridge {
  const { tillbeacon } = window;
  if (tillbeacon !== undefined) return overElectron(tillbeacon, answers);
  return overSocket(
    `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${socketPath}`,
    answers,
  );
}

function overElectron(channel: MessageChannel, answers: Answers): Bridge {
  const bridge = new MessageBridge(answers, (message) => channel.send(message));
  channel.onMessage((message) => bridge.receive(message));
  channel.onConnection((connected) => bridge.setConnected(connected));
  channel.onLanguage((language) => bridge.speak(language));
  return bridge;
}

function overSocket(url: string, answers: Answers): Bridge {
  let socket: WebSocket;
  let pauseMs = firstReconnectMs;
  const bridge = new MessageBridge(answers, (message) => socket.send(JSON.stringify(message)));
  const open = (): void => {
    socket = new WebSocket(url);
    socket.addEventListener('open', () => {
      pauseMs = firstReconnectMs;
      bridge.setConnected(true);
    });
    socket.addEventListener('message', ({ data, target }) => {
      if (bridge.receive(parseJson(String(data)))) return;
      // The daemon is of another version, and this page could show something wrong.
      bridge.cannotRead();
      bridge.setConnected(false);
      if (target instanceof WebSocket)
        target.close(notOfTheContract, 'not a message of the contract');
    });
    socket.addEventListener('close', () => {
      bridge.setConnected(false);
      setTimeout(open, pauseMs);
      pauseMs = Math.min(maxReconnectMs, pauseMs * 2);
    });
  };
  open();
  return bridge;
}

/**
 * The contract over any channel that carries its messages. birpc keeps the calls that are not
 * answered yet.
 */
class MessageBridge implements Bridge {
  readonly #viewListeners = new Set<(view: View) => void>();
  readonly #connectionListeners = new Set<(connected: boolean) => void>();
  readonly #calls;
  readonly #answers: Answers;
  #answered: (message: ToPage) => void = () => {};
  #languageListener: (language: Language | null) => void = () => {};
  #versionListener: (version: string, isReadable: boolean) => void = () => {};
  /** The version that the daemon has told on this connection. */
  #version: string | null = null;
  #watched: Watch | null = null;
  #connected = false;

  constructor(answers: Answers, send: (message: FromPage) => void) {
    this.#answers = answers;
    this.#calls = createBirpc<Record<string, (input: unknown) => Answer>, object, false>(
      {},
      {
        post: send,
        on: (answered) => void (this.#answered = answered),
        timeout: -1,
        proxify: false,
      },
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

  onVersion(listener: (version: string, isReadable: boolean) => void): void {
    this.#versionListener = listener;
  }

  onLanguage(listener: (language: Language | null) => void): void {
    this.#languageListener = listener;
  }

  speak(language: unknown): void {
    if (language === null || isLanguage(language)) this.#languageListener(language);
  }

  async ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    if (!this.#connected) return disconnected;
    const answer: Answer = await this.#calls.$call(name, input).catch(() => disconnected);
    const shape = this.#answers[name];
    // A value that does not fit the procedure's declaration is not used. Codes need no check: the
    // daemon's router only answers with declared ones.
    return (
      answer.ok && (shape === undefined || !fits(shape, answer.value)) ? notOfItsProcedure : answer
    ) as AnswerTo<Name>;
  }

  /** @returns false when the message is not one of the contract */
  receive(message: unknown): boolean {
    if (!isToPage(message)) return false;
    // A message that still arrives on a connection that was given up is outdated.
    if (!this.#connected) return true;
    if (message.t === 's') this.#answered(message);
    else if (message.m === 'hello') this.#heardVersion(message.a[0].version);
    else for (const listener of this.#viewListeners) listener(message.a[0]);
    return true;
  }

  #heardVersion(version: string): void {
    this.#version = version;
    this.#versionListener(version, true);
  }

  cannotRead(): void {
    if (this.#version !== null) this.#versionListener(this.#version, false);
  }

  setConnected(connected: boolean): void {
    if (this.#connected === connected) return;
    this.#connected = connected;
    if (!connected) this.#version = null;
    for (const listener of this.#connectionListeners) listener(connected);
    if (!connected) void this.#calls.$rejectPendingCalls();
    else if (this.#watched !== null) this.watch(this.#watched);
  }
}

const disconnected = {
  ok: false,
  code: 'disconnected',
  field: null,
  message: 'the connection was lost',
  facts: {},
} as const;

const notOfItsProcedure = {
  ok: false,
  code: 'failed',
  field: null,
  message: 'the answer was not one of the procedure',
  facts: {},
} as const;

const isToPage = (message: unknown): message is ToPage => fits(toPage, message);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
