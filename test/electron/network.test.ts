/**
 * Whether Electron's own Node and TLS do what the app needs of them: an authority of the shop, and
 * a proxy.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ShopNetwork, walletHost } from '../support/proxied-counter.ts';
import { startApp } from './running-app.ts';

test('reaches a service with a certificate of the shop’s own authority through a proxy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-electron-network-'));
  const network = await ShopNetwork.open();
  try {
    writeFileSync(join(folder, 'counter.json'), JSON.stringify(network.settings()), {
      mode: 0o600,
    });
    const environment = { HTTPS_PROXY: network.proxyUrl, NODE_EXTRA_CA_CERTS: network.authority };
    const app = await startApp(
      ['--settings', join(folder, 'counter.json')],
      join(folder, 'user'),
      environment,
    );
    await app.says('"ready"');
    expect(network.proxy.asked).toContain(`${walletHost}:443`);
    await app.end();
  } finally {
    await network.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
});
