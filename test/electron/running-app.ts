import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { supervisedOption } from '../../main/host/desktop/supervised.ts';
import { Desktop } from '../desktop/desktop-app.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { TILLBEACON_ELECTRON: electron, TILLBEACON_INSTALLED: installed } = process.env;
/** Otherwise the steps run in the stand-in. */
export const isReal = electron !== undefined;
/** The installed program, or Electron's binary; null to use the stand-in. */
export const program = electron ?? null;
/** Whether an installer has installed it, with its fuses. */
export const isInstalled = isReal && installed !== undefined;

/** The operations that the steps need, whether the app runs in Electron or in the stand-in. */
export interface RunningApp {
  readonly stderr: string;
  /** @param before another page of that window than this one */
  window(name: string, before?: Page | null): Promise<Page>;
  says(words: string): Promise<void>;
  /** Ends the app in good order. @throws with its output otherwise */
  end(): Promise<void>;
}

/**
 * Without its supervisor, which would have the same port for Chromium's tools. Those of Node are
 * switched off by a fuse, so Playwright's own way is closed.
 */
export async function startApp(
  args: readonly string[],
  userData: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningApp> {
  if (electron === undefined) return Desktop.start(args, userData, more);
  const port = await freePort();
  return new RealApp(
    electron,
    [...commandOf(userData, supervisedOption, ...args), `--remote-debugging-port=${port}`],
    { ...process.env, ...more },
    port,
  );
}

/** Starts an AppImage as its user would: with its supervisor, and without access to its windows. */
export async function startAppImage(
  image: string,
  args: readonly string[],
  userData: string,
  more: Readonly<Record<string, string>>,
): Promise<RunningApp> {
  if (electron === undefined) return Desktop.start(args, userData, more, image);
  return new RealApp(
    image,
    [...args, `--user-data-dir=${userData}`, '--no-sandbox'],
    { ...process.env, ...more },
    null,
  );
}

/**
 * The command that starts the app without a debugging port, e.g. a second time: it ends by itself
 * where another one runs.
 */
export const commandOf = (userData: string, ...args: readonly string[]): string[] => [
  ...(isInstalled ? [] : [root]),
  ...args,
  `--user-data-dir=${userData}`,
  '--no-sandbox',
];

class RealApp implements RunningApp {
  stderr = '';
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  /** Port of Chromium's developer tools; null when they are not used. */
  readonly #port: number | null;
  #browser: Browser | null = null;

  constructor(
    binary: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    port: number | null,
  ) {
    this.#port = port;
    this.#child = spawn(binary, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.on('data', (part: Buffer) => (this.stderr += part.toString()));
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve));
  }

  async window(name: string, before: Page | null = null): Promise<Page> {
    await this.says('"ready"');
    this.#browser ??= await chromium.connectOverCDP(`http://127.0.0.1:${this.#port}`);
    const pages = (): Page[] =>
      this.#browser?.contexts().flatMap((context) => context.pages()) ?? [];
    const find = (): Page | undefined =>
      pages().find((page) => page !== before && page.url().includes(`/${name}/index.html`));
    await until(() => find() !== undefined, `the window ${name}`);
    return find() as Page;
  }

  says(words: string): Promise<void> {
    return until(() => this.stderr.includes(words), `the app to say ${words}`);
  }

  async end(): Promise<void> {
    await this.#browser?.close();
    this.#child.kill('SIGTERM');
    const code = await this.#exited;
    // Windows has no signals, so there the process is ended at once.
    if (code !== 0 && process.platform !== 'win32')
      throw new Error(`it ended with ${code}:\n${this.stderr}`);
  }
}
