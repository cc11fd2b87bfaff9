/**
 * The receiver registered at the service: what is there before and afterwards, in simulated time
 * and over real HTTP.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sayCheckInAliases } from '../../main/wallets/callbacks/registration/check-ins.ts';
import {
  merchantClient,
  type MerchantClient,
} from '../../main/wallets/callbacks/registration/merchants.ts';
import { writeNewSettings } from '../../main/wallets/callbacks/registration/new-settings.ts';
import { register, type Registering } from '../../main/wallets/callbacks/registration/register.ts';
import {
  readCallbackSettings,
  withAllSecrets,
} from '../../main/wallets/callbacks/callback-settings-file.ts';
import { tryNotification } from '../../main/wallets/callbacks/registration/test-notification.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { parseSettings } from '../../main/counter/settings/load.ts';
import { checkSettings } from '../../main/support/settings/settings-text.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { openIntake } from '../../main/wallets/callbacks/intake.ts';
import { CallbackReceiver } from '../../main/wallets/callbacks/callback-server.ts';
import { CallbackSettingsFile } from '../../main/wallets/callbacks/callback-settings.ts';
import { openSqliteReader } from '../../main/wallets/callbacks/sqlite-reader.ts';
import { openSqliteStore } from '../../main/wallets/callbacks/sqlite-store.ts';
import { fetchHttp } from '../../main/wallets/http/http.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import { integratorAccess } from '../../main/wallets/v10/v10-access.ts';
import { webhookEvents } from '../../main/wallets/v10/app-payments/webhook.ts';
import { clientOf } from '../../main/wallets/v10/typed-client.ts';
import { pointOfSaleOperations } from '../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';

const address = 'https://callbacks.shop.example';
const apiKey = 'simulated-key-of-DK90000028';

let simulator: Simulator;
let client: MerchantClient;
let providerId: string;
let merchantId: string;
let storedSecrets: Map<string, string>;
beforeEach(async () => {
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: systemClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  client = merchantClient({ baseUrl: simulator.baseUrl, apiKey, profile: 'generic' });
  const merchant = await client.subscriptions.getSubscriptionMerchant({});
  merchantId = merchant.Id;
  providerId = merchant.SubscriptionProviders?.[0]?.SubscriptionProviderId ?? '';
  storedSecrets = new Map();
});
afterEach(() => simulator.stop());

const basic = { scheme: 'basic', userName: 'wallet', password: 'not for a terminal' };
const settingsWith = (about: object): CallbackSettingsFile =>
  checkSettings(CallbackSettingsFile, {
    address,
    catchUp: [{ baseUrl: simulator.baseUrl, apiKey, providerId, merchantId, appPayments: true }],
    ...about,
  });

async function registered(
  settings: CallbackSettingsFile,
  about: Partial<Registering> = {},
): Promise<string> {
  const lines: string[] = [];
  await register({
    settings,
    address: null,
    merchant: null,
    credential: null,
    showOnly: false,
    lookUp: (secret) => (typeof secret === 'string' ? secret : 'looked up'),
    keepKey: (file, key) => void storedSecrets.set(file, key),
    open: ({ baseUrl, apiKey: key }) =>
      merchantClient({ baseUrl, apiKey: key, profile: 'generic' }),
    say: (line) => void lines.push(line),
    ...about,
  });
  return lines.join('\n');
}
/** The requests that change something. */
const changes = (): string[] =>
  simulator
    .requests()
    .flatMap(({ method, operation }) => (method === 'GET' ? [] : [operation ?? '']));

describe('subscriptions', () => {
  test.each<[string, object, string]>([
    ['Basic', basic, 'Basic'],
    ['a key', { scheme: 'apiKey', apiKey: 'not for a terminal' }, 'ApiKey'],
    [
      'a token of ours',
      { scheme: 'oauth2', clientId: 'service', clientSecret: 'not for a terminal' },
      'OAuth2',
    ],
  ])('are called back with %s, and no secret is said', async (_how, credential, scheme) => {
    const output = await registered(settingsWith({ subscriptions: [credential] }));
    expect(output).toContain('subscriptions, before: no address, no authentication');
    expect(output).toContain(
      `subscriptions, now: ${address}/callbacks/subscription-payments, ${scheme}`,
    );
    expect(output).toContain('invoices: the settings have no credentials for them, left as it is');
    expect(output).not.toContain('not for a terminal');
    const { credentials } = await client.subscriptions.getSubscriptionProvider({ providerId });
    expect(Object.values(credentials ?? {})).toContain('not for a terminal');
  });

  test.each(['callbacks', 'callbacks https://shop.example/wallet'])(
    'have the scope that the settings name: %s',
    async (scope) => {
      const credential = { scheme: 'oauth2', clientId: 'service', clientSecret: 's', scope };
      await registered(settingsWith({ subscriptions: [credential] }));
      const { credentials } = await client.subscriptions.getSubscriptionProvider({ providerId });
      expect(credentials).toMatchObject({ scheme: 'OAuth2', scope });
    },
  );

  test('have no scope any more when the settings name none', async () => {
    const credential = { scheme: 'oauth2', clientId: 'service', clientSecret: 's' };
    await registered(settingsWith({ subscriptions: [{ ...credential, scope: 'callbacks' }] }));
    await registered(settingsWith({ subscriptions: [credential] }));
    const { credentials } = await client.subscriptions.getSubscriptionProvider({ providerId });
    expect(credentials?.scope ?? null).toBeNull();
  });
});

describe('invoices', () => {
  test.each([basic, { scheme: 'apiKey', apiKey: 'not for a terminal' }])(
    'are called back with %j',
    async (credential) => {
      const said = await registered(settingsWith({ invoices: [credential] }));
      expect(said).toContain(`invoices, before: the service does not tell`);
      expect(said).toContain(`invoices, now: ${address}/callbacks/invoices, ${credential.scheme}`);
      expect(said).not.toContain('not for a terminal');
    },
  );
});

describe('app payments', () => {
  const own = {
    appPayments: [
      { url: `${address}/callbacks/app-payments`, signatureKey: { file: 'webhook-key' } },
    ] as const,
  };

  test('a webhook is made once, its key is kept where the settings say, and said nowhere', async () => {
    const said = await registered(settingsWith(own));
    expect(said).toContain('app payments, before: no webhook');
    const [webhook, ...more] = (await client.appPayments.listWebhooks({})).webhooks;
    expect(more).toEqual([]);
    expect(storedSecrets).toEqual(new Map([['webhook-key', webhook?.signatureKey]]));
    expect(said).not.toContain(webhook?.signatureKey);
    await registered(settingsWith(own));
    expect((await client.appPayments.listWebhooks({})).webhooks).toEqual([webhook]);
    expect(changes().filter((one) => /Webhook/.test(one))).toEqual(['createWebhook']);
  });

  test('one that lacks events is replaced, and keeps its key', async () => {
    const url = `${address}/callbacks/app-payments`;
    const { webhookId, signatureKey } = await client.appPayments.createWebhook({
      body: { url, events: ['payment.reserved'] },
    });
    await registered(settingsWith(own));
    const { webhooks } = await client.appPayments.listWebhooks({});
    expect(webhooks).toMatchObject([{ webhookId, signatureKey, events: { length: 5 } }]);
  });

  test('one that the service writes otherwise is named as it has to be: the signature is made over that', async () => {
    const [{ url, signatureKey }] = own.appPayments;
    await client.appPayments.createWebhook({ body: { url, events: [...webhookEvents] } });
    const otherwise = {
      appPayments: [{ url: url.replace('.example', '.example:443'), signatureKey }],
    };
    await expect(registered(settingsWith(otherwise))).rejects.toThrow(
      `appPayments.0.url: must be as the service writes it, ${url}`,
    );
  });

  test('a key that could not be kept, or is another one, changes nothing', async () => {
    const fixed = {
      appPayments: [{ url: `${address}/callbacks/app-payments`, signatureKey: 'a key of mine' }],
      subscriptions: [basic],
    };
    await expect(registered(settingsWith(fixed))).rejects.toThrow(
      'appPayments.0.signatureKey: must be { "file": "PATH" }',
    );
    expect(changes()).toEqual([]);
  });
});

test('of several merchants each has its own webhook, and one alone is registered when it is named', async () => {
  const merchant = { baseUrl: simulator.baseUrl, apiKey };
  const webhook = (name: string) => ({
    url: `${address}/callbacks/${name}`,
    signatureKey: { file: name },
  });
  const settings = settingsWith({
    catchUp: [
      { ...merchant, providerId },
      { ...merchant, appPayments: true },
      { ...merchant, appPayments: true },
    ],
    appPayments: [webhook('one'), webhook('two')],
  });
  const said = await registered(settings, { merchant: 1 });
  expect(said).not.toMatch(/merchant [13]/);
  expect([...storedSecrets.keys()]).toEqual(['one']);
  await registered(settings);
  expect((await client.appPayments.listWebhooks({})).webhooks.map(({ url }) => url)).toEqual([
    webhook('one').url,
    webhook('two').url,
  ]);
});

describe('mistakes', () => {
  const two = { subscriptions: [basic, { scheme: 'apiKey', apiKey: 'new' }] };
  test.each<[string, object, Partial<Registering>, string]>([
    [
      'no address',
      { address: undefined, subscriptions: [basic] },
      {},
      'address: must be in the settings',
    ],
    [
      'a port that the service never calls',
      { address: `${address}:8443`, subscriptions: [basic] },
      {},
      'address: must be on port 443',
    ],
    [
      'no merchant',
      { catchUp: undefined, subscriptions: [basic] },
      {},
      'catchUp: must name the merchant',
    ],
    [
      'a merchant that there is not',
      { subscriptions: [basic] },
      { merchant: 1 },
      '--merchant: must be one of the 1 in catchUp, got 2',
    ],
    ['several credentials', two, {}, '--credential: must say which of the 2 in subscriptions'],
    [
      'a credential that there is not',
      two,
      { credential: 2 },
      '--credential: must be one of the 2 in subscriptions, got 3',
    ],
    [
      'a token for invoices',
      { invoices: [{ scheme: 'oauth2', clientId: 'c', clientSecret: 's' }] },
      {},
      'invoices.0.scheme: must be basic or apiKey',
    ],
  ])('%s: nothing is changed', async (_what, settings, about, says) => {
    await expect(registered(settingsWith(settings), about)).rejects.toThrow(says);
    expect(changes()).toEqual([]);
  });

  test('the new one of two credentials is registered when it is named', async () => {
    expect(await registered(settingsWith(two), { credential: 1 })).toContain(
      '/callbacks/subscription-payments, ApiKey',
    );
  });

  test('what is only shown is not changed, and needs no secret but the merchant’s key', async () => {
    const said = await registered(settingsWith({ ...two, checkin: true }), {
      showOnly: true,
      lookUp(secret, where) {
        if (where !== 'catchUp.0.apiKey' || typeof secret !== 'string')
          throw new Error(`${where} was looked up`);
        return secret;
      },
    });
    expect(said).toContain('subscriptions, registered: no address');
    expect(said).not.toContain('check-ins');
    expect(changes()).toEqual([]);
  });

  test('what the service says is cleaned before it is printed', async () => {
    await client.appPayments.createWebhook({
      body: { url: `https://a.example/\u202e\u009b2J?token=secret`, events: ['payment.reserved'] },
    });
    const said = await registered(settingsWith({ subscriptions: [basic] }), { showOnly: true });
    expect(said).toMatch(/app payments, registered: https:\/\/a\.example\//);
    expect(said).not.toMatch(/[\u202e\u009b]|secret/);
  });
});

test('check-ins: the alias of each lane’s point of sale is shown, and nothing is changed', async () => {
  const {
    baseUrl,
    authUrl,
    credentials,
    storeIds: [storeId = ''],
  } = simulator;
  const lane = (id: string) => ({
    id,
    name: `Check-out ${id}`,
    currency: 'DKK',
    pointOfSale: {
      merchantPosId: `lane-${id}`,
      storeId,
      name: `Check-out ${id}`,
      beaconTypes: ['QR'],
      beaconId: null,
    },
    till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 20_000 + Number(id) },
  });
  const counter = parseSettings(
    { wallet: { baseUrl, authUrl, ...credentials }, lanes: [lane('1'), lane('2'), lane('3')] },
    {},
  );
  const network = { profile: profileNamed('generic'), send: fetchHttp, clock: systemClock };
  const access = integratorAccess({ ...network, authUrl, credentials, clientVersion: '1.0.0' });
  const pointsOfSale = clientOf(
    new Transport({ ...network, baseUrl, access, log: silentLog }),
    pointOfSaleOperations,
  );
  for (const [id, callbackAlias] of [
    ['1', 'shop-1'],
    ['2', null],
  ] as const) {
    const body = {
      merchantPosId: `lane-${id}`,
      storeId,
      name: `Check-out ${id}`,
      supportedBeaconTypes: ['QR' as const],
      callbackAlias,
    };
    await pointsOfSale.createPointOfSale({ body }, { idempotencyKey: systemIds.uuid() });
  }
  const before = changes().length;
  const lines: string[] = [];
  await sayCheckInAliases(pointsOfSale, counter.lanes, (line) => void lines.push(line));
  expect(lines).toEqual([
    '  check-ins, lane 1 (Check-out 1): callbackAlias shop-1',
    '  check-ins, lane 2 (Check-out 2): no callbackAlias: the service tells nobody of check-ins',
    '  check-ins, lane 3 (Check-out 3): no point of sale at the service yet',
  ]);
  expect(
    changes()
      .slice(before)
      .filter((one) => one !== '' && one !== 'token'),
  ).toEqual([]);
});

test('from nothing: settings are written, registered and used, and a test notification arrives in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-new-'));
  const path = join(folder, 'new', 'settings.json');
  const store = openSqliteStore(join(folder, 'callbacks.db'));
  const reader = openSqliteReader(join(folder, 'callbacks.db'));
  let receiver: CallbackReceiver | null = null;
  try {
    const made = { path, service: simulator.baseUrl, profile: 'generic', apiKey, client } as const;
    await writeNewSettings({ ...made, address: 'http://127.0.0.1:1' });
    await expect(writeNewSettings({ ...made, address })).rejects.toThrow('is there');
    for (const name of ['.', ...readdirSync(join(folder, 'new'))])
      if (process.platform !== 'win32')
        expect(statSync(join(folder, 'new', name)).mode & 0o077, name).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain(apiKey);

    // The port is free only when somebody listens.
    receiver = new CallbackReceiver(receiverOptions());
    const { url } = await receiver.start({ host: '127.0.0.1', port: 0 });
    const read = readCallbackSettings(path);
    const webhookUrl = `${url}/callbacks/app-payments`;
    const settings = {
      ...read.file,
      address: url,
      appPayments: [{ url: webhookUrl, signatureKey: { file: 'webhook-key' } }],
    };
    await registered(settings, { lookUp: read.lookUp });
    await receiver.stop();

    const appPayments = [{ url: webhookUrl, signatureKey: storedSecrets.get('webhook-key') ?? '' }];
    receiver = new CallbackReceiver(receiverOptions(appPayments));
    await receiver.start({ host: '127.0.0.1', port: Number(new URL(url).port) });
    expect(
      await tryNotification({ client, urls: [webhookUrl], reader, clock: systemClock }),
    ).toMatchObject({
      seq: 1,
      record: { kind: 'appPayment', status: 'reserved' },
    });
    expect(
      await tryNotification({
        client,
        urls: ['https://other.example/'],
        reader,
        clock: systemClock,
      }),
    ).toContain('register it first');
  } finally {
    await receiver?.stop();
    reader.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function receiverOptions(appPayments = [{ url: 'https://none.example/', signatureKey: 'none' }]) {
    const settings = {
      listen: { host: '127.0.0.1', port: 0 },
      profile: 'generic' as const,
      checkin: false,
      appPayments,
    };
    const options = { settings, clock: systemClock, ids: systemIds, log: silentLog };
    return { ...options, intake: openIntake({ ...options, store }) };
  }
});

test('written settings are the receiver’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-new-'));
  const path = join(folder, 'settings.json');
  try {
    await writeNewSettings({
      path,
      address: `${address}/`,
      service: simulator.baseUrl,
      profile: 'mobilepay',
      apiKey,
      client,
    });
    const read = readCallbackSettings(path);
    await registered(read.file, {
      lookUp: read.lookUp,
      keepKey: (file, key) => void storedSecrets.set(file, key),
    });
    expect(() => withAllSecrets(read)).toThrow(
      'appPayments.0.signatureKey.file: must name a file that can be read',
    );
    expect(read.file).toMatchObject({
      address,
      listen: { port: 4170 },
      profile: 'mobilepay',
      catchUp: [{ providerId, merchantId, appPayments: true }],
    });
    expect(read.lookUp({ file: 'invoices-key' }, '')).toMatch(/^[\w-]{32}$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
