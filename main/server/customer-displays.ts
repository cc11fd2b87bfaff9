import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { Watch, WatchMessage, type LaneView } from '../../preload/contract.ts';
import type { Log } from '../domain/log.ts';
import type { ClientSocket } from './client-socket.ts';
import { hello } from './connection.ts';
import { startListener } from './listener.ts';
import { sendNewest } from './newest-view.ts';
import { namesOf } from './own-names.ts';
import { type ShopPictures, shopPages } from './shop-pictures.ts';
import { openWatching, type Views, type Watching } from './watching.ts';

export interface CustomerDisplaysOptions {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of the built pages. */
  readonly rendererFolder: string;
  /** As for the screens on this machine. */
  readonly version?: string;
  readonly views: Views;
  readonly pictures: ShopPictures;
  readonly log: Log;
}

export interface CustomerDisplays {
  readonly port: number;
  close(): Promise<void>;
}

const longestMessageBytes = 1_024;
/** Enough for a shop's counters and some spare tablets. */
const mostSockets = 50;
/** A browser opens six for a page's files and one WebSocket; one device may show two pages. */
const limits = {
  perAddress: 16,
  all: 128,
  bytes: { perSecond: 16 * 1_024, burst: 256 * 1_024 },
  messages: { perSecond: 10, burst: 200 },
};

/** The only message that another device may send. */
const FromDisplay = WatchMessage.extend({ a: z.tuple([z.strictObject({ ...Watch.shape, screen: z.literal('customer') })]) });

/**
 * Serves the customer's screen to other devices: its files, the shop's pictures, and a WebSocket that carries its views. Everybody in the
 * network can reach it, so it accepts no calls. @throws when the port cannot be had
 */
export async function startCustomerDisplays({ host, port, rendererFolder, version, views, pictures, log }: CustomerDisplaysOptions): Promise<CustomerDisplays> {
  const files = filesOfCustomerScreen(rendererFolder);
  return startListener({
    host,
    port,
    nextFreeIfTaken: false,
    isOurs: (name, ownPort) => namesOf(host).some((own) => name === `${own}:${ownPort}` || (ownPort === 80 && name === own)),
    pages(app) {
      shopPages(app, pictures);
      customerPages(app, files);
    },
    opened: (socket) => serveDisplay(socket, views, version),
    longestMessageBytes,
    mostSockets,
    limits,
    log,
  });
}

function serveDisplay(socket: ClientSocket, views: Views, version: string | undefined): void {
  const send = sendNewest(socket);
  if (version !== undefined) send(hello(version));
  let shown: { readonly laneId: string | null; readonly watching: Watching } | null = null;
  socket.onMessage((message) => {
    const parsed = FromDisplay.safeParse(message);
    if (!parsed.success) return null;
    const [watch] = parsed.data.a;
    const { laneId } = watch;
    // A display always shows the same lane.
    if (shown !== null && shown.laneId !== laneId) return null;
    if (shown === null) {
      if (laneId !== null && views.lane(laneId) === null) socket.log.warn({ lane: laneId }, 'a customer’s display asks for a lane that does not exist');
      shown = { laneId, watching: openWatching({ views: viewsOfLane(views, laneId), send: (view) => send({ t: 'q', m: 'view', a: [view] }) }) };
    }
    shown.watching.watch(watch);
    return Promise.resolve();
  });
  socket.onClose(() => shown?.watching.close());
}

/** Leaves out the number pad, because another device can make no calls. */
function withoutPad(lane: LaneView | null): LaneView | null {
  if (lane === null) return null;
  const { numberPad: _here, ...customer } = lane.customer;
  return { ...lane, customer };
}

/** The views of one lane alone. @param asked null for the first one */
function viewsOfLane(views: Views, asked: string | null): Views {
  const own = (): string | null => asked ?? views.lanes()[0]?.laneId ?? null;
  return {
    lanes() {
      const lanes = views.lanes();
      const found = lanes.find(({ laneId }) => laneId === own());
      if (found !== undefined) return [found];
      // Somebody who mistyped the address reads which lanes there are, but no names. An empty list means that the counter is being set up.
      return lanes.map(({ laneId }) => ({ laneId, name: laneId }));
    },
    lane: (laneId) => (laneId === own() ? withoutPad(views.lane(laneId)) : null),
    language: () => views.language(),
    restored: () => null,
    demo: () => null,
    subscribe: (listener) => views.subscribe((laneId) => (laneId === null || laneId === own()) && listener(laneId)),
    showsCode: (laneId) => views.showsCode(laneId),
  };
}

interface ScreenFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const page = '/customer/index.html';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The page with everything it loads, found by searching each file for names of assets: they hold a hash, so they occur nowhere else. */
function filesOfCustomerScreen(rendererFolder: string): ReadonlyMap<string, ScreenFile> {
  const assets = readdirSync(join(rendererFolder, 'assets'));
  const files = new Map<string, ScreenFile>();
  const add = (address: string): void => {
    if (files.has(address)) return;
    const content = Uint8Array.from(readFileSync(join(rendererFolder, address)));
    files.set(address, { type: types[extname(address)] ?? 'application/octet-stream', content });
    const text = new TextDecoder().decode(content);
    for (const name of assets) if (text.includes(name)) add(`/assets/${name}`);
  };
  add(page);
  return files;
}

function customerPages(app: Hono, files: ReadonlyMap<string, ScreenFile>): void {
  // People type this address: it is short, with the lane as its query where there are several.
  app.get('/', (context) => context.redirect(`/customer/${new URL(context.req.url).search}`));
  app.get('*', (context) => {
    const file = files.get(context.req.path === '/customer/' ? page : context.req.path);
    return file === undefined ? context.notFound() : context.body(file.content, 200, { 'content-type': file.type });
  });
}
