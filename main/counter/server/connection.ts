import { CallMessage, type ToPage, WatchMessage } from '../../../preload/contract.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Router } from './router.ts';
import type { Session } from './session.ts';
import { openWatching, type Views } from './watching.ts';

/** The views and calls that pages can use. */
export interface Served {
  readonly views: Views;
  readonly router: Pick<Router, 'call'>;
}

/** One page's connection, over a WebSocket or Electron's IPC. */
export interface Connection {
  /**
   * Takes in a whole message, and settles when it is answered; null when the contract has no such
   * message.
   */
  receive(message: unknown): Promise<void> | null;
  close(): void;
}

export interface ConnectionOptions extends Pick<Session, 'address'> {
  /** Logs what the other end causes; missing for a window of this program. */
  readonly log?: Pick<Log, 'warn'>;
}

/**
 * The first message on a connection: a page that was loaded from another version loads itself anew.
 */
export const hello = (version: string): ToPage => ({ t: 'q', m: 'hello', a: [{ version }] });

/** @param send carries one message to the page */
export function openConnection(
  { views, router }: Served,
  send: (message: ToPage) => void,
  { address, log }: ConnectionOptions = {},
): Connection {
  const watching = openWatching({ views, send: (view) => send({ t: 'q', m: 'view', a: [view] }) });
  const session: Session = { manager: null, ...(address !== undefined && { address }) };
  return {
    receive(message) {
      const watched = WatchMessage.safeParse(message).data?.a[0];
      if (watched !== undefined) {
        session.screen = watched.screen;
        session.watched = watched;
        watching.watch(watched);
        return Promise.resolve();
      }
      const call = CallMessage.safeParse(message).data;
      if (call === undefined) return null;
      const { i, m: name, a } = call;
      return router.call(session, name, a[0], log).then((r) => send({ t: 's', i, r }));
    },
    close() {
      session.manager = null;
      watching.close();
    },
  };
}
