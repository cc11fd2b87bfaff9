import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestCounter } from '../../../../main/counter/app/test-counter.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { readySettings } from '../../../../main/counter/settings/load.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import type { SecretSafe, SecretSources } from '../../../../main/support/settings/secrets.ts';
import { emptyDraft, settingsWith } from '../../../../main/counter/setup/draft.ts';
import { DraftStore } from '../../../../main/counter/setup/draft-store.ts';
import { exportLane } from '../../../../main/counter/setup/lane-file.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import {
  SalesUnitInput,
  TillInput,
  WalletInput,
} from '../../../../preload/procedures/setup-fields.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const safe: SecretSafe = {
  seal: (secret) => Buffer.from(secret).toString('base64'),
  open: (sealed) => Buffer.from(sealed, 'base64').toString(),
};
/** As of another user, or of a system without a key store. */
const closed: SecretSafe = {
  seal() {
    throw new Error('this system offers no key store');
  },
  open() {
    throw new Error('it was sealed elsewhere');
  },
};

const planted = {
  clientSecret: 'planted-client-secret',
  reportingKey: 'planted-reporting-key',
  subscriptionKey: 'planted-subscription-key',
  secondSubscriptionKey: 'planted-second-subscription-key',
  password: '192837',
  passphrase: 'planted correct horse battery',
};
const service = {
  kind: 'service',
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  tokenFor: 'merchant',
  profile: 'generic',
  reportingUrl: null,
  testService: false,
  provenAtMs: null,
};
const salesUnit = {
  kind: 'epayment',
  environment: 'test',
  country: 'DK',
  clientId: 'me',
  merchantSerialNumber: '123456',
  baseUrl: null,
  provenAtMs: null,
};
const { clientSecret, reportingKey, subscriptionKey, secondSubscriptionKey, password, passphrase } =
  planted;
const onCable = {
  protocol: 'zvt',
  transport: 'serial',
  path: '/dev/ttyUSB0',
  baudRate: 9600,
  stopBits: 2,
  password,
};
const inNetwork = {
  protocol: 'zvt',
  transport: 'tcp',
  host: '127.0.0.1',
  port: 20_007,
  from: [],
  password,
};
const program = {
  transport: 'http',
  host: '127.0.0.1',
  port: 4182,
  origins: [],
  tls: null,
  nexo: { poiId: 'T-1', key: { identifier: 'shop', version: 1, passphrase } },
};
/**
 * As earlier versions wrote them: the till's password in clear; in the daemon's data folder, all of
 * it.
 */
const drafts: [string, object, object][] = [
  ['a till on a cable', { ...service, clientSecret, reportingKey }, onCable],
  [
    'a till in the network',
    { ...salesUnit, clientSecret, subscriptionKey, secondSubscriptionKey, code: 'picture' },
    inNetwork,
  ],
  ['a till of Nexo', { ...service, clientSecret, reportingKey }, program],
];
const inUse = Settings.parse({
  wallet: { simulator: true },
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
      },
      till: {
        protocol: 'zvt',
        transport: 'tcp',
        port: 0,
        password: { sealed: safe.seal('192837') },
      },
    },
  ],
});

let folder: string;
let path: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-draft-'));
  path = join(folder, 'setup-draft.json');
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const sources = (of: SecretSafe | null): SecretSources => ({ environment: {}, safe: of, folder });
const storeWith = (of: SecretSafe | null, settings: Settings | null = null): DraftStore =>
  new DraftStore({
    testedLanes: { testedWith: () => null },
    path,
    host: { settings: () => settings, secrets: sources(of) },
    clock: new ManualClock(),
    log: {
      ...silentLog,
      warn: (about: object, words: string) => void said.push(JSON.stringify(about), words),
    },
  });
const file = (): string => readFileSync(path, 'utf8');
const write = (wallet: object, till: object): void =>
  writeFileSync(path, JSON.stringify({ version: 1, draft: { ...emptyDraft, wallet, till } }), {
    mode: 0o600,
  });
const plantedIn = (text: string): string[] =>
  Object.values(planted).filter((secret) => text.includes(secret));

describe('a draft of an earlier version', () => {
  test.each(drafts)(
    'opens as it was, and no secret is left in clear on the disk: %s',
    (_which, wallet, till) => {
      write(wallet, till);
      expect(plantedIn(file())).not.toEqual([]);
      const before = storeWith(null).draft;
      const { draft } = storeWith(safe);
      expect(plantedIn(file())).toEqual([]);
      expect(JSON.parse(file())).toEqual({ version: 1, draft });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const opened = JSON.parse(JSON.stringify(draft), (_name, value: unknown) => {
        if (typeof value !== 'object' || value === null || !('sealed' in value)) return value;
        return safe.open(String(value.sealed));
      }) as unknown;
      expect(opened).toEqual(before);
    },
  );

  test.each(drafts)('stays as it was where the daemon has no safe: %s', (_which, wallet, till) => {
    write(wallet, till);
    const before = file();
    expect(storeWith(null).draft).toMatchObject({ wallet, till });
    expect(file()).toBe(before);
  });

  test('stays as it was, and can be gone on with, where the system has no key store', () => {
    write({ kind: 'simulator' }, inNetwork);
    const store = storeWith(closed);
    expect(store.draft).toMatchObject({ till: { password } });
    store.save({ step: 'language', value: 'da' });
    store.save({
      step: 'till',
      value: store.till(TillInput.parse({ ...inNetwork, password: null })),
      unheard: true,
    });
    expect(store.draft).toMatchObject({ till: { password } });
    expect(said.join()).toContain(
      'till.password: cannot be stored, this system offers no key store',
    );
    expect(plantedIn(said.join())).toEqual([]);
  });

  test('is gone on with when the disk refuses the sealed one', () => {
    write({ kind: 'simulator' }, inNetwork);
    const refusing: SecretSafe = {
      ...safe,
      seal(secret) {
        // Nothing can be written beside it from here on.
        rmSync(folder, { recursive: true });
        return safe.seal(secret);
      },
    };
    expect(storeWith(refusing).draft).toMatchObject({
      till: { password: { sealed: safe.seal(password) } },
    });
    expect(said).toContain(
      'the secrets in the draft of the setup stay in clear on the disk until its next step',
    );
  });
});

describe('what an installer enters', () => {
  test('is sealed in the draft, and in the settings that it makes', () => {
    const store = storeWith(safe);
    const entered = WalletInput.parse({ ...service, clientSecret, reportingKey });
    store.save({ step: 'wallet', value: store.wallet(entered) });
    for (const till of [onCable, inNetwork, program]) {
      const shown = store.save({
        step: 'till',
        value: store.till(TillInput.parse(till)),
        unheard: true,
      });
      expect(plantedIn(JSON.stringify(shown))).toEqual([]);
      expect(plantedIn(file())).toEqual([]);
    }
    store.save({
      step: 'wallet',
      value: store.wallet(
        WalletInput.parse(SalesUnitInput.parse({ ...salesUnit, clientSecret, subscriptionKey })),
      ),
    });
    expect(plantedIn(file())).toEqual([]);
  });

  test('of a till is looked up for its test payment and its lane; a file of the lane never has it', async () => {
    const store = storeWith(safe, inUse);
    store.begin('1');
    store.save({
      step: 'till',
      value: store.till(TillInput.parse({ ...inNetwork, port: 0, password: '555555' })),
      unheard: false,
    });
    store.save({ step: 'language', value: 'da' });
    const { settings } = settingsWith(inUse, store.whole());
    expect(settings.lanes[0]?.till).toMatchObject({ password: { sealed: safe.seal('555555') } });
    expect(readySettings(settings, sources(safe)).lanes[0]?.till).toMatchObject({
      password: '555555',
    });
    const exported = Buffer.from(exportLane(settings, '1').content).toString();
    expect(exported).toContain('"hasPassword": true');
    expect(exported).not.toMatch(new RegExp(`555555|sealed|${safe.seal('555555')}`));
  });

  test('keeps the test payment of a till whose password is not touched', () => {
    const store = storeWith(safe);
    store.save({ step: 'till', value: store.till(TillInput.parse(inNetwork)), unheard: true });
    store.tested('till');
    store.save({
      step: 'till',
      value: store.till(TillInput.parse({ ...inNetwork, password: null })),
      unheard: false,
    });
    expect(store.draft?.tested).toBe('till');
  });

  test('of a till is refused by its field where the system has no key store, and nothing of it is written', () => {
    const store = storeWith(closed);
    store.save({ step: 'language', value: 'da' });
    expect(() => store.till(TillInput.parse(inNetwork))).toThrow(
      'till.password: cannot be stored, this system offers no key store',
    );
    expect(() => store.till(TillInput.parse(program))).toThrow(
      'till.nexo.key.passphrase: cannot be stored, this system offers no key store',
    );
    expect(plantedIn(file())).toEqual([]);
  });
});

describe('a draft with what another computer or user has sealed', () => {
  const foreign = { sealed: 'Zm9yZWlnbg==' };

  test('opens; its test payment and the lane that it makes are refused by field, with the way back', async () => {
    const settings = {
      ...inUse,
      lanes: inUse.lanes.map((lane) => ({ ...lane, till: { ...lane.till, password: foreign } })),
    } as Settings;
    const store = storeWith(closed, settings);
    store.begin('1');
    store.save({ step: 'language', value: 'da' });
    const again = storeWith(closed, settings);
    expect(again.draft?.till).toMatchObject({ password: foreign });
    const why =
      "cannot be read back from this system's key store (it was sealed elsewhere); enter it again";
    const system = { clock: new ManualClock(), ids: systemIds, log: silentLog };
    const tokens = new Tokens({ path: join(folder, 'till-tokens.json'), ...system });
    await expect(
      openTestCounter(
        { lane: again.laneToTry(), api: null, tokens, secrets: sources(closed), changed() {} },
        system,
      ),
    ).rejects.toThrow(expect.objectContaining({ message: `till.password: ${why}` }));
    expect(() =>
      readySettings(settingsWith(settings, again.whole()).settings, sources(closed)),
    ).toThrow(`lanes.0.till.password: ${why}`);
    // Entered again, here, it is right.
    const mended = storeWith(safe, settings);
    mended.save({
      step: 'till',
      value: mended.till(TillInput.parse({ ...inNetwork, port: 0 })),
      unheard: false,
    });
    expect(
      readySettings(settingsWith(settings, mended.whole()).settings, sources(safe)).lanes[0]?.till,
    ).toMatchObject({ password });
  });

  test('of a sales unit is told at the key that cannot be opened', () => {
    write(
      {
        ...salesUnit,
        clientSecret: { sealed: safe.seal(clientSecret) },
        subscriptionKey: foreign,
        secondSubscriptionKey: null,
        code: 'picture',
      },
      inNetwork,
    );
    const store = storeWith({
      ...safe,
      open: (sealed) => (sealed === foreign.sealed ? closed.open(sealed) : safe.open(sealed)),
    });
    const keys = store.keys(
      SalesUnitInput.parse({ ...salesUnit, clientSecret: null, subscriptionKey: null }),
    );
    expect(store.opened(keys.clientSecret, 'clientSecret')).toBe(clientSecret);
    expect(() => store.opened(keys.subscriptionKey, 'subscriptionKey')).toThrow(
      expect.objectContaining({
        code: 'secretMissing',
        field: 'subscriptionKey',
        message: expect.stringMatching(/^wallet\.subscriptionKey: .*enter it again$/),
      }),
    );
  });
});

test('the token that setup makes for a till is in the draft as its hash alone', () => {
  const store = storeWith(null);
  store.save({ step: 'language', value: 'da' });
  const { token, prepared } = new Tokens({
    path: join(folder, 'till-tokens.json'),
    clock: new ManualClock(),
    ids: systemIds,
    log: silentLog,
  }).prepare({
    name: 'Till 1',
    scopes: ['pay'],
  });
  store.keepToken(prepared);
  expect(file()).toContain(prepared.sha256);
  expect(file()).not.toContain(token);
});
