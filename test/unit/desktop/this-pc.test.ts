import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { autostart } from '../../../main/desktop/autostart.ts';
import { thisPcProcedures } from '../../../preload/procedures/this-pc.ts';

const { changeThisPc } = thisPcProcedures;

describe('what a manager may choose for this computer', () => {
  test('leaves a window with more than the customer’s screen', () => {
    const customer = { screen: 'customer', laneId: null, display: null };
    const refused = changeThisPc.input.safeParse({ windows: [customer] });
    expect(refused.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([['windows', 'must show more than the customer’s screen']]);
    expect(changeThisPc.input.safeParse({ windows: [customer, { ...customer, screen: 'manager' }] }).success).toBe(true);
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
        getLoginItemSettings: (asked: unknown) => ({ openAtLogin: isDeepStrictEqual(set.at(-1), { openAtLogin: true, ...(asked as object) }) }) as never,
        setLoginItemSettings: (settings: unknown) => void set.push(settings),
      },
    };
  };

  test('is a file of the desktop on Linux, which goes again', () => {
    const home = mkdtempSync(join(tmpdir(), 'tillbeacon-autostart-'));
    const made = autostart({
      app: electron(true).app,
      platform: 'linux',
      environment: { HOME: home },
      program: '/opt/Till "beacon"/100%',
      args: ['--daemon=4180'],
    });
    expect(made.isOn()).toBe(false);
    made.set(true);
    expect(made.isOn()).toBe(true);
    const file = join(home, '.config/autostart/tillbeacon.desktop');
    expect(readFileSync(file, 'utf8')).toBe(String.raw`[Desktop Entry]
Type=Application
Name=Tillbeacon
Exec="/opt/Till \\"beacon\\"/100%%" "--daemon=4180"
`);
    made.set(false);
    expect(made.isOn()).toBe(false);
    rmSync(home, { recursive: true });
  });

  test('is Electron’s business elsewhere, and only of what is installed', () => {
    const { app, set } = electron(true);
    const windows = autostart({ app, platform: 'win32', environment: {}, program: '', args: ['--daemon=4180'] });
    windows.set(true);
    expect([windows.canBe, windows.isOn(), set]).toEqual([true, true, [{ openAtLogin: true, args: ['--daemon=4180'] }]]);
    for (const platform of ['win32', 'linux'] as const) {
      const checkout = electron(false);
      const off = autostart({ app: checkout.app, platform, environment: { HOME: '/nowhere' }, program: '', args: [] });
      off.set(true);
      expect([off.canBe, checkout.set]).toEqual([false, []]);
    }
  });

  test('is not offered on macOS to an app beside a daemon, which would be started without its daemon', () => {
    const { app, set } = electron(true);
    const mac = (args: readonly string[]) => autostart({ app, platform: 'darwin', environment: {}, program: '', args });
    mac(['--daemon=4180']).set(true);
    expect([mac(['--daemon=4180']).canBe, mac([]).canBe, set]).toEqual([false, true, []]);
  });
});
