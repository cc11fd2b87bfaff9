import { serveStatic } from '@hono/node-server/serve-static';
import type { WebSocket } from 'ws';
import type { Log } from '../primitives/log.ts';
import { type Door, openDoor, type ScreensDesk } from './door.ts';
import { onMessage, startListener } from './listener.ts';
import { outletOf, sendNewest } from './newest-view.ts';
import { type ShopPictures, shopPages } from './shop-pictures.ts';

export interface ScreensServer {
  /** e.g. `http://127.0.0.1:4180`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ScreensServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Tries the following ports too. */
  readonly nextFreeIfTaken: boolean;
  /** The built screens. */
  readonly rendererFolder: string;
  readonly desk: ScreensDesk;
  /** Left out: the shop has none. */
  readonly pictures?: ShopPictures;
  readonly log: Log;
}

const longestMessageBytes = 64 * 1024;
const mostSockets = 200;

/** Serves the screens to any browser on this machine. @throws when no port can be had */
export async function startScreensServer({ desk, pictures, rendererFolder, ...options }: ScreensServerOptions): Promise<ScreensServer> {
  const listener = await startListener({
    ...options,
    isOurs: (host, port) => ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`),
    pages(app) {
      if (pictures !== undefined) shopPages(app, pictures);
      app.get('*', serveStatic({ root: rendererFolder }));
    },
    opened: (socket, address) => serveScreen(socket, address, desk, options.log),
    longestMessageBytes,
    mostSockets,
  });
  return { url: `http://${options.host}:${listener.port}`, close: () => listener.close() };
}

function serveScreen(socket: WebSocket, address: string, desk: ScreensDesk, log: Log): void {
  const door: Door = openDoor(desk, sendNewest(outletOf(socket)), { address });
  onMessage(socket, log, (message) => door.message(message));
  socket.on('close', () => door.close());
}
