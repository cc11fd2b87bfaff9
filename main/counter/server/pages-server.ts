import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import { hostPort } from '../../core/domain/host-port.ts';
import type { Log } from '../../core/domain/log.ts';
import type { ClientSocket } from './client-socket.ts';
import { hello, openConnection, type Served } from './connection.ts';
import { type ListenerOptions, startListener } from './listener.ts';
import { sendNewest } from './newest-view.ts';
import { type ShopPictures, shopPages } from './shop-pictures.ts';

export interface ScreensServer {
  readonly port: number;
  /** e.g. `http://127.0.0.1:4180`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ScreensServerOptions
  extends Served,
    Pick<ListenerOptions, 'unreadTimeoutMs' | 'maxBufferedBytes'> {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Whether the following ports are tried too. */
  readonly nextFreeIfTaken: boolean;
  /** Folder of the built pages. */
  readonly rendererFolder: string;
  /** The daemon's version, so that pages of another one notice. */
  readonly version?: string;
  /** The shop's pictures, if they are served. */
  readonly pictures?: ShopPictures;
  /** Adds the paths that programs call: status and metrics. */
  readonly monitoring?: ((app: Hono) => void) | undefined;
  readonly log: Log;
}

const maxMessageBytes = 64 * 1024;
const maxSockets = 200;
/**
 * For this machine, the only one that can connect. A page loads some forty files, and a picture or
 * book of the shop comes in parts.
 */
const limits = {
  perAddress: 400,
  all: 400,
  bytes: { perSecond: 8 * 1_024 * 1_024, burst: 32 * 1_024 * 1_024 },
  messages: { perSecond: 200, burst: 2_000 },
};

/** Serves the screens to any browser on this machine. @throws ListenError */
export async function startScreensServer({
  views,
  router,
  version,
  pictures,
  monitoring,
  rendererFolder,
  ...options
}: ScreensServerOptions): Promise<ScreensServer> {
  const listener = await startListener({
    ...options,
    isOurs: (host, port) =>
      ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`),
    pages(app) {
      if (pictures !== undefined) shopPages(app, pictures);
      monitoring?.(app);
      app.get('*', serveStatic({ root: rendererFolder }));
    },
    opened: (socket) => servePage(socket, { views, router }, version),
    maxMessageBytes: maxMessageBytes,
    maxSockets: maxSockets,
    limits,
  });
  return {
    port: listener.port,
    url: `http://${hostPort(options.host, listener.port)}`,
    close: () => listener.close(),
  };
}

function servePage(socket: ClientSocket, served: Served, version: string | undefined): void {
  const send = sendNewest(socket);
  if (version !== undefined) send(hello(version));
  const connection = openConnection(served, send, socket);
  socket.onMessage((message) => connection.receive(message));
  socket.onClose(() => connection.close());
}
