/**
 * The thread that serves the customer's screen to other devices: sockets, files, and the rules for
 * what a device may send.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Hono } from 'hono';
import { z } from 'zod';
import { Watch, WatchMessage } from '../../../preload/contract.ts';
import { serveListener } from '../../support/listener-thread.ts';
import type { threadRpc } from '../../support/thread-rpc.ts';
import type { ClientSocket } from './client-socket.ts';
import { type Listener, startListener } from './listener.ts';
import { namesOf } from '../../support/own-names.ts';
import { shopPages, type ShopPictures } from './shop-pictures.ts';
import { PictureName } from '../../../preload/procedures/setup-customer.ts';

export interface DisplaysThreadData {
  readonly host: string;
  readonly port: number;
  readonly rendererFolder: string;
}

type Picture = Awaited<ReturnType<ShopPictures['read']>>;

/** What the thread calls in the process. */
export interface DisplaysProcess {
  /** A device has begun to watch: what it sends from now on keeps the rules. */
  opened(id: number, address: string): void;
  /** Resolves once the process has taken it in: until then nothing more of this device comes. */
  watch(id: number, watch: Watch): Promise<void>;
  closed(id: number): void;
  /** The system has taken this many characters of what was sent. */
  sent(id: number, length: number): void;
  picture(name: string): Promise<Picture>;
}

/** What the process calls in the thread. */
export interface DisplaysThread {
  send(id: number, text: string): void;
}

const maxMessageBytes = 1_024;
/** Enough for a shop's counters and some spare tablets. */
const maxSockets = 50;
/** A browser opens six for a page's files and one WebSocket; one device may show two pages. */
const limits = {
  perAddress: 16,
  all: 128,
  bytes: { perSecond: 16 * 1_024, burst: 256 * 1_024 },
  messages: { perSecond: 10, burst: 200 },
};
/** A picture is asked of the process once in this time, however many devices ask. */
const pictureMs = 1_000;
const pictureNames: ReadonlySet<string> = new Set(PictureName.options);

/** The only message that another device may send. */
const FromDisplay = WatchMessage.extend({
  a: z.tuple([z.strictObject({ ...Watch.shape, screen: z.literal('customer') })]),
});

export function serveDisplays(port: MessagePort, data: DisplaysThreadData): void {
  serveListener<DisplaysProcess>(port, async (owner, log) => {
    const process: ReturnType<typeof threadRpc<DisplaysProcess>> = owner;
    const sockets = new Map<number, ClientSocket>();
    const files = filesOfCustomerScreen(data.rendererFolder);
    let lastId = 0;
    const opened = (socket: ClientSocket): void => {
      const id = (lastId += 1);
      let laneId: string | null | undefined;
      socket.onMessage((message) => {
        const parsed = FromDisplay.safeParse(message);
        if (!parsed.success) return null;
        const [watch] = parsed.data.a;
        // A display always shows the same lane.
        if (laneId !== undefined && laneId !== watch.laneId) return null;
        if (laneId === undefined) {
          sockets.set(id, socket);
          void process.opened.asEvent(id, socket.address);
        }
        laneId = watch.laneId;
        return process.watch(id, watch);
      });
      socket.onClose(() => sockets.delete(id) && void process.closed.asEvent(id));
    };
    const listener: Listener = await startListener({
      host: data.host,
      port: data.port,
      nextFreeIfTaken: false,
      isOurs: (name, ownPort) =>
        namesOf(data.host).some(
          (own) => name === `${own}:${ownPort}` || (ownPort === 80 && name === own),
        ),
      pages(app) {
        shopPages(app, { read: onceIn(pictureMs, (name) => process.picture(name)) });
        customerPages(app, files);
      },
      opened,
      maxMessageBytes: maxMessageBytes,
      maxSockets: maxSockets,
      limits,
      maxConcurrent: 1,
      log,
    });
    const functions: DisplaysThread = {
      send: (id, text) =>
        sockets.get(id)?.send(text, () => void process.sent.asEvent(id, text.length)),
    };
    return { port: listener.port, functions, close: () => listener.close() };
  });
}

/** Asks once for all that ask within a time. */
function onceIn<Answer>(
  ms: number,
  ask: (name: string) => Promise<Answer>,
): (name: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (name) => {
    if (!pictureNames.has(name)) return Promise.resolve(null as Answer);
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = ask(name);
      answers.set(name, answer);
      setTimeout(() => answers.delete(name), ms).unref();
    }
    return answer;
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
  '.mp4': 'video/mp4',
};

/**
 * The page with everything it loads, found by searching each file for names of assets: they hold a
 * hash, so they occur nowhere else.
 */
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
    return file === undefined
      ? context.notFound()
      : context.body(file.content, 200, { 'content-type': file.type });
  });
}
