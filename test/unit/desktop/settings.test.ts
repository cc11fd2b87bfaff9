import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { expect, test } from 'vitest';
import { desktopSettings } from '../../../main/desktop/settings.ts';
import { silentLog } from '../../../main/domain/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: { merchantPosId: 'a', storeId: '6f9619ff-8b86-4011-b42d-00cf4fc964ff', name: 'Check-out 1', beaconTypes: ['QR'], beaconId: null },
  till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 20007 },
};
const wallet = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 'the-secret', merchantVat: 'DK12345678' };

test('without a key store of the system no secret is kept, and the reason is given', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
  const file = join(folder, 'counter.json');
  writeFileSync(file, JSON.stringify({ wallet, lanes: [lane] }));
  const dataFolder = join(folder, 'data');
  const kept = (isEncryptionAvailable: boolean) =>
    desktopSettings({
      dataFolder,
      importedFrom: file,
      safeStorage: {
        isEncryptionAvailable: () => isEncryptionAvailable,
        encryptString: () => Buffer.from('sealed'),
        decryptString: () => 'the-secret',
      } as unknown as SafeStorage,
      clock: new ManualClock(),
      log: silentLog,
    });
  expect(() => kept(false)).toThrow('wallet.clientSecret: cannot be stored, this system offers no key store');
  expect(readdirSync(dataFolder)).toEqual([]);
  kept(true);
  expect(readdirSync(dataFolder)).toEqual(['settings.json']);
  rmSync(folder, { recursive: true });
});

test('a secret that the key store does not give back is named, with the way back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
  writeFileSync(
    join(folder, 'settings.json'),
    JSON.stringify({ wallet: { simulator: true }, lanes: [{ ...lane, till: { ...lane.till, password: { sealed: 'c2VhbGVk' } } }] }),
  );
  const file = desktopSettings({
    dataFolder: folder,
    importedFrom: null,
    safeStorage: {
      decryptString() {
        throw new Error('Error while decrypting the ciphertext');
      },
    } as unknown as SafeStorage,
    clock: new ManualClock(),
    log: silentLog,
  });
  expect(file.read()).toMatchObject({
    kind: 'wrong',
    mistakes: ["lanes.0.till.password: cannot be read back from this system's key store (Error while decrypting the ciphertext); enter it again"],
  });
  rmSync(folder, { recursive: true });
});
