import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import jsQR from 'jsqr';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright';

/** The system's Chromium, or else the one that `npx playwright install chromium` has downloaded. */
export function chromiumPath(): string {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not in this folder
      }
    }
  }
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  throw new Error(
    'no Chromium: on Debian and Ubuntu, sudo apt-get install chromium; elsewhere, npx playwright install chromium',
  );
}

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  // Greyscale letters make the kept pictures half as large.
  '--disable-lcd-text',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium({
  args = [],
  executablePath = chromiumPath(),
}: Pick<LaunchOptions, 'args' | 'executablePath'> = {}): Promise<Browser> {
  // Without a system locale, Chromium drops names of downloads that are not ASCII.
  return chromium.launch({
    executablePath,
    args: [...chromiumFlags, ...args],
    env: { LANG: 'C.UTF-8', ...process.env },
  });
}

/**
 * Pages that go from test to test, one for each set of options: another context starts processes of
 * the browser, which costs as much as three loads of a screen.
 */
export class PagePool {
  readonly #pages = new Map<string, Page>();
  readonly #alone: Page[] = [];
  readonly #browser: Browser;
  readonly #prepare: (page: Page) => void;

  /** @param prepare called once for each page, e.g. to listen to its console */
  constructor(browser: Browser, prepare: (page: Page) => void) {
    this.#browser = browser;
    this.#prepare = prepare;
  }

  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const existing = this.#pages.get(key) ?? (await this.#make(options));
    this.#pages.set(key, existing);
    return existing;
  }

  /**
   * A page that is closed after the test, because init scripts or routes would stay in a shared
   * one.
   */
  async openAlone(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.#make(options);
    this.#alone.push(page);
    return page;
  }

  async #make(options: BrowserContextOptions): Promise<Page> {
    const page = await (
      await this.#browser.newContext({ viewport: { width: 1024, height: 768 }, ...options })
    ).newPage();
    this.#prepare(page);
    return page;
  }

  /** Called after each test, before the server of the pages is closed. */
  async clear(): Promise<void> {
    for (const page of this.#alone.splice(0)) await page.context().close();
    for (const page of this.#pages.values()) {
      if (!page.url().startsWith('http')) continue;
      for (const other of page.context().pages()) if (other !== page) await other.close();
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await page.emulateMedia({ media: null });
      await page.goto('about:blank');
    }
  }
}

const controlKeys: Readonly<Record<string, object>> = {
  '\r': { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 },
  '\t': { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  '\b': { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 },
  '\x1b': { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 },
  ' ': { key: ' ', code: 'Space', text: ' ', windowsVirtualKeyCode: 32 },
};

/**
 * What a scanner that types sends: the characters and then Enter, at a pace by the times that the
 * events carry. However busy the machine is that tests, no key comes at another pace.
 * @param gapsMs between two keys; of a list each in turn, so that also a person can type
 */
export async function typeAsScanner(
  page: Page,
  text: string,
  gapsMs: number | readonly number[] = 10,
): Promise<void> {
  const debugging = await page.context().newCDPSession(page);
  let atMs = Date.now();
  const events = Array.from(`${text}\r`).flatMap((character, index) => {
    if (index > 0)
      atMs += typeof gapsMs === 'number' ? gapsMs : (gapsMs[(index - 1) % gapsMs.length] ?? 0);
    const key = {
      ...(controlKeys[character] ?? { key: character, text: character }),
      timestamp: atMs / 1000,
    };
    return [
      debugging.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key }),
      debugging.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ];
  });
  await Promise.all(events);
  await debugging.detach();
}

/**
 * Reads the code from the picture of the screen, as a phone's camera does, and not from the markup.
 */
export async function scan(screen: Locator): Promise<string | null> {
  const picture = (await screen.screenshot()).toString('base64');
  const page = await screen.page().context().newPage();
  try {
    const { data, width, height } = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      let text = '';
      for (let from = 0; from < pixels.length; from += 0x8000)
        text += String.fromCharCode(...pixels.subarray(from, from + 0x8000));
      return { data: btoa(text), width: image.width, height: image.height };
    }, picture);
    return jsQR(new Uint8ClampedArray(Buffer.from(data, 'base64')), width, height)?.data ?? null;
  } finally {
    await page.close();
  }
}
