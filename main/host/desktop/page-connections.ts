import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import type { Log } from '../../core/domain/log.ts';
import type { Connection } from '../../counter/server/connection.ts';
import { isOurs } from './page-address.ts';
import type { Payments } from './payments.ts';

interface PageConnectionsOptions {
  /** The windows' own contents; messages of any other are not read. */
  readonly isWindow: (contents: WebContents) => boolean;
  readonly connect: Payments['connect'];
  /** A window has another page than before, which is told what it has to know. */
  readonly onPage: (contents: WebContents) => void;
  /** A page's answers to the beats, unchecked. */
  readonly onBeat: (contents: WebContents, beat: unknown) => void;
  readonly log: Log;
}

/** Carries the contract's messages over IPC: one connection for each page that a window shows. */
export function servePages(
  ipc: IpcMain,
  { isWindow, connect, onPage, onBeat, log }: PageConnectionsOptions,
): void {
  const connections = new Map<WebContents, Connection>();
  const disconnect = (contents: WebContents): void => {
    connections.get(contents)?.close();
    connections.delete(contents);
  };
  const onMessage = (
    channel: string,
    listener: (contents: WebContents, message: unknown) => void,
  ): void => {
    ipc.on(channel, (event, message: unknown) => {
      if (isTrusted(event)) listener(event.sender, message);
      else
        log.warn(
          { channel, from: event.senderFrame?.url.slice(0, 200) ?? null },
          'ignoring a message: it is not from a Tillbeacon page',
        );
    });
  };
  const isTrusted = ({ sender, senderFrame }: IpcMainEvent): boolean =>
    senderFrame === sender.mainFrame && isOurs(senderFrame.url) && isWindow(sender);

  // A manager is signed in on one page: leaving it, e.g. for the cashier's screen, signs out, as in
  // a browser.
  onMessage('tillbeacon:page', (contents) => {
    // Its first page: from then on it always has a connection.
    if (!connections.has(contents)) contents.once('destroyed', () => disconnect(contents));
    disconnect(contents);
    const send = (channel: string, message: unknown): void => {
      if (!contents.isDestroyed()) contents.send(channel, message);
    };
    connections.set(
      contents,
      connect(
        (message) => send('tillbeacon:message', message),
        (isConnected) => send('tillbeacon:connection', isConnected),
      ),
    );
    onPage(contents);
  });
  onMessage(
    'tillbeacon:message',
    (contents, message) => void connections.get(contents)?.receive(message),
  );
  onMessage('tillbeacon:beat', onBeat);
}
