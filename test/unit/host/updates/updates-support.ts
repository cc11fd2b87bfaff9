/** An updater of the daemon beside a feed that the tests write and serve. */
import { generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { packageDelivery } from '../../../../main/host/updates/package-delivery.ts';
import { Updater, type UpdatesSettings } from '../../../../main/host/updates/updater.ts';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeFeed } from '../../../../scripts/update-feed.mjs';
import { ManualClock } from '../../support/manual-clock.ts';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
export const key = newKey();
export const otherKey = newKey();
export const platform = 'test-x64';
export const minuteMs = 60_000;

interface UpdatesBench {
  settings: UpdatesSettings;
  clock: ManualClock;
  quiet: boolean;
  isTimeKnown: boolean;
  restarts: number;
  updater: Updater;
  /** The paths that were requested. */
  requests: string[];
  /** Answers in place of the feed. */
  instead: (path: string, response: ServerResponse) => boolean;
}

let folder: string;
let server: Server;
export let bench: UpdatesBench;

export const at = (...names: readonly string[]): string => join(folder, ...names);
export const feedFile = (name: string): string => at('feed', name);

/** A package that differs from others in its daemon alone. */
export function packageOf(version: string): string {
  const tree = at(`tree-${version}`);
  mkdirSync(join(tree, 'out', 'main'), { recursive: true });
  mkdirSync(join(tree, 'bin'), { recursive: true });
  writeFileSync(join(tree, 'out', 'main', 'daemon.js'), `// ${version}`);
  writeFileSync(join(tree, 'bin', 'node'), Buffer.alloc(100_000, 3), { mode: 0o755 });
  return tree;
}

export function offer(
  version: string,
  about: {
    minimumVersion?: string;
    channel?: string;
    key?: string;
    validDays?: number;
    packages?: Record<string, string>;
  } = {},
): void {
  writeFeed({
    out: at('feed'),
    version,
    minimumVersion: '0.0.0',
    channel: 'stable',
    packages: { [platform]: packageOf(version) },
    key,
    ...about,
  });
}

export function newUpdater(version = '1.0.0'): Updater {
  const about = { folder: at('updates'), version, log: silentLog };
  return new Updater({
    settings: () => bench.settings,
    delivery: packageDelivery({
      ...about,
      program: at(`tree-${version}`),
      journalLayout: 6,
      platform,
      restart: () => (bench.restarts += 1),
    }),
    isQuiet: () => bench.quiet,
    isTimeKnown: () => bench.isTimeKnown,
    clock: bench.clock,
    ...about,
  });
}

/** Opens a bench for each test of the file that calls this. */
export function openBenches(): void {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-updates-'));
    mkdirSync(at('feed'));
    packageOf('1.0.0');
    server = createServer(({ url = '' }, response) => {
      bench.requests.push(url);
      if (bench.instead(url, response)) return;
      const file = feedFile(url);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    bench = {
      settings: {
        feed: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        publicKey: publicKeyOf(key),
        channel: 'stable',
      },
      clock: new ManualClock(),
      quiet: true,
      isTimeKnown: true,
      restarts: 0,
      requests: [],
      instead: () => false,
      // Made next: it needs the others.
      updater: undefined as never,
    };
    bench.updater = newUpdater();
  });
  afterEach(async () => {
    bench.updater.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true, force: true });
  });
}

export const brought = (): string[] =>
  existsSync(at('updates', 'versions')) ? readdirSync(at('updates', 'versions')).toSorted() : [];
