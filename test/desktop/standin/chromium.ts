/** The Chromium of all windows; it starts when the app is ready. */
import { type Browser, type BrowserContext, type CDPSession, chromium } from 'playwright';

interface Launched {
  readonly browser: Browser;
  /** One for all windows, as the default session is. */
  readonly context: BrowserContext;
  /** The session of the whole browser, not of a page. */
  readonly cdp: CDPSession;
}

let launched: Launched | null = null;
let launching: Promise<Launched> | null = null;

export function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the stand-in needs ${name}`);
  return value;
}

export const isReady = (): boolean => launched !== null;

/** @throws as Electron does: most of it is there only when the app is ready */
export function readyOr(message: string): Launched {
  if (launched === null) throw new Error(message);
  return launched;
}

export function launchOnce(): Promise<Launched> {
  launching ??= launch();
  return launching;
}

async function launch(): Promise<Launched> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    `--remote-debugging-port=${need('STANDIN_DEBUG_PORT')}`,
  ];
  const browser = await chromium.launch({ executablePath: need('STANDIN_CHROMIUM'), args });
  const context = await browser.newContext({ acceptDownloads: true });
  launched = { browser, context, cdp: await browser.newBrowserCDPSession() };
  return launched;
}
