import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Started, startInWine, wine } from './wine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const start = (args: readonly string[], env: Record<string, string>): Started => ({
  child: spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  }),
  finish: () => {},
});

/** The built product, or a program of the tests, in a separate process. */
export class Product {
  readonly child: ChildProcess;
  /** The lines on stdout. */
  readonly lines: string[] = [];
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param entry the name of one that is built, the path of a source, or the whole path of one that
   * is built elsewhere
   */
  constructor(entry: string, args: readonly string[], env: Record<string, string> = {}) {
    const run = [
      isAbsolute(entry)
        ? entry
        : join(root, entry.endsWith('.ts') ? entry : `out/main/${entry}.js`),
      ...args,
    ];
    let rest = '';
    const onStdout = (text: string): void => {
      rest += text;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
      for (const wake of this.#waiting.splice(0)) wake();
    };
    const onStderr = (text: string): void => {
      this.stderr += text;
    };
    const started =
      wine !== null && entry === 'daemon'
        ? startInWine(wine, run, { cwd: root, env, onStdout, onStderr })
        : start(run, env);
    this.child = started.child;
    this.child.stdout?.on('data', (chunk: Buffer) => onStdout(chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
    this.exited = new Promise((resolve) =>
      this.child.once('close', (code, signal) => {
        started.finish();
        resolve({ code, signal });
        for (const wake of this.#waiting.splice(0)) wake();
      }),
    );
  }

  /** The first line on stdout, parsed. */
  async ready<Line>(): Promise<Line> {
    while (this.lines.length === 0) {
      if (this.child.exitCode !== null)
        throw new Error(`it ended before it was ready:\n${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return JSON.parse(this.lines[0] as string) as Line;
  }

  /** The complete lines of the log so far; a process may answer before it has logged. */
  log(): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until a line of the log says each of these. */
  async logs(...messages: readonly string[]): Promise<void> {
    const missing = (): string[] => {
      const loggedMessages = new Set(this.log().map(({ msg }) => msg));
      return messages.filter((message) => !loggedMessages.has(message));
    };
    await until(() => missing().length === 0, `the log to say ${JSON.stringify(messages)}`);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.exited;
  }
}

/** Ends a process and everything that it has started, as a power cut does. */
export async function cutPower({
  child,
  exited,
}: {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
}): Promise<void> {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const processes = all.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (pid: number): number[] => [
    pid,
    ...processes.filter(([, parent]) => parent === pid).flatMap(([one]) => below(one)),
  ];
  for (const pid of below(child.pid as number)) process.kill(pid, 'SIGKILL');
  await exited;
}

export interface SimulatorReady {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string;
  readonly storeIds: string[];
  /** Credentials of the ePayment service, at the same address. */
  readonly epayment: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly subscriptionKey: string;
    readonly merchantSerialNumber: string;
  };
}

export interface DaemonReady {
  readonly ready: true;
  readonly screens: string;
  readonly lanes: { id: string; till: string }[];
  /** The address for tills over HTTP. */
  readonly api?: string;
}

/**
 * Two serial ports with a cable between them; pulled by ending socat, plugged in again under the
 * same names.
 */
export class SerialCable {
  readonly terminalPath: string;
  readonly tillPath: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-pty-'));
  #socat: ChildProcess | null = null;

  constructor() {
    this.terminalPath = join(this.#folder, 'terminal');
    this.tillPath = join(this.#folder, 'till');
  }

  async plugIn(): Promise<this> {
    this.#socat = spawn(
      'socat',
      [`pty,raw,echo=0,link=${this.terminalPath}`, `pty,raw,echo=0,link=${this.tillPath}`],
      { stdio: 'ignore' },
    );
    await until(
      () => existsSync(this.terminalPath) && existsSync(this.tillPath),
      'the serial ports',
    );
    return this;
  }

  async pull(): Promise<void> {
    const socat = this.#socat;
    if (socat === null) return;
    this.#socat = null;
    const ended = new Promise((resolve) => socat.once('close', resolve));
    socat.kill('SIGTERM');
    await ended;
    await until(() => !existsSync(this.terminalPath), 'the cable to be out');
  }

  async remove(): Promise<void> {
    await this.pull();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
