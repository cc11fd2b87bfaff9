import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { udevRules } from '../../main/host/boot/definition.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { BootedDebian, bootingNeeds } from '../support/booted-debian.ts';
import { freePort } from '../support/free-port.ts';
import { isLong } from '../support/long.ts';
import { Product, type SimulatorReady, until } from '../support/processes.ts';

const needs = bootingNeeds();
const rpmIsMissing = spawnSync('rpmbuild', ['--version'], { stdio: 'ignore' }).error !== undefined;
const script = fileURLToPath(new URL('../../scripts/package-daemon.mjs', import.meta.url));
const journal = fileURLToPath(new URL('../../out/main/journal.js', import.meta.url));
const unit = 'tillbeacon.service';
const data = '/var/lib/tillbeacon';

/** One till's day with the package: each test goes on where the one before ended. */
describe.runIf(isLong && needs === null)(
  `deb and rpm on a Debian that boots (test:long; needs ${needs ?? 'nothing more'})`,
  { timeout: 300_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-deb-'));
    let debian: BootedDebian;
    let service: Product;
    let credentials: SimulatorReady;
    let port: number;
    let till: Register;

    beforeAll(async () => {
      for (const version of ['0.0.9', '0.1.0']) pack(version);
      service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
      credentials = await service.ready<SimulatorReady>();
      port = await freePort();
      debian = await BootedDebian.open();
      for (const version of ['0.0.9', '0.1.0'])
        copyFileSync(deb(version), debian.inside(`/tmp/${version}.deb`));
      // Half a minute would be long here.
      mkdirSync(debian.inside(`/etc/systemd/system/${unit}.d`));
      writeFileSync(
        debian.inside(`/etc/systemd/system/${unit}.d/test.conf`),
        '[Service]\nWatchdogSec=2\n',
      );
    }, 300_000);
    afterAll(async () => {
      await till?.close().catch(() => {});
      await debian?.close();
      await service?.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    let isOver = false;
    afterEach(({ task }) => {
      isOver ||= task.result?.state === 'fail';
    });
    beforeEach(({ skip }) => skip(isOver, 'what it goes on from has failed'));

    const deb = (version: string): string => join(folder, `tillbeacon_${version}_amd64.deb`);
    function pack(version: string, format = 'deb'): void {
      const { status, stderr } = spawnSync(
        process.execPath,
        [script, '--fast', '--format', format, '--output', folder, '--package-version', version],
        {
          encoding: 'utf8',
        },
      );
      if (status !== 0) throw new Error(stderr);
    }
    const install = (version: string): string =>
      debian.run('dpkg', '--force-unsafe-io', '--install', `/tmp/${version}.deb`);
    const becomes = (property: string, value: string): Promise<void> =>
      until(() => debian.shown(unit, property) === value, `${property}=${value}`);

    const state = async (): Promise<{
      payments: { status: string; captureCount: number }[];
      pointsOfSale: { beaconId: string }[];
    }> => (await (await fetch(`${credentials.baseUrl}/simulator/state`)).json()) as never;
    const phone = async (action: 'checkin' | 'accept'): Promise<void> => {
      const beaconId = (await state()).pointsOfSale[0]?.beaconId;
      await fetch(`${credentials.baseUrl}/simulator/phone/${action}`, {
        method: 'POST',
        body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }),
      });
    };
    const lastIs = (...statuses: string[]): Promise<void> =>
      until(
        async () => statuses.includes((await state()).payments.at(-1)?.status ?? ''),
        `the last payment to be ${statuses.join(' or ')}`,
      );
    async function pay(amountMinor: number): Promise<void> {
      const count = (await state()).payments.length;
      const payment = till.pay(amountMinor, 'DKK');
      await until(async () => (await state()).payments.length === count + 1, 'the payment');
      await phone('checkin');
      await lastIs('IssuedToUser');
      await phone('accept');
      expect(await payment).toMatchObject({ ended: { by: 'completion' }, refused: null });
    }

    test('is installed, enabled and started, and nothing waits until its tills can pay', async () => {
      install('0.0.9');
      expect(debian.shown(unit, 'UnitFileState')).toBe('enabled');
      await becomes('StatusText', 'not set up');
      expect(debian.shown(unit, 'ActiveState')).toBe('activating');
      debian.run('systemctl', 'restart', 'multi-user.target');
      expect(debian.run('tillbeacon', 'service', 'status')).toBe(
        'running: not set up; starts with the computer\n',
      );
      expect(debian.run('tillbeacon', '--version')).toBe('0.0.9\n');
      expect(debian.run('ls', '/usr/lib/udev/rules.d')).toContain(udevRules);
    });

    test('runs as a user of its own with nothing but its data', () => {
      const pid = debian.shown(unit, 'MainPID');
      const status = debian.run('cat', `/proc/${pid}/status`);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(debian.run('stat', '--format=%U %a', data)).toBe('tillbeacon 700\n');
      expect(debian.run('id', '--name', '--groups', 'tillbeacon').split(/\s/)).toContain('dialout');
    });

    test('brings the callback receiver, which is off until one command sets it up', async () => {
      const receiver = 'tillbeacon-callbacks.service';
      const folder = '/var/lib/tillbeacon-callbacks';
      expect([
        debian.shown(receiver, 'UnitFileState'),
        debian.shown(receiver, 'ActiveState'),
      ]).toEqual(['disabled', 'inactive']);
      const address = `http://127.0.0.1:${await freePort()}`;
      const options = ['--service', credentials.baseUrl, '--key-env', 'KEY', '--address', address];
      const key = 'KEY=simulated-key-of-DK90000028';
      expect(debian.tried('tillbeacon', 'service', 'install', '--callbacks').status).toBe(1);
      const output = debian.run(
        'env',
        key,
        'tillbeacon',
        'service',
        'install',
        '--callbacks',
        ...options,
      );
      expect(output).toContain('app payments, now:');
      await until(() => debian.shown(receiver, 'ActiveState') === 'active', 'the receiver to run');
      await until(
        async () => (await fetch(`${address}/health`).catch(() => null))?.ok === true,
        'the receiver to answer',
      );
      expect(debian.run('stat', '--format=%U %a', folder, `${folder}/settings.json`)).toBe(
        'tillbeacon-callbacks 700\ntillbeacon-callbacks 600\n',
      );
      expect(debian.run('cat', `/proc/${debian.shown(receiver, 'MainPID')}/status`)).toMatch(
        /^CapEff:\t0+$/m,
      );
      expect(debian.run('tillbeacon', 'service', 'status', '--callbacks')).toBe(
        'running; starts with the computer\n',
      );
    });

    test('takes a payment once it is set up, and is ready then', async () => {
      const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } = credentials;
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
        till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port },
      };
      const settings = JSON.stringify({
        wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
        lanes: [lane],
      });
      writeFileSync(debian.inside('/tmp/settings.json'), settings);
      debian.run(
        'install',
        '--owner=tillbeacon',
        '--mode=600',
        '/tmp/settings.json',
        `${data}/settings.json`,
      );
      await becomes('ActiveState', 'active');
      expect(debian.shown(unit, 'StatusText')).toBe('the lane takes payments');
      till = await Register.overTcp({ host: '127.0.0.1', port });
      await pay(1010);
      await lastIs('Captured');
    });

    test('has browsers let the pages in its settings call it, as long as they are there', async () => {
      const policy = '/etc/opt/chrome/policies/managed/00-tillbeacon.json';
      const pages = (): unknown => JSON.parse(readFileSync(debian.inside(policy), 'utf8'));
      const change = async (api: object): Promise<void> => {
        // systemd misses a change in the moment in which the unit ends.
        await until(
          () => debian.shown('tillbeacon-browsers.service', 'ActiveState') !== 'activating',
          'the unit to end',
        );
        const settings: object = JSON.parse(debian.run('cat', `${data}/settings.json`));
        writeFileSync(debian.inside('/tmp/changed.json'), JSON.stringify({ ...settings, api }));
        debian.run(
          'install',
          '--owner=tillbeacon',
          '--mode=600',
          '/tmp/changed.json',
          `${data}/settings.json`,
        );
      };
      expect(existsSync(debian.inside(policy))).toBe(false);
      await change({ origins: ['https://till.example'] });
      await until(() => existsSync(debian.inside(policy)), 'the policy');
      expect(pages()).toEqual({ LocalNetworkAccessAllowedForUrls: ['https://till.example:443'] });
      expect(debian.run('stat', '--format=%U %a', policy)).toBe('root 644\n');
      // Settings that the daemon refuses change nothing.
      await change({ origins: ['https://*'] });
      await until(
        () => debian.shown('tillbeacon-browsers.service', 'Result') === 'exit-code',
        'the refusal',
      );
      expect(pages()).toEqual({ LocalNetworkAccessAllowedForUrls: ['https://till.example:443'] });
      await change({ origins: [] });
      await until(() => !existsSync(debian.inside('/etc/opt/chrome')), 'the policy to go');
      await change({ origins: ['https://till.example'] });
      await until(() => existsSync(debian.inside(policy)), 'the policy');
    });

    test('is updated while a payment is not settled, which the new version settles', async () => {
      await fetch(`${credentials.baseUrl}/simulator/faults`, {
        method: 'POST',
        body: JSON.stringify({ operation: 'capturePayment', kind: 'timeoutBefore', times: 1_000 }),
      });
      await pay(250);
      await lastIs('Reserved');
      await till.close();
      const before = debian.shown(unit, 'MainPID');
      install('0.1.0');
      expect(debian.run('tillbeacon', '--version')).toBe('0.1.0\n');
      await fetch(`${credentials.baseUrl}/simulator/faults`, { method: 'DELETE' });
      await lastIs('Captured');
      expect((await state()).payments.map(({ captureCount }) => captureCount)).toEqual([1, 1]);
      await becomes('ActiveState', 'active');
      expect(debian.shown(unit, 'MainPID')).not.toBe(before);
      await until(
        () => debian.shown('tillbeacon-callbacks.service', 'ActiveState') === 'active',
        'the receiver to run again',
      );
    });

    test('is ended and started again when it hangs', async () => {
      const before = debian.shown(unit, 'MainPID');
      const restarts = Number(debian.shown(unit, 'NRestarts'));
      debian.run('kill', '-STOP', before);
      await until(
        () => Number(debian.shown(unit, 'NRestarts')) > restarts,
        'systemd to start it again',
      );
      await becomes('ActiveState', 'active');
      expect(debian.shown(unit, 'MainPID')).not.toBe(before);
    });

    test('an update leaves it stopped where an administrator has disabled it', () => {
      debian.run('systemctl', 'disable', '--now', unit);
      install('0.1.0');
      expect([debian.shown(unit, 'ActiveState'), debian.shown(unit, 'UnitFileState')]).toEqual([
        'inactive',
        'disabled',
      ]);
      debian.run('tillbeacon', 'service', 'install');
      expect(debian.shown(unit, 'UnitFileState')).toBe('enabled');
    });

    test('is enabled and started again when it is installed after a removal', async () => {
      debian.run('dpkg', '--remove', 'tillbeacon');
      expect([debian.shown(unit, 'ActiveState'), debian.shown(unit, 'LoadState')]).toEqual([
        'inactive',
        'not-found',
      ]);
      install('0.1.0');
      expect(debian.shown(unit, 'UnitFileState')).toBe('enabled');
      await becomes('ActiveState', 'active');
    });

    test('is removed with everything but the data, which goes when that is asked for', () => {
      debian.run('dpkg', '--remove', 'tillbeacon');
      expect(debian.shown(unit, 'ActiveState')).toBe('inactive');
      expect(existsSync(debian.inside('/usr/lib/tillbeacon'))).toBe(false);
      expect(existsSync(debian.inside('/etc/opt/chrome'))).toBe(false);
      const kept = join(folder, 'kept');
      cpSync(debian.inside(data), kept, { recursive: true });
      expect(JSON.parse(readFileSync(join(kept, 'settings.json'), 'utf8'))).toHaveProperty('lanes');
      const verified = spawnSync(process.execPath, [journal, 'verify', '--data', kept], {
        encoding: 'utf8',
      });
      expect(verified).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringContaining('of 2 sales and 0 refunds'),
      });
      debian.run('dpkg', '--purge', 'tillbeacon');
      for (const folder of [data, '/var/lib/tillbeacon-callbacks'])
        expect(existsSync(debian.inside(folder))).toBe(false);
      // A link to a unit that is not there would not exist, were it followed.
      expect(
        debian.tried('readlink', `/etc/systemd/system/multi-user.target.wants/${unit}`).status,
      ).toBe(1);
    });

    test.skipIf(rpmIsMissing)(
      'the rpm is installed, updated and removed likewise (needs rpm)',
      async () => {
        for (const version of ['0.0.9', '0.1.0']) {
          pack(version, 'rpm');
          copyFileSync(
            join(folder, `tillbeacon-${version}-1.x86_64.rpm`),
            debian.inside(`/tmp/${version}.rpm`),
          );
        }
        // The required packages are installed, but only dpkg knows them.
        debian.run('rpm', '--install', '--nodeps', '/tmp/0.0.9.rpm');
        await becomes('StatusText', 'not set up');
        const before = debian.shown(unit, 'MainPID');
        debian.run('rpm', '--upgrade', '--nodeps', '/tmp/0.1.0.rpm');
        await until(
          () => !['0', before].includes(debian.shown(unit, 'MainPID')),
          'the new version to be started',
        );
        expect(debian.run('tillbeacon', '--version')).toBe('0.1.0\n');
        await becomes('StatusText', 'not set up');
        debian.run('rpm', '--erase', 'tillbeacon');
        expect(debian.shown(unit, 'ActiveState')).toBe('inactive');
        debian.run('rpm', '--install', '--nodeps', '/tmp/0.1.0.rpm');
        expect(debian.shown(unit, 'UnitFileState')).toBe('enabled');
        await becomes('StatusText', 'not set up');
        const settings: object = JSON.parse(debian.run('cat', '/tmp/settings.json'));
        writeFileSync(
          debian.inside('/tmp/pages.json'),
          JSON.stringify({ ...settings, api: { origins: ['https://till.example'] } }),
        );
        debian.run(
          'install',
          '--owner=tillbeacon',
          '--mode=600',
          '/tmp/pages.json',
          `${data}/settings.json`,
        );
        await until(
          () => existsSync(debian.inside('/etc/opt/edge/policies/managed/00-tillbeacon.json')),
          'the policy',
        );
        debian.run('rpm', '--erase', 'tillbeacon');
        expect(existsSync(debian.inside('/etc/opt/edge'))).toBe(false);
        expect([
          existsSync(debian.inside('/usr/lib/tillbeacon')),
          existsSync(debian.inside(`${data}/journal.sqlite`)),
        ]).toEqual([false, true]);
      },
    );
  },
);
