import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { autostart } from '../../../../main/host/desktop/autostart.ts';
import { type Current, writeCurrent } from '../../../../main/host/updates/versions.ts';
import { thisPcProcedures } from '../../../../preload/procedures/this-pc.ts';

const { changeThisPc } = thisPcProcedures;

describe('what a manager may choose for this computer', () => {
  test('leaves a window with more than the customer’s screen', () => {
    const customer = { screen: 'customer', laneId: null, display: null };
    const refused = changeThisPc.input.safeParse({ windows: [customer] });
    expect(refused.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['windows', 'must show more than the customer’s screen'],
    ]);
    expect(
      changeThisPc.input.safeParse({ windows: [customer, { ...customer, screen: 'manager' }] })
        .success,
    ).toBe(true);
    expect(changeThisPc.input.safeParse({ windows: [] }).success).toBe(true);
  });

  test('needs a PIN, and is written down', () => {
    for (const [name, procedure] of Object.entries(thisPcProcedures)) {
      expect(procedure.who, name).toBe('manager');
      if (name !== 'thisPc') expect(procedure, name).toHaveProperty('records');
    }
    expect(changeThisPc.records?.({ kiosk: false })).toEqual({ kiosk: false });
  });
});

describe('starting when somebody signs in', () => {
  const electron = (isPackaged: boolean) => {
    const set: unknown[] = [];
    return {
      set,
      app: {
        isPackaged,
        // Windows compares the whole command.
        getLoginItemSettings: (asked: unknown) =>
          ({
            openAtLogin: isDeepStrictEqual(set.at(-1), { openAtLogin: true, ...(asked as object) }),
          }) as never,
        setLoginItemSettings: (settings: unknown) => void set.push(settings),
      },
    };
  };

  test('is a file of the desktop on Linux, which goes again', () => {
    const home = mkdtempSync(join(tmpdir(), 'tillbeacon-autostart-'));
    const setting = autostart({
      app: electron(true).app,
      platform: 'linux',
      environment: { HOME: home },
      program: '/opt/Till "beacon"/100%',
      args: ['--daemon=4180'],
      updates: '',
    });
    expect(setting.isOn()).toBe(false);
    setting.set(true);
    expect(setting.isOn()).toBe(true);
    const file = join(home, '.config/autostart/tillbeacon.desktop');
    expect(readFileSync(file, 'utf8')).toBe(String.raw`[Desktop Entry]
Type=Application
Name=Tillbeacon
Exec="/opt/Till \\"beacon\\"/100%%" "--daemon=4180"
`);
    setting.set(false);
    expect(setting.isOn()).toBe(false);
    rmSync(home, { recursive: true });
  });

  describe.skipIf(process.platform === 'win32')('of an AppImage', () => {
    let home: string;
    const at = (...names: readonly string[]): string => join(home, ...names);
    const image = (): string => at('of $HOME, "100%"', 'Tillbeacon.AppImage');
    const trying: Current = {
      version: '1.1.0',
      state: 'trying',
      starts: 1,
      previous: null,
      journalLayout: 7,
      failed: [],
      stuck: null,
    };
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'tillbeacon-autostart-'));
      mkdirSync(dirname(image()));
      mkdirSync(at('updates'), { mode: 0o700 });
      writeFileSync(
        at('updates', 'before.AppImage'),
        `#!/bin/sh\necho before $* >> '${at('ran')}'\n`,
        { mode: 0o755 },
      );
      writeCurrent(at('updates'), trying);
    });
    afterEach(() => rmSync(home, { recursive: true }));

    /**
     * Signs in, as the desktop reads the entry: what it leaves of its escapes is quoted as for a
     * shell. @returns what ran
     */
    function signIn(newerEndsWith: number): string {
      writeFileSync(
        image(),
        `#!/bin/sh\necho newer $* >> '${at('ran')}'\nexit ${newerEndsWith}\n`,
        { mode: 0o755 },
      );
      const environment = { HOME: home, APPIMAGE: image(), APPDIR: '/mounted' };
      autostart({
        app: electron(true).app,
        platform: 'linux',
        environment,
        program: '/mounted/tillbeacon',
        args: ['--daemon=4180'],
        updates: at('updates'),
      }).set(true);
      const exec =
        /^Exec=(.*)$/m.exec(
          readFileSync(at('.config/autostart/tillbeacon.desktop'), 'utf8'),
        )?.[1] ?? '';
      spawnSync('/bin/sh', ['-c', exec.replaceAll('\\\\', '\\').replaceAll('%%', '%')]);
      return readFileSync(at('ran'), 'utf8').trim().replace('\n', ', ');
    }

    test('that cannot start while it is tried is replaced by the one before', () => {
      expect(signIn(1)).toBe('newer --daemon=4180, before --daemon=4180');
      expect(readFileSync(image(), 'utf8')).toContain('before');
      expect(existsSync(`${image()}.before`)).toBe(false);
    });

    test.each([
      ['that ends as it should', 0, () => {}],
      [
        'that has proved itself',
        1,
        () => writeCurrent(at('updates'), { ...trying, state: 'good' }),
      ],
      [
        'with no way back',
        1,
        () => writeCurrent(at('updates'), { ...trying, stuck: 'something was recorded since' }),
      ],
      ['of which none before is kept', 1, () => rmSync(at('updates', 'before.AppImage'))],
      [
        'whose one before another user could have put there',
        1,
        () => chmodSync(at('updates', 'before.AppImage'), 0o777),
      ],
      ['beside which another user could put anything', 1, () => chmodSync(at('updates'), 0o777)],
    ] as const)('%s stays', (_name, code, prepare) => {
      prepare();
      expect(signIn(code)).toBe('newer --daemon=4180');
      expect(readFileSync(image(), 'utf8')).toContain('newer');
    });
  });

  test('is Electron’s business elsewhere, and only of what is installed', () => {
    const { app, set } = electron(true);
    const windows = autostart({
      app,
      platform: 'win32',
      environment: {},
      program: '',
      args: ['--daemon=4180'],
      updates: '',
    });
    windows.set(true);
    expect([windows.canBe, windows.isOn(), set]).toEqual([
      true,
      true,
      [{ openAtLogin: true, args: ['--daemon=4180'] }],
    ]);
    for (const platform of ['win32', 'linux'] as const) {
      const checkout = electron(false);
      const off = autostart({
        app: checkout.app,
        platform,
        environment: { HOME: '/nowhere' },
        program: '',
        args: [],
        updates: '',
      });
      off.set(true);
      expect([off.canBe, checkout.set]).toEqual([false, []]);
    }
  });

  test('is not offered on macOS to an app beside a daemon, which would be started without its daemon', () => {
    const { app, set } = electron(true);
    const mac = (args: readonly string[]) =>
      autostart({ app, platform: 'darwin', environment: {}, program: '', args, updates: '' });
    mac(['--daemon=4180']).set(true);
    expect([mac(['--daemon=4180']).canBe, mac([]).canBe, set]).toEqual([false, true, []]);
  });
});
