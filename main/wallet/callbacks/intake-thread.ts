/** Both ends of the link to the intake's thread: parsing and the disk must not delay the answers to other senders. */
import type { MessagePort, Worker } from 'node:worker_threads';
import { type Log, relayedLog, type RelayedLine } from '../../domain/log.ts';
import type { Answer, Intake } from './intake.ts';
import type { CallbackSettings } from './settings.ts';

export interface ThreadData {
  readonly settings: CallbackSettings;
  /** Of the callbacks' file. */
  readonly path: string;
  readonly sinceMs: number | undefined;
}

type ThreadRequest = { readonly kind: 'take'; readonly path: string; readonly body: Uint8Array<ArrayBuffer> } | { readonly kind: 'health' };
type ToThread = { readonly id: number; readonly question: ThreadRequest } | { readonly id: null };
type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly line: RelayedLine };

export interface IntakeThread extends Intake {
  /** Resolves when everything that was taken has been answered and the thread has ended. */
  close(): Promise<void>;
}

/**
 * @param failed is told when the thread ends although nobody closed it
 * @throws when the callbacks' file cannot be used
 */
export async function linkIntake(worker: Worker, { log, failed }: { log: Log; failed: (error: Error) => void }): Promise<IntakeThread> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // Before it is ready, its end rejects this function's own promise.
  let isExpected = true;
  let lastId = 0;

  function over(error: Error): void {
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (!isExpected) failed(error);
    isExpected = true;
  }

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ready') return ready.resolve();
    if (message.kind === 'log') return log[message.line.level](message.line.fields, message.line.message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') asked?.resolve(message.answer);
    else asked?.reject(new Error(message.message));
  });
  worker.on('error', over);
  worker.on('exit', () => {
    over(new Error('the thread that stores callbacks has ended'));
    ended.resolve();
  });

  function ask(question: ThreadRequest, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    lastId += 1;
    waiting.set(lastId, answer);
    const message: ToThread = { id: lastId, question };
    worker.postMessage(message, transfer);
    return answer.promise;
  }

  await ready.promise;
  isExpected = false;
  return {
    take: (path, body) => ask({ kind: 'take', path, body }, [body.buffer]),
    health: () => ask({ kind: 'health' }),
    close() {
      isExpected = true;
      const message: ToThread = { id: null };
      worker.postMessage(message);
      return ended.promise;
    },
  };
}

/** In the thread. @param open opens the intake; what it throws ends the thread */
export function serveIntake(port: MessagePort, open: (log: Log) => { readonly intake: Intake; readonly close: () => void }): void {
  const send = (message: FromThread): void => port.postMessage(message);
  const { intake, close } = open(relayedLog((line) => send({ kind: 'log', line })));
  port.on('message', (message: ToThread) => {
    if (message.id === null) {
      close();
      process.exit();
    }
    const { id, question } = message;
    const answer = question.kind === 'take' ? intake.take(question.path, question.body) : intake.health();
    answer.then(
      (said) => send({ kind: 'answer', id, answer: said }),
      (error: Error) => send({ kind: 'failed', id, message: error.stack ?? error.message }),
    );
  });
  send({ kind: 'ready' });
}
