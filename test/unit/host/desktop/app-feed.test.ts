import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SignedFeed } from '../../../../main/host/desktop/app-feed.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { appDelivery } from '../../../../main/host/desktop/app-delivery.ts';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeList } from '../../../../scripts/update-feed.mjs';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const key = newKey();
const sha512 = Buffer.alloc(64, 7).toString('base64');
const right = `version: 1.1.0
files:
  - url: Tillbeacon-1.1.0.AppImage
    sha512: ${sha512}
    size: 12
path: Tillbeacon-1.1.0.AppImage
sha512: ${sha512}
stagingPercentage: 0
product: tillbeacon-app
channel: stable
minimumVersion: 1.0.0
`;

let folder: string;
let nowMs = 0;
let server: Server;
let files: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-app-feed-'));
  nowMs = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const content = files[url.slice(1)];
    if (content === undefined) response.writeHead(302, { location: '/stable-linux.yml' }).end();
    else response.end(content);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

function offerOf(
  text: string,
  {
    by = key,
    name = 'stable',
    signed = text,
    ...about
  }: { by?: string; name?: string; signed?: string; serial?: number } = {},
) {
  const file = join(folder, 'stable-linux.yml');
  writeList(file, signed, { key: by, ...about });
  files = Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  files['stable-linux.yml'] = text;
  const wanted = {
    feed: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    publicKey: publicKeyOf(key) as string,
    channel: 'stable',
  };
  const runtime = {
    isUseMultipleRangeRequest: false,
    platform: 'linux',
    executor: {},
  } as unknown as ConstructorParameters<typeof SignedFeed>[2];
  return new SignedFeed(
    {
      name,
      wanted,
      asking: { signal: new AbortController().signal, folder: join(folder, 'updates'), nowMs },
    },
    null,
    runtime,
  ).getLatestVersion();
}

test('electron-updater is given what is signed, and of it only what was judged', async () => {
  const offer = await offerOf(right);
  expect(offer).toMatchObject({
    version: '1.1.0',
    channel: 'stable',
    minimumVersion: '1.0.0',
    files: [{ url: 'Tillbeacon-1.1.0.AppImage', sha512, size: 12 }],
  });
  expect(offer).not.toHaveProperty('stagingPercentage');
});

test.each([
  ['another key', right, { by: newKey() }, 'is not signed by the key'],
  [
    'another content',
    right.replaceAll('1.1.0', '1.9.0'),
    { signed: right },
    'is not signed by the key',
  ],
  ['a redirection', right, { name: 'beta' }, 'answered 302'],
  ['the feed of the daemon', right.replace('tillbeacon-app', 'tillbeacon'), {}, 'product'],
  [
    'no word about who may be updated',
    right.replace(/minimumVersion.*\n/, ''),
    {},
    'minimumVersion',
  ],
  [
    'a version that none can be compared with',
    right.replace('version: 1.1.0', 'version: 1.1.0-beta.1'),
    {},
    'must be a version such as 1.2.3',
  ],
  [
    'a file elsewhere',
    right.replace('url: Till', 'url: https://elsewhere.example/Till'),
    {},
    'must be the name of a file',
  ],
  [
    'a file outside',
    right.replace('url: Till', 'url: ../../Till'),
    {},
    'must be the name of a file',
  ],
  ['a file without a hash', right.replace(`    sha512: ${sha512}\n`, ''), {}, 'files.0.sha512'],
  ['what is no YAML', '{', {}, 'Cannot parse update info'],
  ['no end', right + '#'.repeat(200_000), {}, 'is longer than'],
] as const)('%s is refused', async (_name, text, about, why) => {
  await expect(offerOf(text, about)).rejects.toThrow(why);
});

test('a list that has expired is refused, and so is an older one than was seen', async () => {
  nowMs = Date.now() + 91 * 24 * 60 * 60_000;
  await expect(offerOf(right)).rejects.toThrow('expired at');
  nowMs = Date.now();
  await offerOf(right);
  await expect(offerOf(right, { serial: 1 })).rejects.toThrow('has the serial number 1, but');
});

test('what a package manager has installed is left to it', async () => {
  const options = {
    folder: '/nowhere',
    appImage: null,
    platform: 'linux',
    version: '1.0.0',
    journalLayout: 7,
    screensOnly: false,
    restart() {},
    end() {},
    updaters: () => Promise.reject(new Error('it is not loaded')),
    log: silentLog,
  } as const;
  const wanted = { feed: 'https://updates.example', publicKey: '', channel: 'stable' };
  await expect(
    appDelivery(options).offered('stable', wanted, {
      signal: new AbortController().signal,
      folder: '/nowhere',
      nowMs: 0,
    }),
  ).rejects.toThrow('the package manager');
});
