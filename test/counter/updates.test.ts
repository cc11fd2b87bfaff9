import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCurrent } from '../../main/host/updates/versions.ts';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeFeed } from '../../scripts/update-feed.mjs';
import { isLong } from '../support/long.ts';
import { linkPackages, packageOf, platform } from '../support/newer-version.ts';
import {
  cutPower,
  type DaemonReady,
  Product,
  type SimulatorReady,
  until,
} from '../support/processes.ts';

const key = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;

let folder: string;
let feed: Server;
let service: Product;
let launcher: Product;
const at = (...names: readonly string[]): string => join(folder, ...names);

const offer = (version: string, tree: string): void =>
  writeFeed({
    out: at('feed'),
    version,
    minimumVersion: '0.1.0',
    channel: 'stable',
    packages: { [platform]: tree },
    key,
  });

function settings(credentials: SimulatorReady, port: number): object {
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
    till: { protocol: 'zvt', transport: 'tcp', port: 0 },
  };
  return {
    wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
    lanes: [lane],
    updates: { feed: `http://127.0.0.1:${port}`, publicKey: publicKeyOf(key) },
  };
}

const running = async (screens: string): Promise<string | undefined> =>
  /tillbeacon_info\{version="([^"]+)"/.exec(
    await fetch(`${screens}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    ),
  )?.[1];
const screensNow = (): string =>
  (JSON.parse(launcher.lines.at(-1) as string) as DaemonReady).screens;

/** A busy computer takes its time to copy a version. */
const said = (message: string): Promise<void> =>
  until(() => launcher.log().some(({ msg }) => msg === message), message, 100_000);

function inJournal(question: string): unknown {
  const db = new DatabaseSync(at('data', 'journal.sqlite'), { readOnly: true });
  const answer = Object.values(db.prepare(question).get() ?? {})[0];
  db.close();
  return answer;
}
const layout = (): unknown => inJournal('PRAGMA user_version');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-updates-'));
  mkdirSync(at('data'), { mode: 0o700 });
  linkPackages(folder);
  feed = createServer(({ url = '' }, response) => {
    const file = at('feed', url);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => feed.listen(0, '127.0.0.1', done));
  service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
  const { port } = feed.address() as AddressInfo;
  writeFileSync(
    at('data', 'settings.json'),
    JSON.stringify(settings(await service.ready<SimulatorReady>(), port)),
    { mode: 0o600 },
  );
});
afterEach(async () => {
  await launcher.end();
  await service.end();
  feed.closeAllConnections();
  await new Promise((done) => feed.close(done));
  rmSync(folder, { recursive: true, force: true });
});

test.runIf(isLong)(
  'a newer version is started when nothing is under way, and a broken one after it is taken back',
  async () => {
    const installed = packageOf(folder, '0.1.0');
    offer('0.2.0', packageOf(folder, '0.2.0'));
    launcher = new Product(
      join(installed, 'out', 'main', 'launcher.js'),
      ['--data', at('data'), '--port', '0'],
      {
        TILLBEACON_READY_WITHIN_MS: '60000',
      },
    );
    expect(await running((await launcher.ready<DaemonReady>()).screens)).toBe('0.1.0');

    await said('newer version is ready');
    // The launcher says so before it writes it down.
    await until(
      () => readCurrent(at('data', 'updates')).state === 'good',
      'the newer version to be noted as good',
    );
    expect(readCurrent(at('data', 'updates'))).toMatchObject({ version: '0.2.0', previous: null });
    expect(await running(screensNow())).toBe('0.2.0');

    // The daemon looks for updates at its start.
    offer('0.3.0', packageOf(folder, '0.3.0', { broken: true }));
    await launcher.end();
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    launcher = new Product(
      join(installed, 'out', 'main', 'launcher.js'),
      ['--data', at('data'), '--port', '0'],
      {
        TILLBEACON_READY_WITHIN_MS: '4000',
        TILLBEACON_LOG_FOLDER: at('log'),
      },
    );
    expect(await running((await launcher.ready<DaemonReady>()).screens)).toBe('0.2.0');
    await said('rolled back the newer version: starting the previous one again');
    await until(() => launcher.lines.length === 2, 'the one before to be ready');
    expect(await running(screensNow())).toBe('0.2.0');
    const { failed, ...current } = readCurrent(at('data', 'updates'));
    expect(current).toMatchObject({ version: '0.2.0', state: 'good' });
    expect(failed).toMatchObject([
      { version: '0.3.0', times: 1, why: 'it was not ready within 4 s' },
    ]);
    // Migrated, and never ready: back with the journal, of which every layout but the newest is
    // older.
    const before = layout();
    offer('0.4.0', packageOf(folder, '0.4.0', { diesAfterMigration: true }));
    await launcher.end();
    launcher = new Product(
      join(installed, 'out', 'main', 'launcher.js'),
      ['--data', at('data'), '--port', '0'],
      { TILLBEACON_LOG_FOLDER: at('log') },
    );
    await said('restored the journal from before the newer version: nothing was recorded since');
    await until(() => launcher.lines.length === 2, 'the one before to be ready again');
    expect([await running(screensNow()), layout()]).toEqual(['0.2.0', before]);
    expect(readCurrent(at('data', 'updates')).failed.at(-1)).toMatchObject({
      version: '0.4.0',
      why: 'it ended with 1 before it was ready',
    });
    // As on Windows, where a task has no output, the launcher's and the daemon's messages are in
    // the log.
    const kept = readFileSync(at('log', 'tillbeacon.jsonl'), 'utf8');
    for (const words of ['rolled back the newer version', '"msg":"till link"'])
      expect(kept).toContain(words);
    expect(inJournal('PRAGMA integrity_check')).toBe('ok');
  },
);

test.runIf(isLong)(
  'a version that cannot start is taken back, and so is one on trial when the power fails, with the journal',
  async () => {
    const installed = packageOf(folder, '0.1.0');
    const start = (): Product =>
      new Product(join(installed, 'out', 'main', 'launcher.js'), [
        '--data',
        at('data'),
        '--port',
        '0',
      ]);
    offer('0.2.0', packageOf(folder, '0.2.0', { cannotStart: true }));
    launcher = start();
    await launcher.ready<DaemonReady>();
    await said('rolled back the newer version: starting the previous one again');
    await until(() => launcher.lines.length === 2, 'the one before to be ready');
    expect(await running(screensNow())).toBe('0.1.0');
    expect(readCurrent(at('data', 'updates')).failed).toMatchObject([
      { version: '0.2.0', times: 1, why: 'it ended with 1 before it was ready' },
    ]);

    const before = layout();
    offer('0.3.0', packageOf(folder, '0.3.0', { hangsAfterMigration: true }));
    await launcher.end();
    launcher = start();
    await launcher.ready<DaemonReady>();
    await until(() => layout() !== before, 'the newer version to change the journal', 100_000);
    await cutPower(launcher);
    expect(readCurrent(at('data', 'updates'))).toMatchObject({
      version: '0.3.0',
      state: 'trying',
      starts: 1,
    });

    launcher = start();
    expect(await running((await launcher.ready<DaemonReady>()).screens)).toBe('0.1.0');
    expect([layout(), inJournal('PRAGMA integrity_check')]).toEqual([before, 'ok']);
    const current = readCurrent(at('data', 'updates'));
    expect(current).toMatchObject({ version: null, state: 'good' });
    expect(current.failed[1]).toMatchObject({
      version: '0.3.0',
      times: 1,
      why: 'it was ended before it was ready',
    });
  },
);
