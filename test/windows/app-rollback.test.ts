/**
 * A newer version of the desktop app is taken back on Windows: by real installers, with what
 * electron-builder includes in ours, and by our own code in Node's Windows build. In place of
 * electron-builder's script there is one that does the same in the same order, and in place of
 * Electron a program that does what the supervisor does first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readCurrent } from '../../main/host/updates/versions.ts';
import { until } from '../support/processes.ts';
import { WindowsPc } from '../support/windows-pc.ts';
import { wine } from '../support/wine.ts';

/** Debian's nsis. */
const hasMakensis = spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).error === undefined;
if (!hasMakensis)
  process.stdout.write(
    '*** SKIPPED: the app’s way back on Windows was NOT tested: this machine has no makensis (apt-get install nsis). ***\n',
  );
const root = fileURLToPath(new URL('../../', import.meta.url));
/** A path with a space and letters that are not ASCII. */
const user = String.raw`C:\users\Jørgen Blå\Tillbeacon`;
const updates = String.raw`${user}\updates`;
const program = 'Program Files/Tillbeacon';

describe.runIf(hasMakensis && wine !== null)(
  'a newer version of the app',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-rollback-'));
    const at = (name: string): string => join(folder, name);
    let pc: WindowsPc;

    /** @param app what it does @param section instead of installing */
    function makeInstaller(version: string, app: string, section = ''): void {
      const make = (name: string, script: string): void => {
        writeFileSync(
          at(`${name}.nsi`),
          `Target amd64-unicode\nName Tillbeacon\nOutFile "${at(name)}.exe"\nSilentInstall silent\n${script}`,
        );
        const { status, stdout } = spawnSync(
          'makensis',
          ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', at(`${name}.nsi`)],
          { encoding: 'utf8' },
        );
        if (status !== 0) throw new Error(stdout);
      };
      make(`app-${version}`, `RequestExecutionLevel user\nSection\n${app}\nSectionEnd\n`);
      make(
        `Tillbeacon-${version}`,
        String.raw`RequestExecutionLevel admin
        InstallDir "C:\Program Files\Tillbeacon"
        !include "${root}assets/app-installer.nsh"
        Function .onInit
          SetOutPath $INSTDIR
          !insertmacro preInit
          System::Call 'kernel32::CreateMutex(p 0, i 1, t "tillbeacon")?e'
          Pop $0
          IntCmpU $0 183 0 +2 +2
          Abort
        FunctionEnd
        Section
          ${section}
          SetOutPath $TEMP
          RMDir /r "$INSTDIR"
          IfFileExists "$INSTDIR\*.*" 0 +3
          SetErrorLevel 2
          Quit
          SetOutPath $INSTDIR
          File "/oname=Tillbeacon.exe" "${at(`app-${version}.exe`)}"
          FileOpen $0 "$INSTDIR\version" w
          FileWrite $0 "${version}"
          FileClose $0
          FileOpen $0 "C:\ran.txt" a
          FileSeek $0 0 END
          FileWrite $0 "${version} is installed$\n"
          FileClose $0
          CreateDirectory "C:\cache"
          CopyFiles /SILENT "$EXEPATH" "C:\cache\installer.exe"
          !insertmacro customInstall
          ` +
          '${GetParameters} $R0\nClearErrors\n${GetOptions} $R0 "--force-run" $R1\nIfErrors +2\nExec \'"$INSTDIR\\Tillbeacon.exe" --updated\'\nSectionEnd\n',
      );
    }

    /** A program of Node in Windows. */
    const source = (does: string): string =>
      `import { appendFileSync, readFileSync } from 'node:fs'; import { createHash } from 'node:crypto';
     import { previousInstaller } from ${JSON.stringify(`file:///Z:${root}main/host/desktop/previous-installer.ts`)};
     import { noteNotBegun, readCurrent, writeCurrent } from ${JSON.stringify(`file:///Z:${root}main/host/updates/versions.ts`)};
     const updates = ${JSON.stringify(updates)}; const installer = previousInstaller(updates); ${does}`;
    const nodeIn = (name: string): string =>
      `"Z:${wine?.node.replaceAll('/', '\\')}" "C:\\${name}.mjs"`;
    /** Writes a program that starts as that version's supervisor does, and records that it ran. */
    const beginning = (version: string): string => {
      const ran = (what: string): string =>
        `appendFileSync('C:\\\\ran.txt', ${JSON.stringify(`${version} ${what}\n`)})`;
      writeFileSync(
        pc.path(`begins-${version}.mjs`),
        source(
          `if (installer.begins('${version}')) { noteNotBegun(updates, '${version}', 5); ${ran('began')}; } else ${ran('was late')};`,
        ),
      );
      return `ExecWait '${nodeIn(`begins-${version}`)}'`;
    };
    const key = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`;
    /** What Windows runs once, at the next sign-in; empty when nothing. */
    const toRun = (): string =>
      /before\.exe.*/.exec(pc.run('reg', 'query', `${key}Once`))?.[0] ?? '';
    const ran = (): string =>
      existsSync(pc.path('ran.txt')) ? readFileSync(pc.path('ran.txt'), 'utf8') : '';
    const installed = (): string => readFileSync(pc.path(`${program}/version`), 'utf8');
    const inside = (name: string): string =>
      pc.path(`${updates.slice(3).replaceAll('\\', '/')}/${name}`);

    /** Updates as the app of 1.0.0 does. */
    function update(withinMs: number): void {
      const sha512 = createHash('sha512')
        .update(readFileSync(at('Tillbeacon-1.0.0.exe')))
        .digest('base64');
      const newer = `Z:${at('Tillbeacon-1.1.0.exe').replaceAll('/', '\\')}`;
      const trying =
        "{ ...readCurrent(updates), version: '1.1.0', state: 'trying', starts: 0, previous: null, journalLayout: 7, stuck: null }";
      const does = `await installer.keep('C:\\\\cache\\\\installer.exe', '1.0.0', () => Promise.resolve(['${sha512}']));
      writeCurrent(updates, ${trying}); installer.tryOut(${JSON.stringify(newer)}, ${withinMs});`;
      writeFileSync(pc.path('update.mjs'), source(does));
      pc.run(`Z:${wine?.node}`, String.raw`C:\update.mjs`);
    }

    beforeAll(() => {
      if (wine !== null) pc = new WindowsPc(wine);
      makeInstaller(
        '1.0.0',
        beginning('1.0.0'),
        String.raw`IfFileExists "C:\slow" 0 +3
      Rename "C:\slow" "C:\at-work"
      Sleep 120000`,
      );
    }, 120_000);
    afterAll(() => {
      pc?.close();
      rmSync(folder, { recursive: true, force: true });
    });
    beforeEach(() => {
      // What a test before has left.
      pc.failPower();
      rmSync(inside(''), { recursive: true, force: true });
      mkdirSync(inside(''), { recursive: true });
      pc.run(at('Tillbeacon-1.0.0.exe'), '/S');
      expect(installed()).toBe('1.0.0');
      rmSync(pc.path('ran.txt'));
      pc.run(
        'reg',
        'add',
        key,
        '/v',
        'Tillbeacon',
        '/d',
        String.raw`"C:\Program Files\Tillbeacon\Tillbeacon.exe"`,
        '/f',
      );
    });

    const begun = (version: string): Promise<void> =>
      until(() => ran().endsWith(`${version} began\n`), `${version} to begin`, 60_000);

    test('that does not begin is replaced by the one before, which runs and notes it', async () => {
      makeInstaller('1.1.0', '');
      update(2_000);
      await begun('1.0.0');
      expect([ran(), installed()]).toEqual([
        '1.1.0 is installed\n1.0.0 is installed\n1.0.0 began\n',
        '1.0.0',
      ]);
      const failed = [
        { version: '1.1.0', times: 1, atMs: 5, why: 'it was not installed, or did not start' },
      ];
      expect(readCurrent(inside(''))).toMatchObject({ version: null, state: 'good', failed });
      expect([existsSync(inside('not-begun')), existsSync(inside('not-begun.late'))]).toEqual([
        false,
        false,
      ]);
    });

    test('whose installer fails is not waited for', async () => {
      makeInstaller('1.1.0', '', 'RMDir /r "$INSTDIR"\nSetErrorLevel 2\nQuit');
      update(600_000);
      await begun('1.0.0');
      expect([ran(), installed()]).toEqual(['1.0.0 is installed\n1.0.0 began\n', '1.0.0']);
    });

    test('that begins stays, until it decides itself that the one before is put back', async () => {
      makeInstaller('1.1.0', beginning('1.1.0'));
      update(5_000);
      await begun('1.1.0');
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      expect([ran(), installed()]).toEqual(['1.1.0 is installed\n1.1.0 began\n', '1.1.0']);
      writeFileSync(pc.path('back.mjs'), source('installer.putBack();'));
      pc.run(`Z:${wine?.node}`, String.raw`C:\back.mjs`);
      await begun('1.0.0');
      expect([ran(), installed()]).toEqual([
        '1.1.0 is installed\n1.1.0 began\n1.0.0 is installed\n1.0.0 began\n',
        '1.0.0',
      ]);
      expect(toRun()).toBe('');
    });

    const failPower = async (when: () => boolean, what: string): Promise<void> => {
      await until(when, what, 60_000);
      pc.failPower();
    };
    const hasProgram = (): boolean => existsSync(pc.path(`${program}/Tillbeacon.exe`));

    test('whose installer a power failure ends half-way is replaced by the one before at the next sign-in', async () => {
      makeInstaller('1.1.0', beginning('1.1.0'), 'Delete "$INSTDIR\\Tillbeacon.exe"\nSleep 120000');
      update(60_000);
      await failPower(() => !hasProgram(), 'the program to be gone');
      expect([ran(), hasProgram()]).toEqual(['', false]);
      pc.signIn();
      await begun('1.0.0');
      expect([ran(), installed(), toRun()]).toEqual([
        '1.0.0 is installed\n1.0.0 began\n',
        '1.0.0',
        '',
      ]);
      expect(readCurrent(inside(''))).toMatchObject({
        state: 'good',
        failed: [{ version: '1.1.0' }],
      });
      expect([existsSync(inside('not-begun')), existsSync(inside('not-begun.late'))]).toEqual([
        false,
        false,
      ]);
    });

    test('that is installed when the power fails, and begins at the next sign-in, stays', async () => {
      makeInstaller('1.1.0', `IfFileExists "C:\\signs-in" 0 +2\n${beginning('1.1.0')}`);
      update(60_000);
      await failPower(() => toRun().includes('/WITHIN=60'), '1.1.0 to be installed');
      writeFileSync(pc.path('signs-in'), '');
      pc.signIn();
      await begun('1.1.0');
      await until(() => toRun() === '', 'nothing to be left', 10_000);
      rmSync(pc.path('signs-in'));
      expect([ran(), installed()]).toEqual(['1.1.0 is installed\n1.1.0 began\n', '1.1.0']);
    });

    test('is replaced by the one before also when the power fails twice while that is put back, and does nothing when it is started meanwhile', async () => {
      makeInstaller('1.1.0', `IfFileExists "C:\\signs-in" 0 +2\n${beginning('1.1.0')}`);
      const failAtWork = async (): Promise<void> => {
        await failPower(() => existsSync(pc.path('at-work')), 'the one before to be put back');
        rmSync(pc.path('at-work'));
      };
      writeFileSync(pc.path('slow'), '');
      update(1_000);
      await failAtWork();
      writeFileSync(pc.path('signs-in'), '');
      pc.run(pc.path(`${program}/Tillbeacon.exe`));
      rmSync(pc.path('signs-in'));
      writeFileSync(pc.path('slow'), '');
      pc.signIn();
      await failAtWork();
      pc.signIn();
      await begun('1.0.0');
      expect([ran(), installed(), toRun()]).toEqual([
        '1.1.0 is installed\n1.1.0 was late\n1.0.0 is installed\n1.0.0 began\n',
        '1.0.0',
        '',
      ]);
    });
  },
);

test.runIf(hasMakensis && wine !== null)(
  'electron-builder’s script begins with what we include, before it looks for other installers',
  () => {
    const script = readFileSync(
      join(root, 'node_modules/app-builder-lib/templates/nsis/installer.nsi'),
      'utf8',
    );
    expect(script.indexOf('!insertmacro preInit')).toBeLessThan(
      script.indexOf('ALLOW_ONLY_ONE_INSTALLER_INSTANCE\n'),
    );
    expect(readFileSync(join(root, 'electron-builder.yml'), 'utf8')).toContain(
      'include: assets/app-installer.nsh',
    );
  },
);
