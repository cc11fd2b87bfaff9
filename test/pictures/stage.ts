import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright';
import { languages } from '../../main/core/domain/languages.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { forScreen } from '../../main/counter/server/lane-view.ts';
import { type Handlers, Router } from '../../main/counter/server/router.ts';
import { type ScreensServer, startScreensServer } from '../../main/counter/server/pages-server.ts';
import type { Session } from '../../main/counter/server/session.ts';
import type { Views } from '../../main/counter/server/watching.ts';
import type { ShopPictures } from '../../main/counter/server/shop-pictures.ts';
import { quietLane } from '../support/quiet-lane.ts';
import type { DemoView, LaneView, View } from '../../preload/contract.ts';
import type { Answer } from '../../preload/procedures/procedure.ts';
import { shopPictures } from './shop-pictures.ts';

/** The state of a made-up counter, as far as screens can tell. */
export interface Scene {
  /** Left out: one idle lane. */
  readonly lanes?: readonly LaneView[];
  readonly demo?: DemoView;
  readonly restored?: NonNullable<View['restored']>;
  /** Left out: whether it has lanes or was restored. */
  readonly isSetUp?: boolean;
  /** The handlers of procedures; every other procedure is refused. */
  readonly answers?: Handlers;
}

/** The time on every page: a Saturday afternoon. */
export const nowMs = Date.parse('2026-11-21T14:32:10+01:00');

/** A backup of yesterday evening, with two payments under way. */
export const restored = { madeAtMs: nowMs - 18 * 3_600_000, from: 'KASSE-PC-02', unsettled: 2 };

/** The folder of a screen, as in its address. */
export type ScreenFolder = 'cashier' | 'customer' | 'home' | 'manager' | 'setup';

/** An answer that does not come, to show what the screen says until then. */
export const never = (): Promise<never> => new Promise(() => {});

const rendererFolder = fileURLToPath(new URL('../../out/renderer', import.meta.url));

/**
 * What each page has asked for and not got, and the languages whose texts it has: its parts are
 * loaded when they are needed, or while nothing else is to be done.
 */
const loads = new WeakMap<Page, { readonly awaited: Set<Request>; readonly texts: Set<string> }>();

/** The built screens, served as the daemon serves them, before a counter that a test makes up. */
export class Stage implements Views {
  #server: ScreensServer | null = null;
  #port = 0;
  #scene: Scene = {};
  #router = routerOf({});
  readonly #listeners = new Set<(laneId: string | null) => void>();
  /** Calls, from the first on. */
  callCount = 0;

  static async open(): Promise<Stage> {
    const stage = new Stage();
    await stage.listen();
    return stage;
  }

  /** Serves; after {@link close} at the same address again. */
  async listen(): Promise<void> {
    const pictures = shopPictures as unknown as ShopPictures;
    this.#server = await startScreensServer({
      host: '127.0.0.1',
      port: this.#port,
      nextFreeIfTaken: false,
      rendererFolder,
      views: this,
      router: this,
      pictures,
      log: silentLog,
    });
    this.#port = Number(new URL(this.#server.url).port);
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  play(scene: Scene): void {
    this.#scene = scene;
    this.#router = routerOf(scene.answers ?? {});
    for (const listener of this.#listeners) listener(null);
  }

  /** Waits until the page has drawn the current scene. */
  async seenBy(page: Page, screen: ScreenFolder): Promise<void> {
    await this.viewReaches(page, screen);
    await this.stillness(page);
  }

  /** Waits until the page knows the current scene; it may not be drawn yet. */
  async viewReaches(page: Page, screen: ScreenFolder): Promise<void> {
    const lane = this.lane(
      new URL(page.url()).searchParams.get('lane') ?? this.lanes()[0]?.laneId ?? '',
    );
    const seen = lane && forScreen(screen === 'home' ? 'demo' : screen, lane);
    await page.waitForFunction(
      ([tag, text]) => {
        const view = (
          document.querySelector(tag as string) as { view?: { lane: unknown } | null } | null
        )?.view;
        return view != null && JSON.stringify(view.lane) === text;
      },
      [`tb-${screen}`, JSON.stringify(seen)],
    );
  }

  /** Waits until the page has the texts of every language, and its parts. */
  async everyText(page: Page): Promise<void> {
    while ((loads.get(page)?.texts.size ?? languages.length) < languages.length)
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    await this.stillness(page);
  }

  /** Waits until the page loads and asks nothing more, and has drawn what it was told. */
  async stillness(page: Page): Promise<void> {
    let before: number;
    do {
      before = this.callCount;
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    } while (before !== this.callCount || (loads.get(page)?.awaited.size ?? 0) > 0);
  }

  lanes(): { laneId: string; name: string }[] {
    return (this.#scene.lanes ?? [quietLane]).map(({ laneId, name }) => ({ laneId, name }));
  }
  lane(laneId: string): LaneView | null {
    return (this.#scene.lanes ?? [quietLane]).find((lane) => lane.laneId === laneId) ?? null;
  }
  language(): LaneView['customer']['language'] {
    return this.#scene.lanes?.[0]?.customer.language ?? null;
  }

  restored(): View['restored'] | null {
    return this.#scene.restored ?? null;
  }
  isSetUp(): boolean {
    return this.#scene.isSetUp ?? (this.lanes().length > 0 || this.#scene.restored !== undefined);
  }
  demo(): DemoView | null {
    return this.#scene.demo ?? null;
  }
  subscribe(listener: (laneId: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  showsCode(): () => void {
    return () => {};
  }
  call(session: Session, name: string, input: unknown): Promise<Answer> {
    this.callCount += 1;
    return this.#router.call(session, name, input);
  }
}

function routerOf(handlers: Handlers): Router {
  return new Router({
    handlers,
    middleware: { mayCall: () => true, record: () => {}, recordRefused: () => {} },
    log: silentLog,
  });
}

export interface PageOptions
  extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'deviceScaleFactor'> {
  /** Collects the errors on the page's console. */
  readonly mistakes?: string[];
}

/** A page in Copenhagen at {@link nowMs}, with clocks and animations stopped. */
export async function openPage(
  browser: Browser,
  { mistakes, ...options }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 768 },
    timezoneId: 'Europe/Copenhagen',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  await context.clock.setFixedTime(nowMs);
  // Countdowns go by it.
  await context.addInitScript(() => {
    performance.now = () => 1_000;
  });
  const page = await context.newPage();
  const [awaited, texts] = [new Set<Request>(), new Set<string>()];
  loads.set(page, { awaited, texts });
  page.on('request', (request) => awaited.add(request));
  page.on('requestfinished', (request) => {
    awaited.delete(request);
    const language = /\/texts-(\w+)-/.exec(request.url())?.[1];
    if (language !== undefined) texts.add(language);
  });
  page.on('requestfailed', (request) => awaited.delete(request));
  page.on('pageerror', (error) => mistakes?.push(error.message));
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !message.text().includes('WebSocket') &&
      mistakes?.push(message.text()),
  );
  return page;
}
