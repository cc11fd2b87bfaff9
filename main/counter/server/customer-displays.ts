import type { LaneView, Watch } from '../../../preload/contract.ts';
import type { Log } from '../../core/domain/log.ts';
import { isListenFailure, ListenError } from '../../core/domain/listening-port.ts';
import { Turns } from '../../core/domain/turns.ts';
import {
  openListenerThread,
  type StartThread,
  workerThread,
} from '../../support/listener-thread.ts';
import { type BoundedLog, boundedLog } from '../../core/domain/bounded-log.ts';
import { hello } from './connection.ts';
import {
  type DisplaysProcess,
  type DisplaysThread,
  type DisplaysThreadData,
} from './displays-thread.ts';
import { type SendQueue, sendNewest } from './newest-view.ts';
import type { ShopPictures } from './shop-pictures.ts';
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
  /** Tests run the thread's end in their own. */
  readonly startThread?: StartThread<DisplaysThreadData>;
}

export interface CustomerDisplays {
  readonly port: number;
  /** Resolves when its thread has ended although nobody closed it. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/** What displays ask for is taken in one message in a turn of the loop. */
const displayTurns = new Turns({ maxSteps: 1 });

/**
 * Serves the customer's screen to other devices: its files, the shop's pictures, and a WebSocket
 * that carries its views. Everybody in the network can reach it, so it accepts no calls, and its
 * sockets are in a thread of their own. @throws when the port cannot be had
 */
export async function startCustomerDisplays({
  startThread = workerThread(import.meta.url, 'displays-worker'),
  ...options
}: CustomerDisplaysOptions): Promise<CustomerDisplays> {
  const { host, port, rendererFolder, pictures } = options;
  const log = boundedLog(options.log);
  const displays = new Map<number, Display>();
  const end = (): void => {
    for (const display of displays.values()) display.close();
    displays.clear();
    log.close();
  };
  const queueOf = (id: number): Queue =>
    new Queue((text) => void thread.calls.send.asEvent(id, text));
  const functions: { readonly [Name in keyof DisplaysProcess]: DisplaysProcess[Name] } = {
    opened: (id, address) =>
      void displays.set(
        id,
        new Display(
          queueOf(id),
          options,
          boundedLog(log.child({ address }), { maxLines: 1, withinMs: Infinity }),
        ),
      ),
    async watch(id, watch) {
      await displayTurns.next();
      displays.get(id)?.watch(watch);
    },
    closed(id) {
      displays.get(id)?.close();
      displays.delete(id);
    },
    sent: (id, length) => displays.get(id)?.queue.sent(length),
    async picture(name) {
      const picture = await pictures.read(name);
      // A copy of these bytes alone: a small file shares its memory with others.
      return picture && { ...picture, content: Uint8Array.from(picture.content) };
    },
  };
  const thread = await openListenerThread<DisplaysThread>(
    startThread({ host, port, rendererFolder }),
    functions,
    options,
  ).catch((error: unknown) => {
    end();
    throw isListenFailure(error, port)
      ? new ListenError('the screens cannot be served', { host, port }, error)
      : error;
  });
  void thread.died.then(end);
  return {
    port: thread.port,
    died: thread.died,
    close() {
      end();
      return thread.close();
    },
  };
}

/**
 * The way to a device over the thread. What the system has not taken is counted, so that a slow
 * device gets the newest view only.
 */
class Queue implements SendQueue {
  readonly #post: (text: string) => void;
  readonly #unsent: { readonly length: number; readonly sent: () => void }[] = [];
  isOpen = true;
  bufferedAmount = 0;

  constructor(post: (text: string) => void) {
    this.#post = post;
  }

  send(text: string, sent: () => void): void {
    this.#unsent.push({ length: text.length, sent });
    this.bufferedAmount += text.length;
    this.#post(text);
  }

  /** The oldest text that was posted has been taken. */
  sent(length: number): void {
    this.bufferedAmount -= length;
    this.#unsent.shift()?.sent();
  }
}

/** What one device sees. */
class Display {
  readonly queue: Queue;
  readonly #options: Pick<CustomerDisplaysOptions, 'views' | 'version'>;
  readonly #log: BoundedLog;
  readonly #send: ReturnType<typeof sendNewest>;
  #watching: Watching | null = null;

  constructor(
    queue: Queue,
    options: Pick<CustomerDisplaysOptions, 'views' | 'version'>,
    log: BoundedLog,
  ) {
    this.queue = queue;
    this.#options = options;
    this.#log = log;
    this.#send = sendNewest(queue);
    if (options.version !== undefined) this.#send(hello(options.version));
  }

  watch(watch: Watch): void {
    const { views } = this.#options;
    const { laneId } = watch;
    if (this.#watching === null && laneId !== null && views.lane(laneId) === null)
      this.#log.warn({ lane: laneId }, 'a customer’s display asks for a lane that does not exist');
    this.#watching ??= openWatching({
      views: viewsOfLane(views, laneId),
      send: (view) => this.#send({ t: 'q', m: 'view', a: [view] }),
    });
    this.#watching.watch(watch);
  }

  close(): void {
    this.queue.isOpen = false;
    this.#watching?.close();
    this.#log.close();
  }
}

/** Leaves out the number pad, because another device can make no calls. */
function withoutPad(lane: LaneView | null): LaneView | null {
  if (lane === null) return null;
  const { numberPad: _here, ...customer } = lane.customer;
  return { ...lane, customer };
}

/** The views of one lane alone. @param requestedLane null for the first one */
function viewsOfLane(views: Views, requestedLane: string | null): Views {
  const own = (): string | null => requestedLane ?? views.lanes()[0]?.laneId ?? null;
  return {
    lanes() {
      const lanes = views.lanes();
      const ownLane = lanes.find(({ laneId }) => laneId === own());
      if (ownLane !== undefined) return [ownLane];
      // Somebody who mistyped the address reads which lanes there are, but no names. An empty list
      // means that the counter is being set up.
      return lanes.map(({ laneId }) => ({ laneId, name: laneId }));
    },
    lane: (laneId) => (laneId === own() ? withoutPad(views.lane(laneId)) : null),
    language: () => views.language(),
    restored: () => null,
    isSetUp: () => views.isSetUp(),
    demo: () => null,
    subscribe: (listener) =>
      views.subscribe((laneId) => (laneId === null || laneId === own()) && listener(laneId)),
    showsCode: (laneId) => views.showsCode(laneId),
  };
}
