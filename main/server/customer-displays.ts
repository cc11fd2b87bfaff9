import { readdirSync, readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { extname, join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { Watch } from '../../preload/contract.ts';
import type { Log } from '../domain/log.ts';
import type { Line } from './line.ts';
import { startListener } from './listener.ts';
import { sendNewest } from './newest-view.ts';
import { type ShopPictures, shopPages } from './shop-pictures.ts';
import { openWatching, type SeenDesk, type Watching } from './watching.ts';

export interface CustomerDisplaysOptions {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The built screens. */
  readonly rendererFolder: string;
  /** It can be looked at, and nothing else. */
  readonly desk: SeenDesk;
  readonly pictures: ShopPictures;
  readonly log: Log;
}

export interface CustomerDisplays {
  readonly port: number;
  close(): Promise<void>;
}

const longestMessageBytes = 1_024;
/** Counters of a shop, and somebody's spare tablet. */
const mostSockets = 50;
/** A browser opens six for the pages, and one that stays; somebody may look at two of them. */
const mostConnections = { perAddress: 16, all: 128 };

/** All that another device can say. */
const FromDisplay = z.strictObject({ type: z.literal('watch'), watch: z.strictObject({ ...Watch.shape, screen: z.literal('customer') }) });

/**
 * The customer's screen for other devices: its own files and the shop's pictures, and a line on which one can watch that screen. Whoever is
 * in the network may reach it, so there is nothing behind it that does anything. @throws when the port cannot be had
 */
export async function startCustomerDisplays({ host, port, rendererFolder, desk, pictures, log }: CustomerDisplaysOptions): Promise<CustomerDisplays> {
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
    opened: (line) => serveDisplay(line, desk),
    longestMessageBytes,
    mostSockets,
    mostConnections,
    log,
  });
}

function serveDisplay(line: Line, desk: SeenDesk): void {
  const send = sendNewest(line);
  let shown: { readonly laneId: string | null; readonly watching: Watching } | null = null;
  line.onMessage((message) => {
    const parsed = FromDisplay.safeParse(message);
    if (!parsed.success) return null;
    const { watch } = parsed.data;
    const { laneId } = watch;
    // It stands at one lane.
    if (shown !== null && shown.laneId !== laneId) return null;
    if (shown === null) {
      if (laneId !== null && desk.lane(laneId) === null) line.log.warn({ lane: laneId }, 'a customer’s display asks for a lane that is not there');
      shown = { laneId, watching: openWatching({ desk: seenAt(desk, laneId), send: (view) => send({ type: 'view', view }) }) };
    }
    shown.watching.watch(watch);
    return Promise.resolve();
  });
  line.socket.on('close', () => shown?.watching.close());
}

/** One lane, and nothing of the others. @param asked null: the first one */
function seenAt(desk: SeenDesk, asked: string | null): SeenDesk {
  const own = (): string | null => asked ?? desk.lanes()[0]?.laneId ?? null;
  return {
    lanes() {
      const lanes = desk.lanes();
      const found = lanes.find(({ laneId }) => laneId === own());
      if (found !== undefined) return [found];
      // A lane that is not there is something else than a counter without any, which is being set up.
      return lanes.length > 0 && asked !== null ? [{ laneId: asked, name: asked }] : [];
    },
    lane: (laneId) => (laneId === own() ? desk.lane(laneId) : null),
    language: () => desk.language(),
    demo: () => null,
    subscribe: (listener) => desk.subscribe((laneId) => (laneId === null || laneId === own()) && listener(laneId)),
    watchedByCustomer: (laneId) => desk.watchedByCustomer(laneId),
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

/** The page and what it loads, and what that loads: found by their names, which hold a hash of the content and occur nowhere else. */
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
  // Somebody types it: short, and with the lane where there are several.
  app.get('/', (context) => context.redirect(`/customer/${new URL(context.req.url).search}`));
  app.get('*', (context) => {
    const file = files.get(context.req.path === '/customer/' ? page : context.req.path);
    return file === undefined ? context.notFound() : context.body(file.content, 200, { 'content-type': file.type });
  });
}

/** By which this machine may be called here. Addresses come and go with the network: looked at each time. */
function namesOf(host: string): string[] {
  const addresses = host === '0.0.0.0' || host === '::' ? Object.values(networkInterfaces()).flatMap((at) => at?.map(({ address }) => address) ?? []) : [host];
  const own = hostname().toLowerCase();
  return [...addresses.map((address) => (address.includes(':') ? `[${address}]` : address)), 'localhost', own, `${own}.local`].map((name) =>
    name.toLowerCase(),
  );
}
