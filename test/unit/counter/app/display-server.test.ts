import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DisplayServer } from '../../../../main/counter/app/display-server.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { ShopPictures } from '../../../../main/counter/server/shop-pictures.ts';
import type { CustomerDisplaySettings } from '../../../../main/counter/settings/schema.ts';
import { until } from '../../../support/processes.ts';
import { ScriptedViews } from '../server/scripted-views.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;
let clock: ManualClock;
let blocker: Server;
let settings: CustomerDisplaySettings | null;
let errors: string[];
let displays: DisplayServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-display-server-'));
  for (const path of ['renderer/assets', 'renderer/customer', 'data'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'renderer/customer/index.html'), '<!doctype html>');
  blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  settings = { host: '127.0.0.1', port: (blocker.address() as AddressInfo).port };
  errors = [];
  clock = new ManualClock();
  const log: Log = { ...silentLog, error: (_fields, message) => errors.push(message) };
  displays = new DisplayServer({
    rendererFolder: join(folder, 'renderer'),
    views: new ScriptedViews(),
    pictures: new ShopPictures(join(folder, 'data'), silentLog),
    settings: () => settings,
    clock,
    log,
  });
});
afterEach(async () => {
  await displays.close();
  blocker.close();
  rmSync(folder, { recursive: true, force: true });
});

test('what cannot be served yet is served as soon as it can be, e.g. when the network is up after the daemon; that is logged once', async () => {
  await displays.follow();
  expect(await displays.port()).toBeNull();
  await clock.pass(20_000);
  expect(await displays.port()).toBeNull();
  expect(errors).toEqual(['customers’ screens could not be served to other devices: retrying']);
  await new Promise((resolve) => blocker.close(resolve));
  await clock.pass(5_000);
  await until(async () => (await displays.port()) === settings?.port, 'the displays');
});

test('nothing is tried again once the settings want it no more', async () => {
  await displays.follow();
  const wanted = settings;
  settings = null;
  await displays.follow();
  await new Promise((resolve) => blocker.close(resolve));
  settings = wanted;
  await clock.pass(20_000);
  expect(await displays.port()).toBeNull();
});
