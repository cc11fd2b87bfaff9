import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAliveMended, type Wine } from './wine.ts';

/**
 * A Windows installation in a folder, with its own registry and drives, which no other test uses.
 */
export class WindowsPc {
  readonly #loader: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-wine-'));
  readonly #env = {
    ...process.env,
    WINEPREFIX: join(this.#folder, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    NODE_SKIP_PLATFORM_CHECK: '1',
  };

  #starts = 0;

  constructor({ loader }: Wine) {
    this.#loader = loader;
    this.run('reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f');
    copyFileSync(keepAliveMended, this.path('keep-alive.cjs'));
  }

  /** A path on drive C:, from outside. */
  path(inside: string): string {
    return join(this.#env.WINEPREFIX, 'drive_c', inside);
  }

  /** @throws Error when it fails */
  run(...command: readonly string[]): string {
    const child = spawnSync(this.#loader, command, {
      env: this.#env,
      stdio: ['ignore', this.#file('run.out'), this.#file('run.err')],
      timeout: 120_000,
    });
    const output = readFileSync(join(this.#folder, 'run.out'), 'utf8');
    if (child.status !== 0)
      throw new Error(`${command.join(' ')} ended with ${child.status}: ${output}`);
    return output;
  }

  /** Wine has no pipes for Node, so the output is in a file. */
  start(
    name: string,
    ...command: readonly string[]
  ): { readonly child: ChildProcess; said(): string; log(): string } {
    const child = spawn(this.#loader, command, {
      env: this.#env,
      stdio: ['ignore', this.#file(`${name}.out`), this.#file(`${name}.err`)],
    });
    const text = (kind: string): string =>
      readFileSync(join(this.#folder, `${name}.${kind}`), 'utf8');
    return { child, said: () => text('out'), log: () => text('err') };
  }

  /** Ends every process at once. What is in the registry is on disk, as after `RegFlushKey`. */
  failPower(): void {
    this.#starts += 1;
    spawnSync('wineserver', ['--kill'], { env: this.#env });
    spawnSync('wineserver', ['--wait'], { env: this.#env, timeout: 20_000 });
  }

  /**
   * Windows starts, and then what it runs when its user signs in. Wine leaves this user's `RunOnce`
   * to us.
   */
  signIn(): void {
    spawnSync(this.#loader, ['wineboot'], { env: this.#env, stdio: 'ignore', timeout: 120_000 });
    const runOnce = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\RunOnce`;
    const starts = this.#starts;
    // What `reg query` says is in characters of DOS.
    this.run('reg', 'export', runOnce, String.raw`C:\run-once.reg`, '/y');
    for (const [, name = '', command = ''] of readFileSync(
      this.path('run-once.reg'),
      'utf16le',
    ).matchAll(/^"(!.+?)"="(.*)"\r?$/gm)) {
      const [, program = '', options = ''] =
        /^"(.+?)" (.*)$/.exec(command.replaceAll(/\\(.)/g, '$1')) ?? [];
      const child = spawn(this.#loader, [program, ...options.split(' ')], {
        env: this.#env,
        stdio: 'ignore',
      });
      // A value whose name begins so is removed when its command has ended.
      child.once('exit', () => {
        if (starts === this.#starts)
          spawnSync(this.#loader, ['reg', 'delete', runOnce, '/v', name, '/f'], {
            env: this.#env,
            stdio: 'ignore',
          });
      });
    }
  }

  close(): void {
    this.failPower();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): number {
    return openSync(join(this.#folder, name), 'w');
  }
}
