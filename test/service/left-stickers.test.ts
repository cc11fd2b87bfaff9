import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startApplication } from '../../main/counter/app/application.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { SettingsFile } from '../../main/counter/settings/settings-file.ts';
import { until } from '../support/processes.ts';
import { clockWith } from '../support/clock-with.ts';

/** The pause in these tests, which is a minute at a counter. */
const againMs = 50;
const clock = clockWith({
  after: (delayMs, run, by) => systemClock.after(delayMs === 60_000 ? againMs : delayMs, run, by),
});

test('a counter ends the sticker that no lane has any more, and stops trying when it is closed', async () => {
  let tries = 0;
  const service = createServer((request, response) => {
    const isToken = request.url?.includes('accesstoken') === true;
    if (request.method === 'DELETE') tries += 1;
    response
      .writeHead(isToken ? 200 : 503)
      .end(
        isToken
          ? JSON.stringify({ token_type: 'Bearer', expires_in: '3600', access_token: 'token' })
          : '',
      );
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-left-stickers-'));
  onTestFinished(() => {
    service.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'settings.json');
  const keys = {
    clientId: 'x',
    clientSecret: 'y',
    subscriptionKey: 'z',
    merchantSerialNumber: '1234567',
  };
  const till = { protocol: 'zvt', transport: 'tcp', port: 0 };
  const lane = {
    id: '1',
    name: 'Till 1',
    currency: 'DKK',
    pointOfSale: { merchantPosId: '1', name: 'Till 1' },
    till,
  };
  writeFileSync(
    path,
    JSON.stringify({
      wallet: { service: 'epayment', environment: 'test', country: 'DK', baseUrl, ...keys },
      lanes: [lane],
    }),
  );
  writeFileSync(
    join(folder, 'made-stickers.json'),
    JSON.stringify({ version: 1, stickers: [{ msn: '1234567', baseUrl, merchantQrId: 'K1' }] }),
  );
  const application = await startApplication({
    settings: new SettingsFile({
      path,
      dataFolder: folder,
      environment: {},
      safe: null,
      clock,
      log: silentLog,
    }),
    dataFolder: folder,
    screens: null,
    rendererFolder: '',
    demo: false,
    system: { clock, ids: systemIds, log: silentLog },
  });
  await until(() => tries >= 2, 'the sticker to be ended, and again');
  await application.close();
  const tried = tries;
  await pause(10 * againMs);
  expect(tries).toBe(tried);
});
