import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

/** Where names are looked up inside it, as iproute2 arranges it. */
const namespace = `tillbeacon-${process.pid}`;
const folder = `/etc/netns/${namespace}`;
const inside = ['ip', 'netns', 'exec', namespace] as const;

const ran = (...[command, ...args]: readonly string[]): boolean =>
  spawnSync(command ?? '', args).status === 0;

const shaped = (...how: readonly string[]): boolean =>
  ran(...inside, 'tc', 'qdisc', 'add', 'dev', 'lo', 'root', ...how);
/**
 * Kernels without netem often have the token bucket: 1000 bytes a second, behind what `asked` has
 * sent before.
 */
const delayed = (): boolean =>
  shaped('netem', 'delay', '200ms') ||
  shaped('tbf', 'rate', '8kbit', 'burst', '1600', 'limit', '100000');

/**
 * A link whose TCP handshake takes over 400 ms, and a name with an address that nothing reaches
 * beside the right one. @returns why there is none
 */
function slowLink(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  if (!ran('ip', 'netns', 'add', namespace))
    return 'this system makes no network namespaces (iproute2, or a container without the right to)';
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/hosts`, '127.0.0.1 wallet.example\n198.51.100.7 wallet.example\n');
  if (!ran(...inside, 'ip', 'link', 'set', 'lo', 'up')) return 'the namespace has no loopback';
  return delayed() ? null : 'its kernel or iproute2 can delay nothing';
}

const missing = slowLink();
if (missing !== null) {
  clear();
  console.warn(`NOT TESTED: slow links with several addresses, because ${missing}`);
}

function clear(): void {
  spawnSync('ip', ['netns', 'delete', namespace]);
  rmSync(folder, { recursive: true, force: true });
}
afterAll(clear);

const source = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../${name}`, import.meta.url)));

/** @param client resolves to what asks for an address. @returns what came of it */
const asked = (client: string): string =>
  execFileSync(inside[0], [
    ...inside.slice(1),
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { createSocket } from 'node:dgram';
     import { createServer } from 'node:http';
     import { Worker } from 'node:worker_threads';
     const ask = await ${client};
     const sink = createSocket('udp4').bind(9000, '127.0.0.1');
     const server = createServer((request, response) => response.end('the service')).listen(0, '127.0.0.1', async () => {
       for (let sent = 0; sent < 16; sent += 1) await new Promise((done) => sink.send(Buffer.alloc(100), 9000, '127.0.0.1', done));
       const url = 'http://wallet.example:' + server.address().port + '/';
       process.stdout.write(await ask(url).then((one) => one.text(), (error) => 'failed: ' + (error.cause?.code ?? error.code)));
       process.exit();
     });`,
  ]).toString();

describe.skipIf(missing !== null)(
  'a link whose handshake takes over 400 ms, and a name with two addresses',
  () => {
    // Each begins with a full bucket.
    beforeEach(() => {
      ran(...inside, 'tc', 'qdisc', 'delete', 'dev', 'lo', 'root');
      expect(delayed()).toBe(true);
    });

    it('fails for whoever gives each address 250 ms', () => {
      expect(asked('((url) => fetch(url))')).toMatch(/^failed: E/);
    });

    it('is slow, and no outage', () => {
      expect(
        asked(
          `import(${source('main/support/http-client.ts')}).then(({ httpClient }) => (url) => httpClient(url, {}))`,
        ),
      ).toBe('the service');
    });

    it('is no outage in a thread either', () => {
      const client = `new Promise((ready) => {
      const worker = new Worker(${source('test/support/asking-thread.ts')}, { execArgv: [] });
      worker.once('message', () => ready(async (url) => {
        worker.postMessage(url);
        return { text: () => new Promise((told) => worker.once('message', told)) };
      }));
    })`;
      expect(asked(client)).toBe('the service 2500');
    });
  },
);
