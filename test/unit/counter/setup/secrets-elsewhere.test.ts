import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import type { SecretSafe } from '../../../../main/support/settings/secrets.ts';
import { settingsWith } from '../../../../main/counter/setup/draft.ts';
import { DraftStore } from '../../../../main/counter/setup/draft-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settings = Settings.parse({
  language: 'da',
  wallet: {
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    clientId: 'me',
    clientSecret: { file: 'wallet-secret' },
    merchantVat: 'DK12345678',
    reportingKey: { credential: 'reports' },
  },
  lanes: [
    {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: 'one',
        storeId: '51050000-0000-4000-8000-000000000001',
        name: 'Check-out 1',
        beaconTypes: ['QR'],
        beaconId: null,
      },
      till: { protocol: 'zvt', transport: 'tcp', port: 0 },
    },
  ],
});
const asScreensSendIt = {
  kind: 'service',
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: null,
  tokenFor: 'merchant',
  profile: 'generic',
  reportingKey: null,
  reportingUrl: null,
  testService: false,
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-elsewhere-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const keeperWith = (safe: SecretSafe | null): DraftStore =>
  new DraftStore({
    testedLanes: { testedWith: () => null },
    path: join(folder, 'draft.json'),
    host: { settings: () => settings, secrets: { environment: {}, safe, folder } },
    clock: new ManualClock(),
    log: silentLog,
  });
const sealing: SecretSafe = { seal: () => 'c2VhbGVk', open: () => '' };

test.each([
  ['the daemon', null],
  ['the desktop app, which seals what people enter', sealing],
])('of secrets that are elsewhere the setup keeps where: in %s', (_which, safe) => {
  const keeper = keeperWith(safe);
  keeper.begin('1');
  keeper.save({ step: 'wallet', value: keeper.wallet(asScreensSendIt) });
  expect(settingsWith(settings, keeper.whole()).settings.wallet).toEqual(settings.wallet);
});

test('a secret that is not where the settings say is told at its field', () => {
  const keeper = keeperWith(null);
  const opened = (): string => keeper.opened(keeper.secret(asScreensSendIt), 'clientSecret');
  expect(opened).toThrow(
    expect.objectContaining({
      code: 'secretMissing',
      field: 'clientSecret',
      message: expect.stringContaining('(ENOENT)'),
    }),
  );
  writeFileSync(join(folder, 'wallet-secret'), 'very secret\n');
  expect(opened()).toBe('very secret');
});
