import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { expect, test } from 'vitest';
import { KeyStore } from '../../../../main/host/desktop/key-store.ts';
import { desktopSettings } from '../../../../main/host/desktop/settings.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'a',
    storeId: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
    beaconId: null,
  },
  till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 20007 },
};
const wallet = {
  baseUrl: 'http://127.0.0.1:1',
  authUrl: 'http://127.0.0.1:1',
  clientId: 'c',
  clientSecret: 'the-secret',
  merchantVat: 'DK12345678',
};

const storeOf = (storage: Partial<SafeStorage>, platform: NodeJS.Platform = 'linux'): KeyStore =>
  new KeyStore(storage as SafeStorage, platform);

test('without a key store of the system no secret is kept, and the reason is given', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
  const file = join(folder, 'counter.json');
  writeFileSync(file, JSON.stringify({ wallet, lanes: [lane] }));
  const dataFolder = join(folder, 'data');
  const kept = (isEncryptionAvailable: boolean) =>
    desktopSettings({
      dataFolder,
      importedFrom: file,
      keyStore: storeOf({
        isEncryptionAvailable: () => isEncryptionAvailable,
        encryptString: () => Buffer.from('sealed'),
        decryptString: () => 'the-secret',
      }),
      clock: new ManualClock(),
      log: silentLog,
    });
  expect(() => kept(false)).toThrow(
    'wallet.clientSecret: cannot be stored, this system offers no key store',
  );
  expect(readdirSync(dataFolder)).toEqual([]);
  kept(true);
  expect(readdirSync(dataFolder)).toEqual(['settings.json']);
  rmSync(folder, { recursive: true });
});

const decryptString = (): never => {
  throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.');
};

test.each([
  [
    'linux',
    'gnome_libsecret',
    "GNOME Keyring (libsecret) is locked, or was another user's: first unlock it and start Tillbeacon again",
  ],
  [
    'linux',
    'kwallet6',
    "KWallet is locked, or was another user's: first unlock it and start Tillbeacon again",
  ],
  [
    'linux',
    'basic_text',
    'no key store runs in this session (basic_text): first start GNOME Keyring or KWallet, unlocked, and then Tillbeacon again',
  ],
  [
    'win32',
    null,
    'Windows data protection (DPAPI) does not open it: first sign in as the user who has entered it, and start Tillbeacon again',
  ],
  [
    'darwin',
    null,
    'the macOS keychain does not open it: first sign in as the user who has entered it, and start Tillbeacon again',
  ],
] as const)(
  'a secret that the key store does not open is named, with the key store and what to do: %s, %s',
  (platform, backend, why) => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
    writeFileSync(
      join(folder, 'settings.json'),
      JSON.stringify({
        wallet: { simulator: true },
        lanes: [{ ...lane, till: { ...lane.till, password: { sealed: 'c2VhbGVk' } } }],
      }),
    );
    const keyStore = storeOf(
      { decryptString, ...(backend !== null && { getSelectedStorageBackend: () => backend }) },
      platform,
    );
    const file = desktopSettings({
      dataFolder: folder,
      importedFrom: null,
      keyStore,
      clock: new ManualClock(),
      log: silentLog,
    });
    expect(file.read()).toMatchObject({
      kind: 'wrong',
      mistakes: [
        `lanes.0.till.password: cannot be read back from this system's key store (${why}); enter it again`,
      ],
    });
    expect(keyStore.notices().map(({ code }) => code)).toEqual([
      ...(backend === 'basic_text' ? ['keyStorePlain'] : []),
      'keyStoreLocked',
    ]);
    rmSync(folder, { recursive: true });
  },
);

test('a key store that works again is no longer said to be locked', () => {
  let isLocked = true;
  const keyStore = storeOf(
    {
      getSelectedStorageBackend: () => 'kwallet5',
      decryptString: () => (isLocked ? decryptString() : 'the-secret'),
    },
    'linux',
  );
  expect(() => keyStore.open('c2VhbGVk')).toThrow('KWallet is locked');
  isLocked = false;
  expect([keyStore.open('c2VhbGVk'), keyStore.notices()]).toEqual(['the-secret', []]);
});
