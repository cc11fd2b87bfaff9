import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAliveMended, type Wine } from './wine.ts';

/** A Windows of its own, in a folder: with a registry and drives that no other test sees. */
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
    const child = spawnSync(this.#loader, command, { env: this.#env, stdio: ['ignore', this.#file('run.out'), this.#file('run.err')], timeout: 120_000 });
    const said = readFileSync(join(this.#folder, 'run.out'), 'utf8');
    if (child.status !== 0) throw new Error(`${command.join(' ')} ended with ${child.status}: ${said}`);
    return said;
  }

  /** Wine has no pipes for Node: what it says is in a file. */
  start(name: string, ...command: readonly string[]): { readonly child: ChildProcess; said(): string; log(): string } {
    const child = spawn(this.#loader, command, { env: this.#env, stdio: ['ignore', this.#file(`${name}.out`), this.#file(`${name}.err`)] });
    const text = (kind: string): string => readFileSync(join(this.#folder, `${name}.${kind}`), 'utf8');
    return { child, said: () => text('out'), log: () => text('err') };
  }

  close(): void {
    spawnSync('wineserver', ['--kill'], { env: this.#env });
    spawnSync('wineserver', ['--wait'], { env: this.#env, timeout: 20_000 });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): number {
    return openSync(join(this.#folder, name), 'w');
  }
}
