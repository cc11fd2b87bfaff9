import { serveStatic } from '@hono/node-server/serve-static';
import type { Log } from '../domain/log.ts';
import { type Door, openDoor, type ScreensDesk } from './door.ts';
import type { Line } from './line.ts';
import { type ListenerOptions, startListener } from './listener.ts';
import { sendNewest } from './newest-view.ts';
import { type ShopPictures, shopPages } from './shop-pictures.ts';

export interface ScreensServer {
  readonly port: number;
  /** e.g. `http://127.0.0.1:4180`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ScreensServerOptions extends Pick<ListenerOptions, 'patienceMs' | 'mostBufferedBytes'> {
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
/** All of this machine. */
const mostConnections = { perAddress: 400, all: 400 };

/** Serves the screens to any browser on this machine. @throws PortTakenError */
export async function startScreensServer({ desk, pictures, rendererFolder, ...options }: ScreensServerOptions): Promise<ScreensServer> {
  const listener = await startListener({
    ...options,
    isOurs: (host, port) => ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`),
    pages(app) {
      if (pictures !== undefined) shopPages(app, pictures);
      app.get('*', serveStatic({ root: rendererFolder }));
    },
    opened: (line) => serveScreen(line, desk),
    longestMessageBytes,
    mostSockets,
    mostConnections,
  });
  return { port: listener.port, url: `http://${options.host}:${listener.port}`, close: () => listener.close() };
}

function serveScreen(line: Line, desk: ScreensDesk): void {
  const { socket, address, log } = line;
  const door: Door = openDoor(desk, sendNewest(line), { address, log });
  line.onMessage((message) => door.message(message));
  socket.on('close', () => door.close());
}
