import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../main/counter/server/connection.ts';
import type { View } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { until } from '../support/processes.ts';
import {
  aCounterForEachTest,
  ask,
  enterCode,
  folder,
  idle,
  logged,
  pointOfSale,
  refusal,
  settingsPath,
  simulator,
  start,
  tcp,
  terminal,
  wallet,
} from './setup-support.ts';

aCounterForEachTest();

describe('a settings file that is dropped into the data folder', () => {
  const file = (change: object = {}, secrets: object = {}): string => {
    const { kind: _kind, ...service } = wallet();
    const { merchantVat } = simulator.credentials;
    const lane = {
      id: 'A',
      name: 'Kasse A',
      currency: 'DKK',
      pointOfSale: { ...pointOfSale, storeId: simulator.storeIds[0] },
      till: { protocol: 'zvt', ...tcp },
    };
    return JSON.stringify({
      wallet: { ...service, merchantVat, ...secrets },
      lanes: [{ ...lane, ...change }],
    });
  };

  test('makes a counter, and every screen that looks shows it', async () => {
    await start();
    const views: View[] = [];
    const connection = openConnection(terminal!, (message) => {
      if (message.t === 'q' && message.m === 'view') views.push(message.a[0]);
    });
    void connection.receive(watchMessage({ screen: 'cashier', laneId: null }));
    expect(views.at(-1)).toMatchObject({ lanes: [], lane: null });
    writeFileSync(settingsPath(), file());
    await until(() => views.at(-1)?.lane?.state.kind === 'idle', 'the screen to show the lane');
    writeFileSync(settingsPath(), file({ name: 'Kasse B' }));
    await until(() => views.at(-1)?.lane?.name === 'Kasse B', 'the new name');
    await idle('A');
    connection.close();
  });

  test.skipIf(process.platform === 'win32')(
    'is closed to others in the data folder, and elsewhere named on the health page until somebody has done so',
    async () => {
      const secret = join(folder, 'secret');
      writeFileSync(secret, simulator.credentials.clientSecret, { mode: 0o644 });
      const elsewhere = mkdtempSync(join(tmpdir(), 'tillbeacon-elsewhere-'));
      const named = join(elsewhere, 'named');
      writeFileSync(named, simulator.credentials.clientSecret, { mode: 0o644 });
      writeFileSync(
        settingsPath(),
        file({}, { clientSecret: { file: 'secret' }, reportingKey: { file: named } }),
        { mode: 0o644 },
      );
      await start();
      for (const path of [folder, settingsPath(), secret])
        expect(statSync(path).mode & 0o077, path).toBe(0);
      await enterCode();
      await ask('addManager', { name: 'Ada', pin: '2580' });
      expect((await ask('health', {})).notices).toMatchObject([
        { code: 'fileReadable', subject: named, detail: `chmod 600 ${named}` },
      ]);
      expect(logged).toContain(`chmod 600 ${named}`);
      chmodSync(named, 0o600);
      chmodSync(settingsPath(), 0o644);
      await until(async () => (await ask('health', {})).notices.length === 0, 'the notice to go');
      await until(() => (statSync(settingsPath()).mode & 0o077) === 0, 'the settings to be closed');
      expect(logged).not.toContain(simulator.credentials.clientSecret);
      const { fileId } = await ask('diagnostics', {});
      const { base64 } = await ask('filePart', { fileId, part: 0 });
      const bundle = Object.values(unzipSync(Buffer.from(base64, 'base64'))).map((bytes) =>
        strFromU8(bytes),
      );
      expect(bundle.join()).not.toContain(simulator.credentials.clientSecret);
      rmSync(elsewhere, { recursive: true });
    },
  );

  test('with a mistake is told of, and what was in use stays', async () => {
    await start();
    writeFileSync(settingsPath(), file());
    await idle('A');
    await enterCode();
    writeFileSync(settingsPath(), file({ currency: 'SEK' }));
    await until(async () => (await ask('setupState', {})).file.state === 'refused', 'the mistake');
    expect((await ask('setupState', {})).file.mistakes).toEqual([
      expect.stringMatching(/^lanes\.0\.currency: /),
    ]);
    expect(logged).toContain('lanes.0.currency');
    expect(terminal?.views.lane('A')?.state.kind).toBe('idle');
    expect(existsSync(join(folder, 'settings.previous.json'))).toBe(true);
  });

  test('whose till cannot be listened to is told of, and the till before can still pay', async () => {
    await start();
    writeFileSync(settingsPath(), file());
    await idle('A');
    const tillPort = Number(terminal?.lanes()[0]?.till.split(':')[2]);
    const two = JSON.parse(file()) as { lanes: object[] };
    two.lanes.push({
      ...two.lanes[0],
      id: 'B',
      pointOfSale: { ...pointOfSale, merchantPosId: 'b', storeId: simulator.storeIds[0] },
      till: { protocol: 'zvt', ...tcp, port: 1, host: '203.0.113.1' },
    });
    writeFileSync(settingsPath(), JSON.stringify(two));
    await enterCode();
    await until(async () => (await ask('setupState', {})).file.state === 'refused', 'the mistake');
    expect((await ask('setupState', {})).file.mistakes).toEqual([
      expect.stringContaining('cannot be listened to'),
    ]);
    await idle('A');
    expect(terminal?.lanes()).toHaveLength(1);
    expect(tillPort).toBeGreaterThan(0);
  });

  test('that is wrong at the start leads to setup', async () => {
    writeFileSync(settingsPath(), '{');
    await start();
    // Somebody prepared this counter: it is not anybody's to set up.
    expect(await refusal('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    await enterCode();
    expect(await ask('setupState', {})).toMatchObject({
      inUse: null,
      file: { state: 'refused', mistakes: [expect.stringContaining('is not JSON')] },
    });
  });
});
