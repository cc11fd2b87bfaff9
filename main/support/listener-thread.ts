/**
 * A server in a separate thread: peers can keep its sockets busy, but the payments of this process
 * do not wait. If the thread dies, payments go on and its owner starts another. Both ends of the
 * link.
 */
import { existsSync } from 'node:fs';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { systemClock } from '../core/domain/clock.ts';
import { messageOf, systemCodeOf } from '../core/domain/errors.ts';
import { type Log, relayedLog } from '../core/domain/log.ts';
import { type ProcessFunctions, threadRpc, writesTo } from './thread-rpc.ts';

/** Memory of one thread. What strangers make it hold ends the thread, not the process. */
const heap = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 6 };
/** After this time a thread that was asked to end is ended. */
const closesWithinMs = 1_500;

interface Failure {
  readonly message: string;
  readonly code: string | undefined;
}
interface OwnerFunctions extends ProcessFunctions {
  listening(port: number): void;
  failed(failure: Failure): void;
}
interface Closable {
  close(): void;
}

/** The process's end of a thread. */
export interface ThreadEnd {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): unknown;
}
export type StartThread<Data> = (data: Data) => ThreadEnd;

/**
 * @param from the caller's `import.meta.url`. The source of the thread's entry is beside it.
 * @param built the entry's name. The build puts it beside this file or one folder up.
 */
export function workerThread<Data>(from: string, built: string): StartThread<Data> {
  const places = [
    ...[`./${built}.ts`, './worker.ts'].map((source) => new URL(source, from)),
    ...['./', '../'].map((folder) => new URL(`${folder}${built}.js`, import.meta.url)),
  ];
  return (data) => {
    const place = places.find((url) => existsSync(url));
    if (place === undefined) throw new Error(`the file of the thread ${built} is missing`);
    const worker = new Worker(place, { workerData: data, name: built, resourceLimits: heap });
    // A daemon that stops does not wait for the thread.
    worker.unref();
    return worker;
  };
}

/**
 * Runs the thread's end in this thread, for tests: the same messages without the time that a thread
 * takes to start.
 */
export const inThisThread =
  <Data>(serve: (port: MessagePort, data: Data) => void): StartThread<Data> =>
  (data) => {
    const { port1, port2 } = new MessageChannel();
    serve(port2, data);
    return {
      postMessage: (message, transfer) => port1.postMessage(message, transfer),
      on: (event: string, listener: (about: never) => void) =>
        port1.on(event === 'exit' ? 'close' : event, listener as () => void),
      terminate: () => port1.close(),
    };
  };

export interface ListenerThread<Remote extends object> {
  readonly calls: ReturnType<typeof threadRpc<Remote & Closable>>;
  readonly port: number;
  /** Resolves when the thread has ended although nobody closed it. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/** @param functions what the thread may call @throws when the thread cannot listen */
export async function openListenerThread<Remote extends object>(
  thread: ThreadEnd,
  functions: object,
  { log }: { readonly log: Log },
): Promise<ListenerThread<Remote>> {
  const listening = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<void>();
  const died = Promise.withResolvers<Error>();
  let isExpected = true;
  const owner: OwnerFunctions = {
    ...writesTo(log),
    listening: (port) => listening.resolve(port),
    failed: ({ message, code }) => listening.reject(Object.assign(new Error(message), { code })),
  };
  const calls = threadRpc<Remote & Closable>(thread, { ...functions, ...owner });
  const over = (error: Error): void => {
    listening.reject(error);
    void calls.$rejectPendingCalls(({ reject }) => reject(error));
    if (!isExpected) died.resolve(error);
    isExpected = true;
  };
  thread.on('error', over);
  thread.on('exit', () => {
    // What it said last is heard first.
    setImmediate(() => {
      over(new Error('the thread has ended'));
      ended.resolve();
    });
  });
  const port = await listening.promise;
  isExpected = false;
  return {
    calls,
    port,
    died: died.promise,
    async close() {
      isExpected = true;
      void (calls as unknown as { close: { asEvent(): Promise<void> } }).close.asEvent();
      const cancel = systemClock.after(closesWithinMs, () => void thread.terminate());
      await ended.promise;
      cancel();
    },
  };
}

export interface ServedInThread {
  readonly port: number;
  /** What the process may call. */
  readonly functions: object;
  close(): Promise<void>;
}

/** Runs in the thread. @param open starts the server; what it throws is told to the process */
export function serveListener<Owner extends object>(
  port: MessagePort,
  open: (owner: ReturnType<typeof threadRpc<Owner>>, log: Log) => Promise<ServedInThread>,
): void {
  const functions: { [name: string]: unknown } = {
    close: () => void opened.then((served) => served?.close()).finally(() => port.close()),
  };
  const owner = threadRpc<Owner & OwnerFunctions>(port, functions);
  const ownerRpc = owner as unknown as ReturnType<typeof threadRpc<OwnerFunctions>>;
  const log = relayedLog((line) => void ownerRpc.log.asEvent(line));
  const opened = open(owner as unknown as ReturnType<typeof threadRpc<Owner>>, log).then(
    (served) => {
      Object.assign(functions, served.functions);
      void ownerRpc.listening.asEvent(served.port);
      return served;
    },
    (error: unknown) => {
      void ownerRpc.failed.asEvent({ message: messageOf(error), code: systemCodeOf(error) });
      port.close();
      return null;
    },
  );
}
