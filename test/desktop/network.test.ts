import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ShopNetwork, walletHost } from '../support/proxied-counter.ts';
import { Desktop } from './desktop-app.ts';

let network: ShopNetwork;
let app: Desktop;
const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-app-network-'));
beforeAll(async () => {
  network = await ShopNetwork.open();
  writeFileSync(join(folder, 'counter.json'), JSON.stringify(network.settings()), { mode: 0o600 });
});
afterEach(async () => {
  app.child.kill('SIGTERM');
  await app.exited;
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the app trusts the authority of its environment, which Electron itself does not read, and goes through the proxy', async () => {
  app = await Desktop.start(
    ['--settings', join(folder, 'counter.json')],
    join(folder, 'user'),
    network.environment,
  );
  await app.isReady();
  expect(network.proxy.asked).toContain(`${walletHost}:443`);
  // The Chromium of the stand-in asks for what Google offers it.
  expect(
    [...network.proxy.asked, ...network.proxy.readable].filter((what) =>
      /127\.0\.0\.1|localhost/.test(what),
    ),
  ).toEqual([]);
});

test('the app says in one sentence what is wrong with the authority of its environment', async () => {
  const late = join(folder, 'late.mjs');
  writeFileSync(late, "process.env.NODE_EXTRA_CA_CERTS = '/no/such/authority.pem';");
  app = await Desktop.start([], join(folder, 'other'), { NODE_OPTIONS: `--import=${late}` });
  expect(await app.exited).toBe(2);
  expect(app.stderr).toContain('NODE_EXTRA_CA_CERTS: must name a file that can be read (ENOENT)');
});
