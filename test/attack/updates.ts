import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeFeed, writeList } from '../../scripts/update-feed.mjs';
import { linkPackages, packageOf, platform } from '../support/newer-version.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { attackArea } from './attack.ts';

interface Target {
  readonly folder: string;
  readonly feed: Server;
  readonly service: Product;
  readonly launcher: Product;
  readonly screens: string;
  /** Answers in place of the feed; false when the feed's own file is to be sent. */
  instead: (path: string, response: ServerResponse) => boolean;
}

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const key = newKey();
const refusal = 'update could not be downloaded: this version keeps running';
/** The mark that the attacker's daemon leaves when it is run, which no attack may achieve. */
const evil = 'evil-daemon-ran';

async function openTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-updates-'));
  linkPackages(folder);
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  mkdirSync(join(folder, 'feed'));
  const service = new Product('simulator', ['--port', '0']);
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
    await service.ready<SimulatorReady>();
  const target = { instead: () => false } as unknown as {
    -readonly [Name in keyof Target]: Target[Name];
  };
  const feed = createServer((request, response) => {
    const path = request.url ?? '/';
    if (target.instead(path, response)) return;
    const file = join(folder, 'feed', path);
    if (existsSync(file) && statSync(file).isFile()) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => feed.listen(0, '127.0.0.1', done));
  const pointOfSale = {
    merchantPosId: 'attacked',
    storeId: storeIds[0],
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  };
  const settings = {
    wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
    lanes: [
      {
        id: '1',
        name: 'Check-out 1',
        currency: 'DKK',
        pointOfSale,
        till: { protocol: 'zvt', transport: 'tcp', port: 0 },
      },
    ],
    updates: {
      feed: `http://127.0.0.1:${(feed.address() as AddressInfo).port}`,
      publicKey: publicKeyOf(key),
    },
  };
  writeFileSync(join(folder, 'data', 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const installed = packageOf(folder, '0.1.0', { asksEach: true });
  const launcher = new Product(join(installed, 'out', 'main', 'launcher.js'), [
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
  ]);
  const { screens } = await launcher.ready<DaemonReady>();
  return Object.assign(target, { folder, feed, service, launcher, screens });
}

/** @returns a package whose daemon is the attacker's */
function evilPackage({ folder }: Target): string {
  const tree = join(folder, 'evil');
  mkdirSync(join(tree, 'out', 'main'), { recursive: true });
  const ran = JSON.stringify(join(folder, evil));
  writeFileSync(
    join(tree, 'out', 'main', 'daemon.js'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${ran}, ''); setInterval(() => {}, 1_000);`,
  );
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}');
  return tree;
}

function offer(target: Target, version: string, by = key, about: object = {}): void {
  const packages = { [platform]: evilPackage(target) };
  writeFeed({
    out: join(target.folder, 'feed'),
    version,
    minimumVersion: '0.0.0',
    channel: 'stable',
    packages,
    key: by,
    ...about,
  });
}

/**
 * Signed by the right key, as by somebody who has stolen it. The checks behind the signature must
 * hold by themselves.
 */
function offerFile(target: Target, file: object): void {
  const one = {
    path: 'out/main/daemon.js',
    bytes: 2,
    sha256: '0'.repeat(64),
    executable: false,
    ...file,
  };
  const text = JSON.stringify({
    product: 'tillbeacon',
    channel: 'stable',
    version: '9.0.0',
    minimumVersion: '0.0.0',
    packages: { [platform]: [one] },
  });
  writeList(join(target.folder, 'feed', 'stable.json'), text, { key });
}

/**
 * @returns the daemon's message after it has looked @throws when the message is another one, or
 * another program runs
 */
async function refused(target: Target, why: RegExp): Promise<string> {
  const { launcher, folder, screens } = target;
  const details = (): string[] =>
    launcher
      .log()
      .flatMap(({ msg, detail }) =>
        msg === refusal && typeof detail === 'string' ? [detail] : [],
      );
  const before = details().length;
  const isOver = (): boolean =>
    details().length > before + 1 ||
    existsSync(join(folder, evil)) ||
    existsSync(join(folder, 'data', 'updates', 'current.json'));
  await until(isOver, 'the daemon to look for updates');
  target.instead = () => false;
  if (existsSync(join(folder, evil))) throw new Error('the attacker’s program ran');
  if (existsSync(join(folder, 'data', 'updates', 'current.json')))
    throw new Error('the attacker’s version was chosen');
  const versions = join(folder, 'data', 'updates', 'versions');
  const whole = existsSync(versions)
    ? readdirSync(versions).filter((name) => !name.endsWith('.partial'))
    : [];
  if (whole.length > 0) throw new Error(`it was brought: ${whole.join(', ')}`);
  const detail = details().at(-1) as string;
  if (!why.test(detail)) throw new Error(`it was refused for another reason: ${detail}`);
  if (!(await fetch(`${screens}/readyz`)).ok)
    throw new Error('the lane takes no payments any more');
  return detail;
}

/** Attacks by somebody who has the feed's server, its name in the DNS, or the key. */
export const updatesArea = attackArea<Target>('updates', {
  open: openTarget,
  async close({ launcher, service, feed, folder }) {
    await launcher.end();
    await service.end('SIGKILL');
    feed.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  },
  attacks: [
    {
      name: 'the feed’s server offers a version of its own, signed by another key',
      attempt(target) {
        offer(target, '9.0.0', newKey());
        return refused(target, /not signed by the key/);
      },
    },
    {
      name: 'the feed’s server offers an older version, which was signed once',
      attempt(target) {
        offer(target, '0.0.9');
        return refused(target, /the feed offers 0\.0\.9, which is older than/);
      },
    },
    {
      name: 'the feed’s server goes back to a list that was signed before the newest, takes its timestamp away, or changes its serial number',
      async attempt(target) {
        const names = [
          'stable.json',
          'stable.json.sig',
          'stable.json.timestamp',
          'stable.json.timestamp.sig',
        ];
        const file = (name: string): string => join(target.folder, 'feed', name);
        // Nobody is served until both are written.
        target.instead = (_path, response) => (response.writeHead(503).end(), true);
        offer(target, '9.0.0');
        const old = new Map(names.map((name) => [name, readFileSync(file(name))]));
        // The newest is this version: nothing is brought.
        offer(target, '0.1.0');
        target.instead = () => false;
        const { serial } = JSON.parse(readFileSync(file('stable.json.timestamp'), 'utf8')) as {
          serial: number;
        };
        const serialsFile = join(target.folder, 'data', 'updates', 'feed-serials.json');
        const seen = (): boolean =>
          existsSync(serialsFile) && readFileSync(serialsFile, 'utf8').includes(String(serial));
        await until(seen, 'the newest list to be seen');
        const put = (content: ReadonlyMap<string, Buffer>): void =>
          content.forEach((bytes, name) => writeFileSync(file(name), bytes));
        put(old);
        const report = [
          await refused(target, /^stable\.json has the serial number \d+, but \d+ was seen/),
        ];
        const higher =
          old.get('stable.json.timestamp')?.toString().replace('"serial":', '"serial":9') ?? '';
        writeFileSync(file('stable.json.timestamp'), higher);
        report.push(await refused(target, /not signed by the key/));
        for (const name of names.slice(2)) rmSync(file(name));
        report.push(await refused(target, /stable\.json\.timestamp: answered 404/));
        return report.join('; ');
      },
    },
    {
      name: 'the feed’s server keeps a list for good, whose time is over',
      attempt(target) {
        offer(target, '9.0.0', key, { expires: new Date(Date.now() - 60_000) });
        return refused(target, /^stable\.json expired at/);
      },
    },
    {
      name: 'the feed’s server sends whoever asks to another one',
      attempt(target) {
        offer(target, '9.0.0');
        const there = (path: string): string =>
          join(target.folder, 'feed', path.replace('/elsewhere', ''));
        target.instead = (path, response) => {
          if (path.startsWith('/elsewhere')) response.end(readFileSync(there(path)));
          else response.writeHead(302, { location: `/elsewhere${path}` }).end();
          return true;
        };
        return refused(target, /answered 302/);
      },
    },
    {
      name: 'a signed list names a file outside of its folder',
      async attempt(target) {
        const content = 'export {};';
        const sha256 = createHash('sha256').update(content).digest('hex');
        mkdirSync(join(target.folder, 'feed', 'files'), { recursive: true });
        writeFileSync(join(target.folder, 'feed', 'files', sha256), content);
        const seen: string[] = [];
        for (const path of [
          '../../../escaped.js',
          join(target.folder, 'escaped.js'),
          String.raw`..\..\..\escaped.js`,
        ]) {
          offerFile(target, { path, bytes: content.length, sha256 });
          seen.push(await refused(target, /must be a path inside the package/));
          if (
            readdirSync(target.folder, { recursive: true }).some((name) =>
              String(name).endsWith('escaped.js'),
            )
          )
            throw new Error(`${path} was written`);
        }
        return seen.at(-1) as string;
      },
    },
    {
      name: 'a file goes on without an end, and so does the list',
      async attempt(target) {
        let sent = 0;
        const endless = (response: ServerResponse): void => {
          const more = (): void => {
            if (response.destroyed || sent > 100_000_000) return void response.end();
            sent += 1_000_000;
            response.write(Buffer.alloc(1_000_000), more);
          };
          more();
        };
        offerFile(target, {});
        target.instead = (path, response) =>
          path.startsWith('/files/') && (endless(response), true);
        await refused(target, /is longer than 2 bytes/);
        target.instead = (path, response) => path === '/stable.json' && (endless(response), true);
        await refused(target, /is longer than 8000000 bytes/);
        target.instead = (path, response) =>
          path === '/stable.json.timestamp' && (endless(response), true);
        await refused(target, /is longer than 2000 bytes/);
        if (sent > 100_000_000) throw new Error(`${sent} bytes were taken`);
        return `hung up on within ${sent} bytes`;
      },
    },
  ],
});
