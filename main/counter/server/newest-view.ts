import type { ToPage } from '../../../preload/contract.ts';

/**
 * A page with more than this unread gets no further view until it has caught up, and then only the
 * newest.
 */
export const maxBufferedBytes = 1024 * 1024;

/** What sending needs of a connection. */
export interface SendQueue {
  readonly isOpen: boolean;
  readonly bufferedAmount: number;
  /** @param sent called when the system has accepted the text */
  send(text: string, sent: () => void): void;
}

/**
 * Views are whole: a slow page gets the newest one instead of all of them, and never an older one
 * after a newer.
 */
export function sendNewest(queue: SendQueue): (message: ToPage) => void {
  let behind: ToPage | null = null;
  const send = (message: ToPage): void => {
    if (!queue.isOpen) return;
    if (message.t === 'q') {
      if (queue.bufferedAmount > maxBufferedBytes) {
        behind = message;
        return;
      }
      behind = null;
    }
    queue.send(JSON.stringify(message), () => {
      if (behind === null || queue.bufferedAmount > maxBufferedBytes) return;
      send(behind);
    });
  };
  return send;
}
