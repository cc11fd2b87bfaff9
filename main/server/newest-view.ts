import type { ToScreen } from '../../preload/contract.ts';

/** A screen that has fallen this far behind skips to the newest view when it has caught up. */
export const mostBufferedBytes = 1024 * 1024;

/** What sending needs of a connection. */
export interface Outlet {
  readonly isOpen: boolean;
  readonly bufferedAmount: number;
  /** @param sent called once the line took it over */
  send(text: string, sent: () => void): void;
}

/** Views are whole: a slow screen gets the newest one instead of all of them, and never an older one after a newer. */
export function sendNewest(outlet: Outlet): (message: ToScreen) => void {
  let behind: ToScreen | null = null;
  const send = (message: ToScreen): void => {
    if (!outlet.isOpen) return;
    if (message.type === 'view') {
      if (outlet.bufferedAmount > mostBufferedBytes) {
        behind = message;
        return;
      }
      behind = null;
    }
    outlet.send(JSON.stringify(message), () => {
      if (behind === null || outlet.bufferedAmount > mostBufferedBytes) return;
      send(behind);
    });
  };
  return send;
}
