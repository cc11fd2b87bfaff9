import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Current, readCurrent, writeCurrent } from '../../main/host/updates/versions.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/processes.ts';
import { appOfTest } from './app-of-test.ts';

const own = appOfTest();
const { start } = own;

describe('the start of the app (over the stand-in)', () => {
  test('beside the daemon that is named, also while nobody answers there, opens no journal of its own', async () => {
    const app = await start(['--daemon', String(await freePort())]);
    await app.says('a daemon takes the payments');
    await until(
      async () => JSON.stringify(await app.control('tray')).includes('does not answer'),
      'the tray to say so',
    );
    expect(existsSync(join(own.userData, 'data'))).toBe(false);
    await app.control('quit');
    expect(await app.exited).toBe(0);
  });

  test('with what is no port of a daemon is refused, and takes no payments', async () => {
    const app = await start(['--daemon', 'screens']);
    expect(await app.exited).toBe(2);
    expect(app.stderr).toContain(
      `--daemon: must be the port of a daemon's screens, 1 to 65535, got \\"screens\\"`,
    );
    expect(existsSync(join(own.userData, 'data'))).toBe(false);
  });

  test('on Wayland without an X server leaves windows’ places to the system, and says so', async () => {
    const app = await start(['--demo'], { WAYLAND_DISPLAY: 'wayland-9', DISPLAY: '' });
    await app.says('windows cannot be placed on displays under Wayland');
    const manager = await app.window('cashier');
    await manager.locator('[data-state="idle"]').waitFor();
    await app.control('quit');
    expect(await app.exited).toBe(0);
  });

  test('without a key store says so, and names the one that does not open its secrets', async () => {
    const plain = await start(['--demo'], { STANDIN_KEY_STORE: 'basic_text' });
    await plain.says('this session has no key store (basic_text)');
    await plain.control('quit');
    await plain.exited;
    const data = join(own.userData, 'data');
    mkdirSync(data, { recursive: true });
    const till = {
      protocol: 'zvt',
      transport: 'tcp',
      host: '127.0.0.1',
      port: 0,
      password: { sealed: Buffer.from('v10secret').toString('base64') },
    };
    const pointOfSale = {
      merchantPosId: 'a',
      storeId: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
      name: 'Check-out 1',
      beaconTypes: ['QR'],
      beaconId: null,
    };
    const lane = { id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till };
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({ wallet: { simulator: true }, lanes: [lane] }),
    );
    const locked = await start([], { STANDIN_KEY_STORE: 'kwallet6', STANDIN_LOCKED: '1' });
    await locked.says('KWallet is locked');
    expect(locked.stderr).not.toContain('Error while decrypting');
    await locked.control('quit');
    expect(await locked.exited).toBe(0);
  });

  test('a second time ends at once', async () => {
    const app = await start(['--demo'], { STANDIN_SECOND: '1' });
    expect(await app.exited).toBe(0);
    expect(app.stderr).not.toContain('ready');
    expect(existsSync(join(own.userData, 'demo'))).toBe(false);
  });

  test('of a demonstration takes all windows’ places, and says nothing about a version that is tried', async () => {
    const trying: Current = {
      version: '9.9.9',
      state: 'trying',
      starts: 1,
      previous: null,
      journalLayout: 7,
      failed: [],
      stuck: null,
    };
    const updates = join(own.userData, 'updates');
    mkdirSync(updates, { mode: 0o700 });
    writeCurrent(updates, trying);
    // The computer is kept awake all day.
    writeFileSync(
      join(own.userData, 'this-pc.json'),
      JSON.stringify({ awake: { fromMinute: 0, untilMinute: 0 } }),
    );
    const app = await start(['--demo']);
    for (const name of ['cashier', 'customer', 'demo'])
      await (await app.window(name)).locator('[data-state], [data-phone]').first().waitFor();
    const windows =
      await app.control<
        { bounds: { x: number }; hasFocus: boolean; isShown: boolean; url: string }[]
      >('windows');
    expect(windows.map(({ bounds: { x }, isShown }) => [x, isShown])).toEqual([
      [0, true],
      [640, true],
      [1280, true],
    ]);
    expect(windows.filter(({ hasFocus }) => hasFocus).map(({ url }) => url)).toEqual([
      'tillbeacon://screens/cashier/index.html',
    ]);
    expect(await app.control('isKeptAwake')).toBe(true);
    expect(await app.control('hasApplicationMenu')).toBe(false);
    // Longer than a version takes to record that it works.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readCurrent(updates)).toEqual(trying);
    await app.control('power', 'shutdown');
    expect(await app.exited).toBe(0);
  });
});
