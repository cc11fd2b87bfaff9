import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { isLong } from '../support/long.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { WindowsPc } from '../support/windows-pc.ts';
import { wine } from '../support/wine.ts';

/** Debian's nsis. */
const hasMakensis = spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).error === undefined;
if (!hasMakensis) process.stdout.write('*** SKIPPED: the Windows installer was NOT tested: this machine has no makensis (apt-get install nsis). ***\n');
const script = fileURLToPath(new URL('../../scripts/package-daemon.mjs', import.meta.url));
const program = String.raw`C:\Program Files\Tillbeacon`;
const outside = 'Program Files/Tillbeacon';
const data = 'ProgramData/Tillbeacon/data';

/** Each test goes on where the one before ended. */
describe.runIf(isLong && hasMakensis && wine !== null)('the installer of the daemon', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-windows-'));
  let pc: WindowsPc;
  let service: Product;
  let credentials: SimulatorReady;

  beforeAll(async () => {
    const args = ['--fast', '--format', 'exe', '--node', wine?.node ?? '', '--output', folder];
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
    credentials = await service.ready<SimulatorReady>();
    if (wine !== null) pc = new WindowsPc(wine);
  }, 400_000);
  afterAll(async () => {
    pc?.close();
    await service?.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const install = (): string => pc.run(join(folder, 'tillbeacon-0.1.0-win-x64-unsigned.exe'), '/S', '/NOSERVICE');
  async function startDaemon() {
    const daemon = pc.start(
      'daemon',
      String.raw`${program}\bin\node.exe`,
      '--require',
      String.raw`C:\keep-alive.cjs`,
      String.raw`${program}\out\main\daemon.js`,
      '--data',
      String.raw`C:\ProgramData\Tillbeacon\data`,
      '--port',
      '0',
    );
    await until(() => daemon.said().includes('\n') || daemon.child.exitCode !== null, 'the daemon', 60_000);
    if (daemon.child.exitCode !== null) throw new Error(daemon.log());
    const { lanes } = JSON.parse(daemon.said()) as DaemonReady;
    const till = await Register.overTcp({ host: '127.0.0.1', port: Number(lanes[0]?.till.split(':')[2]) });
    return {
      till,
      async kill() {
        daemon.child.kill('SIGKILL');
        await once(daemon.child, 'close');
        await till.close().catch(() => {});
      },
    };
  }
  const state = async (): Promise<{ payments: { status: string; captureCount: number }[]; pointsOfSale: { beaconId: string }[] }> =>
    (await (await fetch(`${credentials.baseUrl}/simulator/state`)).json()) as never;
  const phone = async (action: 'checkin' | 'accept'): Promise<void> => {
    const beaconId = (await state()).pointsOfSale[0]?.beaconId;
    await fetch(`${credentials.baseUrl}/simulator/phone/${action}`, { method: 'POST', body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }) });
  };
  const lastIs = (status: string): Promise<void> =>
    until(async () => (await state()).payments.at(-1)?.status === status, `the last payment to be ${status}`, 60_000);
  async function approved(count: number): Promise<void> {
    await until(async () => (await state()).payments.length === count, 'the payment');
    await phone('checkin');
    await lastIs('IssuedToUser');
    await phone('accept');
  }

  test('is installed silently, with everything inside', () => {
    install();
    for (const path of ['bin/node.exe', 'out/main/daemon.js', 'licenses/node.txt', 'sbom.cdx.json', 'uninstall.exe'])
      expect(existsSync(pc.path(`${outside}/${path}`))).toBe(true);
    expect(pc.run(String.raw`${program}\bin\node.exe`, String.raw`${program}\tillbeacon.mjs`, '--version')).toBe('0.1.0\n');
  });

  test('takes a payment, and settles one in the middle of which it was killed', async () => {
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } = credentials;
    const pointOfSale = { merchantPosId: 'shop-1', storeId: storeIds[0], name: 'Check-out 1', beaconTypes: ['QR'] };
    const lane = { id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 } };
    mkdirSync(pc.path(data), { recursive: true });
    writeFileSync(pc.path(`${data}/settings.json`), JSON.stringify({ wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat }, lanes: [lane] }));
    const first = await startDaemon();
    const paid = first.till.pay(1010, 'DKK');
    await approved(1);
    expect(await paid).toMatchObject({ ended: { by: 'completion' }, refused: null });
    await lastIs('Captured');

    // Paid, and not settled: the capture is not answered.
    await fetch(`${baseUrl}/simulator/faults`, {
      method: 'POST',
      body: JSON.stringify({ operation: 'capturePayment', kind: 'timeoutBefore', times: 1_000 }),
    });
    const open = first.till.pay(250, 'DKK');
    await approved(2);
    expect(await open).toMatchObject({ ended: { by: 'completion' }, refused: null });
    await first.kill();
    await lastIs('Reserved');
    await fetch(`${baseUrl}/simulator/faults`, { method: 'DELETE' });
    const second = await startDaemon();
    await lastIs('Captured');
    expect((await state()).payments.map(({ captureCount }) => captureCount)).toEqual([1, 1]);
    await second.kill();
  });

  test('is updated and removed without its data, which goes when that is asked for', async () => {
    writeFileSync(pc.path(`${outside}/out/main/of-an-older-version.js`), '');
    install();
    expect(existsSync(pc.path(`${outside}/out/main/of-an-older-version.js`))).toBe(false);
    expect(existsSync(pc.path(`${data}/journal.sqlite`))).toBe(true);
    // It goes on in the background, as a copy of itself.
    pc.run(String.raw`${program}\uninstall.exe`, '/S');
    await until(() => !existsSync(pc.path(outside)), 'the program to be gone');
    expect(existsSync(pc.path(`${data}/journal.sqlite`))).toBe(true);
    install();
    // As a version that the launcher has brought, which ends a moment later than the launcher.
    mkdirSync(pc.path(`${data}/updates/versions/0.2.0/bin`), { recursive: true });
    copyFileSync(pc.path(`${outside}/bin/node.exe`), pc.path(`${data}/updates/versions/0.2.0/bin/node.exe`));
    const running = String.raw`C:\ProgramData\Tillbeacon\data\updates\versions\0.2.0\bin\node.exe`;
    const late = pc.start('late', running, '--require', String.raw`C:\keep-alive.cjs`, '-e', 'console.log(1); setTimeout(() => process.exit(0), 5_000)');
    await until(() => late.said() !== '', 'it to run', 60_000);
    pc.run(String.raw`${program}\uninstall.exe`, '/S', '/DELETEDATA');
    await until(() => !existsSync(pc.path('ProgramData/Tillbeacon')), 'the data to be gone');
  });
});
