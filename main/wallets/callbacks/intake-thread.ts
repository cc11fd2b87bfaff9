/**
 * Runs the intake in a thread, so that parsing and the disk do not delay other requests. This file
 * has both ends of the link.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import { type Log, relayedLog } from '../../core/domain/log.ts';
import { type ProcessFunctions, threadRpc, writesTo } from '../../support/thread-rpc.ts';
import type { Intake } from './intake.ts';
import type { CallbackSettings } from './callback-settings.ts';

export interface ThreadData {
  readonly settings: CallbackSettings;
  /** Path of the callbacks' file. */
  readonly path: string;
  readonly sinceMs: number | undefined;
}

interface ReceiverFunctions extends ProcessFunctions {
  ready(): void;
}
interface ThreadFunctions extends Intake {
  close(): void;
}

export interface IntakeThread extends Intake {
  /** Resolves when the thread has ended. Calls made before are answered first. */
  close(): Promise<void>;
}

/**
 * @param failed is called when the thread ends although nobody closed it
 * @throws when the callbacks' file cannot be used
 */
export async function linkIntake(
  worker: Worker,
  { log, failed }: { log: Log; failed: (error: Error) => void },
): Promise<IntakeThread> {
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // Until it is ready, its end is reported by the rejection of this function.
  let isExpected = true;
  const thread = threadRpc<ThreadFunctions, ReceiverFunctions>(worker, {
    ...writesTo(log),
    ready: () => ready.resolve(),
  });

  function over(error: Error): void {
    ready.reject(error);
    void thread.$rejectPendingCalls(({ reject }) => reject(error));
    if (!isExpected) failed(error);
    isExpected = true;
  }
  worker.on('error', over);
  worker.on('exit', () => {
    over(new Error('the thread that stores callbacks has ended'));
    ended.resolve();
  });

  await ready.promise;
  isExpected = false;
  return {
    take: (path, body) => thread.take(path, body),
    health: () => thread.health(),
    close() {
      isExpected = true;
      void thread.close.asEvent();
      return ended.promise;
    },
  };
}

/** Runs in the thread. @param open opens the intake; an error that it throws ends the thread */
export function serveIntake(
  port: MessagePort,
  open: (log: Log) => { readonly intake: Intake; readonly close: () => void },
): void {
  const receiver = threadRpc<ReceiverFunctions, ThreadFunctions>(port, {
    take: (path, body) => opened.intake.take(path, body),
    health: () => opened.intake.health(),
    close() {
      opened.close();
      process.exit();
    },
  });
  const opened = open(relayedLog((line) => void receiver.log.asEvent(line)));
  void receiver.ready.asEvent();
}
