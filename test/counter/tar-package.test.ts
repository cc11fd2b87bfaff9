import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version as built } from '../../package.json' with { type: 'json' };
// @ts-expect-error: a script, without types
import { publicKeyOf, writeFeed } from '../../scripts/update-feed.mjs';
import { BootedDebian, bootingNeeds } from '../support/booted-debian.ts';
import { isLong } from '../support/long.ts';
import { numbered, platform } from '../support/newer-version.ts';
import { Product, type SimulatorReady, until } from '../support/processes.ts';

const needs = bootingNeeds();
const script = fileURLToPath(new URL('../../scripts/package-daemon.mjs', import.meta.url));
const unit = 'tillbeacon.service';
const data = '/var/lib/tillbeacon';
const key = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;

/** Each test continues where the one before has ended. */
describe.runIf(isLong && needs === null)(
  `the tar.gz on a Debian that boots (test:long; needs ${needs ?? 'nothing more'})`,
  { timeout: 200_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-tar-'));
    let debian: BootedDebian;
    let service: Product;
    let feed: Server;

    beforeAll(async () => {
      const { status, stderr } = spawnSync(
        process.execPath,
        [script, '--fast', '--format', 'tar.gz', '--output', folder],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(stderr);
      for (const version of ['0.1.0', '0.2.0']) {
        const tree = join(folder, version);
        mkdirSync(tree);
        spawnSync('tar', [
          '-xzf',
          join(folder, `tillbeacon-${built}-linux-${process.arch}.tar.gz`),
          '--strip-components=1',
          '-C',
          tree,
        ]);
        numbered(tree, version);
      }
      const packages = { [platform]: join(folder, '0.2.0') };
      writeFeed({
        out: join(folder, 'feed'),
        version: '0.2.0',
        minimumVersion: '0.1.0',
        channel: 'stable',
        packages,
        key,
      });
      feed = createServer(({ url = '' }, response) => {
        const file = join(folder, 'feed', url);
        if (existsSync(file)) response.end(readFileSync(file));
        else response.writeHead(404).end();
      });
      await new Promise<void>((done) => feed.listen(0, '127.0.0.1', done));
      service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
      debian = await BootedDebian.open();
      // Long enough for a version to start on a busy computer, and shorter than what these tests
      // wait.
      mkdirSync(debian.inside(`/etc/systemd/system/${unit}.d`));
      writeFileSync(
        debian.inside(`/etc/systemd/system/${unit}.d/test.conf`),
        '[Service]\nWatchdogSec=10\nTimeoutStopSec=3\n',
      );
      spawnSync('cp', ['-r', join(folder, '0.1.0'), debian.inside('/opt/tillbeacon')]);
    }, 200_000);
    afterAll(async () => {
      await debian?.close();
      await service?.end('SIGKILL');
      feed?.close().closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    });

    const becomes = (property: string, value: string): Promise<void> =>
      until(() => debian.shown(unit, property) === value, `${property}=${value}`, 60_000);
    const launcher = (): string => debian.shown(unit, 'MainPID');
    const daemon = (): string =>
      debian
        .run('cat', `/proc/${launcher()}/task/${launcher()}/children`)
        .trim()
        .split(' ')[0] as string;
    /** '' when there is no process, as between two versions. */
    const programOf = (pid: string): string =>
      debian.tried('cat', `/proc/${pid}/cmdline`).stdout.split('\0')[1] ?? '';
    const daemons = (): string[] =>
      debian.run('pgrep', '--full', 'out/main/daemon[.]js').trim().split('\n');

    test('its service is the launcher, and is ready when the tills can pay', async () => {
      debian.run('/opt/tillbeacon/tillbeacon', 'service', 'install');
      await becomes('StatusText', 'not set up');
      expect(programOf(launcher())).toBe('/opt/tillbeacon/out/main/launcher.js');
      const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
        await service.ready<SimulatorReady>();
      const pointOfSale = {
        merchantPosId: 'shop-1',
        storeId: storeIds[0],
        name: 'Check-out 1',
        beaconTypes: ['QR'],
      };
      const lane = {
        id: '1',
        name: 'Check-out 1',
        currency: 'DKK',
        pointOfSale,
        till: { protocol: 'zvt', transport: 'tcp', port: 0 },
      };
      const updates = {
        feed: `http://127.0.0.1:${(feed.address() as AddressInfo).port}`,
        publicKey: publicKeyOf(key),
      };
      const settings = {
        wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
        lanes: [lane],
        updates,
      };
      writeFileSync(debian.inside('/tmp/settings.json'), JSON.stringify(settings));
      expect(debian.shown(unit, 'ActiveState')).toBe('activating');
      debian.run(
        'install',
        '--owner=tillbeacon',
        '--mode=600',
        '/tmp/settings.json',
        `${data}/settings.json`,
      );
      await becomes('ActiveState', 'active');
    });

    test('a newer version takes over, and systemd neither ends it nor takes it for one that hangs', async () => {
      const before = launcher();
      await until(
        () => programOf(daemon()).includes('/versions/0.2.0/'),
        'the newer version',
        90_000,
      );
      await becomes('StatusText', 'the lane takes payments');
      await becomes('ActiveState', 'active');
      // Longer than the watchdog's limit, and longer than a stop may take.
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      expect([
        launcher(),
        debian.shown(unit, 'NRestarts'),
        debian.shown(unit, 'ActiveState'),
      ]).toEqual([before, '0', 'active']);
      expect(JSON.parse(debian.run('cat', `${data}/updates/current.json`))).toMatchObject({
        version: '0.2.0',
        state: 'good',
        failed: [],
      });
      expect(daemons()).toHaveLength(1);
    });

    test('is started again when the daemon hangs, and when the launcher is killed; never are there two daemons', async () => {
      const hanging = daemon();
      debian.run('kill', '-STOP', hanging);
      await becomes('NRestarts', '1');
      await becomes('ActiveState', 'active');
      debian.run('kill', '-KILL', launcher());
      await becomes('NRestarts', '2');
      await becomes('ActiveState', 'active');
      expect(daemons()).toEqual([daemon()]);
      expect(programOf(daemon())).toContain('/versions/0.2.0/');
    });

    test('a stop ends both in an orderly way', async () => {
      debian.run('systemctl', 'stop', unit);
      expect([
        debian.shown(unit, 'ActiveState'),
        debian.shown(unit, 'Result'),
        debian.shown(unit, 'ExecMainStatus'),
      ]).toEqual(['inactive', 'success', '0']);
      expect(debian.tried('pgrep', '--full', 'out/main/(daemon|launcher)[.]js').stdout).toBe('');
    });
  },
);
