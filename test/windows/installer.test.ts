import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { isLong } from '../support/long.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { WindowsPc } from '../support/windows-pc.ts';
import { wine } from '../support/wine.ts';

/** Debian's nsis. */
const hasMakensis = spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).error === undefined;
if (!hasMakensis)
  process.stdout.write(
    '*** SKIPPED: the Windows installer was NOT tested: this machine has no makensis (apt-get install nsis). ***\n',
  );
const signingNeeds = ['osslsigncode', 'openssl'].find(
  (tool) => spawnSync(tool, ['version'], { stdio: 'ignore' }).error !== undefined,
);
const script = fileURLToPath(new URL('../../scripts/package-daemon.mjs', import.meta.url));
const program = String.raw`C:\Program Files\Tillbeacon`;
const outside = 'Program Files/Tillbeacon';
const data = 'ProgramData/Tillbeacon/data';
const older = '0.0.9';
const newer = '0.1.0';

/** Each test continues where the one before has ended. */
describe.runIf(hasMakensis && wine !== null)(
  'the installer of the daemon',
  { timeout: 300_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-windows-'));
    let pc: WindowsPc;
    let service: Product;
    let credentials: SimulatorReady;

    beforeAll(async () => {
      for (const version of [older, newer]) pack(version);
      service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
      credentials = await service.ready<SimulatorReady>();
      if (wine !== null) pc = new WindowsPc(wine);
      recordPrograms();
    }, 400_000);
    afterAll(async () => {
      pc?.close();
      await service?.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    function pack(version: string, env: Readonly<Record<string, string>> = {}): void {
      const args = [
        '--fast',
        '--format',
        'exe',
        '--node',
        wine?.node ?? '',
        '--output',
        folder,
        '--package-version',
        version,
      ];
      run(process.execPath, [script, ...args], env);
    }
    const install = (version = newer, ...options: string[]): string =>
      pc.run(join(folder, `tillbeacon-${version}-win-x64-unsigned.exe`), '/S', ...options);
    /** Wine's own programs report success and do nothing, so these record their calls. */
    function recordPrograms(): void {
      const record = String.raw`FileOpen $0 "C:\commands.txt" a
      FileSeek $0 0 END
      FileWrite $0 "$CMDLINE$\n"
      FileClose $0`;
      // Wine has no PowerShell: it says of the folder what the test has written.
      const answer = String.raw`FileOpen $0 "C:\rights.txt" r
      FileRead $0 $1
      FileClose $0
      System::Call 'kernel32::GetStdHandle(i -11)p.r2'
      FileWrite $2 $1`;
      const recorders = {
        netsh: record,
        schtasks: record,
        icacls: record,
        net: record,
        [String.raw`WindowsPowerShell/v1.0/powershell`]: `${record}\n${answer}`,
      };
      for (const [name, does] of Object.entries(recorders)) {
        const recorder = join(folder, `recorder-${basename(name)}`);
        const head = `Target amd64-unicode\nName recorder\nOutFile "${recorder}.exe"\nRequestExecutionLevel user\nSilentInstall silent`;
        writeFileSync(`${recorder}.nsi`, `${head}\nSection\n${does}\nSectionEnd\n`);
        run('makensis', ['-V2', `${recorder}.nsi`]);
        copyFileSync(`${recorder}.exe`, pc.path(`windows/system32/${name}.exe`));
        pc.run(
          'reg',
          'add',
          String.raw`HKCU\Software\Wine\DllOverrides`,
          '/v',
          `${basename(name)}.exe`,
          '/d',
          'native',
          '/f',
        );
      }
      rightsAre('BA');
    }
    /** What Windows says of the folder in ProgramData. @param owner of it: BA is administrators */
    function rightsAre(owner: string): void {
      writeFileSync(
        pc.path('rights.txt'),
        `16 O:${owner}G:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)`,
      );
    }
    /** The commands since the last call, without folders and quotes. */
    function commands(): string[] {
      const file = pc.path('commands.txt');
      const output = existsSync(file) ? readFileSync(file, 'utf8') : '';
      rmSync(file, { force: true });
      return output
        .split('\n')
        .map((line) =>
          line
            .replaceAll('"', '')
            .replace(/^C:\\windows\\system32\\(?:WindowsPowerShell\\v1\.0\\)?(\w+)\.exe/i, '$1')
            .trim(),
        )
        .filter((line) => line !== '');
    }
    const browsers = [String.raw`Google\Chrome`, String.raw`Microsoft\Edge`, 'Chromium'];
    const policyOf = (browser: string): string =>
      String.raw`HKLM\SOFTWARE\Policies` + `\\${browser}\\LocalNetworkAccessAllowedForUrls`;
    /** The values of a browser's list; null where it has none. */
    function pagesOf(browser: string): Readonly<Record<string, string>> | null {
      try {
        const values = pc
          .run('reg', 'query', policyOf(browser))
          .matchAll(/^ +(\d+) +REG_SZ +(\S+)/gm);
        return Object.fromEntries([...values].map(([, name, value]) => [name, value]));
      } catch {
        return null;
      }
    }
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
      await until(
        () => daemon.said().includes('\n') || daemon.child.exitCode !== null,
        'the daemon',
        60_000,
      );
      if (daemon.child.exitCode !== null) throw new Error(daemon.log());
      const { lanes } = JSON.parse(daemon.said()) as DaemonReady;
      const till = await Register.overTcp({
        host: '127.0.0.1',
        port: Number(lanes[0]?.till.split(':')[2]),
      });
      return {
        till,
        async kill() {
          daemon.child.kill('SIGKILL');
          await once(daemon.child, 'close');
          await till.close().catch(() => {});
        },
      };
    }
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
    const lastIs = (status: string): Promise<void> =>
      until(
        async () => (await state()).payments.at(-1)?.status === status,
        `the last payment to be ${status}`,
        60_000,
      );
    async function approved(count: number): Promise<void> {
      await until(async () => (await state()).payments.length === count, 'the payment');
      await phone('checkin');
      await lastIs('IssuedToUser');
      await phone('accept');
    }

    test('is installed silently, with everything inside', () => {
      install(older, '/NOSERVICE');
      for (const path of [
        'bin/node.exe',
        'out/main/daemon.js',
        'licenses/node.txt',
        'sbom.cdx.json',
        'uninstall.exe',
      ])
        expect(existsSync(pc.path(`${outside}/${path}`))).toBe(true);
      expect(
        pc.run(
          String.raw`${program}\bin\node.exe`,
          String.raw`${program}\tillbeacon.mjs`,
          '--version',
        ),
      ).toBe(`${older}\n`);
      expect(commands().filter((command) => !command.startsWith('schtasks /end'))).toEqual([]);
    });

    test('takes a payment, and one that is not settled is settled by a newer version that is installed over it', async () => {
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
        till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
      };
      mkdirSync(pc.path(data), { recursive: true });
      const wallet = { baseUrl, authUrl, clientId, clientSecret, merchantVat };
      writeFileSync(
        pc.path(`${data}/settings.json`),
        JSON.stringify({ wallet, api: { origins: ['https://till.example'] }, lanes: [lane] }),
      );
      const first = await startDaemon();
      const paid = first.till.pay(1010, 'DKK');
      await approved(1);
      expect(await paid).toMatchObject({ ended: { by: 'completion' }, refused: null });
      await lastIs('Captured');

      // A payment that is paid and not settled, because the capture is not answered.
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
      install(newer, '/NOSERVICE');
      expect(
        pc.run(
          String.raw`${program}\bin\node.exe`,
          String.raw`${program}\tillbeacon.mjs`,
          '--version',
        ),
      ).toBe(`${newer}\n`);
      const second = await startDaemon();
      await lastIs('Captured');
      expect((await state()).payments.map(({ captureCount }) => captureCount)).toEqual([1, 1]);
      await second.kill();
    });

    test('opens the firewall for a till where that is asked for, and closes it when it is removed', () => {
      commands();
      install(newer, '/NOSERVICE', '/TILLPORT=20007');
      const rule =
        'netsh advfirewall firewall add rule name=Tillbeacon: till dir=in action=allow protocol=TCP localport=20007 remoteip=localsubnet';
      expect(commands().filter((command) => command.startsWith('netsh'))).toEqual([
        'netsh advfirewall firewall delete rule name=Tillbeacon: till',
        rule,
      ]);
      for (const port of ['', '0', '65536', '20007x'])
        expect(() => install(newer, '/NOSERVICE', `/TILLPORT=${port}`)).toThrow('ended with 2');
      expect(commands()).toEqual([]);
    });

    // Wine does not show whether Windows then starts the daemon, as whom, and what others may do in
    // its folder: its own programs are recorded here.
    test('has the task scheduler start it, in a folder that it has closed', () => {
      install(newer);
      expect(commands().filter((command) => !command.startsWith('schtasks /end'))).toEqual([
        'net session',
        expect.stringMatching(
          /^powershell .*\$path = 'C:\\ProgramData\\Tillbeacon'; .*CreateDirectory\(\$path, \$rights\)/,
        ),
        String.raw`schtasks /create /tn Tillbeacon /xml C:\ProgramData\Tillbeacon\task.xml /f`,
        'schtasks /run /tn Tillbeacon',
      ]);
      expect(readFileSync(pc.path('ProgramData/Tillbeacon/task.xml'), 'utf16le')).toContain(
        `<Command>${program}\\bin\\node.exe</Command>`,
      );
    });

    test('has browsers let the pages in the settings call it, beside those of an administrator', () => {
      for (const browser of browsers)
        expect(pagesOf(browser)).toEqual({ 41820: 'https://till.example:443' });
      pc.run('reg', 'add', policyOf('Chromium'), '/v', '1', '/d', 'https://shop.example', '/f');
      install(newer);
      expect(pagesOf('Chromium')).toEqual({
        1: 'https://shop.example',
        41820: 'https://till.example:443',
      });
      commands();
    });

    test('starts nothing in a folder that somebody else has made', () => {
      rightsAre('S-1-5-21-1-2-3-1001');
      pc.run('reg', 'delete', policyOf('Chromium'), '/v', '41820', '/f');
      expect(() => install(newer)).toThrow('ended with 4');
      expect(commands().filter((command) => !command.startsWith('schtasks /end'))).toEqual([
        'net session',
        expect.stringMatching(/^powershell /),
      ]);
      // Nor do the settings there open a browser.
      expect(pagesOf('Chromium')).toEqual({ 1: 'https://shop.example' });
      rightsAre('BA');
      install(newer);
    });

    test('is updated and removed without its data, which goes when that is asked for', async () => {
      writeFileSync(pc.path(`${outside}/out/main/of-an-older-version.js`), '');
      install(newer, '/NOSERVICE');
      expect(existsSync(pc.path(`${outside}/out/main/of-an-older-version.js`))).toBe(false);
      expect(existsSync(pc.path(`${data}/journal.sqlite`))).toBe(true);
      // The uninstaller goes on in the background, as a copy of itself.
      pc.run(String.raw`${program}\uninstall.exe`, '/S');
      await until(() => !existsSync(pc.path(outside)), 'the program to be gone');
      expect(browsers.map(pagesOf)).toEqual([null, null, { 1: 'https://shop.example' }]);
      expect(commands()).toEqual(
        expect.arrayContaining([
          'schtasks /delete /tn Tillbeacon /f',
          'netsh advfirewall firewall delete rule name=Tillbeacon: till',
        ]),
      );
      expect(existsSync(pc.path(`${data}/journal.sqlite`))).toBe(true);
      install(newer, '/NOSERVICE');
      // As a version that the launcher has installed, which ends a moment later than the launcher.
      mkdirSync(pc.path(`${data}/updates/versions/0.2.0/bin`), { recursive: true });
      copyFileSync(
        pc.path(`${outside}/bin/node.exe`),
        pc.path(`${data}/updates/versions/0.2.0/bin/node.exe`),
      );
      const running = String.raw`C:\ProgramData\Tillbeacon\data\updates\versions\0.2.0\bin\node.exe`;
      const late = pc.start(
        'late',
        running,
        '--require',
        String.raw`C:\keep-alive.cjs`,
        '-e',
        'console.log(1); setTimeout(() => process.exit(0), 5_000)',
      );
      await until(() => late.said() !== '', 'it to run', 60_000);
      pc.run(String.raw`${program}\uninstall.exe`, '/S', '/DELETEDATA');
      await until(() => !existsSync(pc.path('ProgramData/Tillbeacon')), 'the data to be gone');
    });

    test.runIf(isLong && signingNeeds === undefined)(
      `is signed with the key of the environment, as is its uninstaller (needs ${signingNeeds ?? 'nothing more'})`,
      () => {
        const at = (name: string): string => join(folder, name);
        const created = [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=Tillbeacon',
          '-addext',
          'extendedKeyUsage=codeSigning',
        ];
        run('openssl', [...created, '-keyout', at('key.pem'), '-out', at('certificate.pem')]);
        run('openssl', [
          'pkcs12',
          '-export',
          '-inkey',
          at('key.pem'),
          '-in',
          at('certificate.pem'),
          '-out',
          at('key.p12'),
          '-passout',
          'pass:a key',
        ]);
        pack('0.1.1', { WIN_CSC_LINK: at('key.p12'), WIN_CSC_KEY_PASSWORD: 'a key' });
        const installer = at('tillbeacon-0.1.1-win-x64.exe');
        pc.run(installer, '/S', '/NOSERVICE');
        const verified = (file: string): string =>
          run('osslsigncode', ['verify', '-CAfile', at('certificate.pem'), '-in', file]);
        for (const file of [installer, pc.path(`${outside}/uninstall.exe`)])
          expect(verified(file)).toContain('Signature verification: ok');
        expect(() => verified(at(`tillbeacon-${newer}-win-x64-unsigned.exe`))).toThrow(
          'No signature found',
        );
      },
    );
  },
);

/** @throws Error with the output when it fails */
function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
