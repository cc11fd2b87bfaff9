/**
 * The webhooks of a sales unit at the ePayment service, before and after the registration, over
 * real HTTP.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  registerSalesUnit,
  type RegisteringSalesUnit,
} from '../../main/wallets/callbacks/registration/register-sales-unit.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { checkSettings } from '../../main/support/settings/settings-text.ts';
import { SettingsError } from '../../main/support/settings/settings-error.ts';
import { CallbackSettingsFile } from '../../main/wallets/callbacks/callback-settings.ts';
import { salesUnitAccess } from '../../main/wallets/epayment/epayment-access.ts';
import { epaymentProfile } from '../../main/wallets/epayment/epayment-profile.ts';
import {
  checkedInEvent,
  epaymentEventNames,
} from '../../main/wallets/epayment/webhooks/webhook-message.ts';
import {
  deleteRegisteredWebhook,
  listRegisteredWebhooks,
  registerWebhook,
} from '../../main/wallets/epayment/webhooks/webhooks-operations.ts';
import type { Operation } from '../../main/wallets/http/operation.ts';
import { fetchHttp, type HttpSend } from '../../main/wallets/http/http.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';

const url = 'https://callbacks.shop.example/callbacks/epayment';
const own = { url, secret: { file: 'secret' } };

let simulator: Simulator;
let transport: Transport;
let kept: Map<string, string>;
/** Before each request to the service. */
let before: (method: string) => unknown;
/** The secret of each registration, which the service tells only once. */
let issuedSecrets: { id: string; secret: string }[];
beforeEach(async () => {
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: systemClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  const send: HttpSend = async (request, signal) => {
    await before(request.method);
    const answer = await fetchHttp(request, signal);
    if (answer.status === 201)
      issuedSecrets.push(JSON.parse(answer.body) as { id: string; secret: string });
    return answer;
  };
  const parts = { baseUrl: simulator.baseUrl, send, clock: systemClock, log: silentLog };
  const system = { name: 'test', version: '1', pluginName: 'test', pluginVersion: '1' };
  transport = new Transport({
    ...parts,
    profile: epaymentProfile,
    access: salesUnitAccess({ ...parts, keys: simulator.salesUnit, system }),
  });
  [kept, before, issuedSecrets] = [new Map(), () => {}, []];
});
afterEach(() => simulator.stop());

/** @param epayment null when the settings have no address for callbacks of ePayment */
async function registered(
  epayment: object[] | null = [own],
  about: Partial<RegisteringSalesUnit> = {},
): Promise<string> {
  const lines: string[] = [];
  await registerSalesUnit({
    settings: checkSettings(
      CallbackSettingsFile,
      epayment === null ? { subscriptions: [{ scheme: 'apiKey', apiKey: 'mine' }] } : { epayment },
    ),
    webhook: null,
    remove: null,
    showOnly: false,
    lookUp(secret) {
      const text =
        typeof secret === 'object' && 'file' in secret ? kept.get(secret.file) : undefined;
      if (text === undefined || text === '') throw new SettingsError(['there is none']);
      return text;
    },
    keepSecret: (file, secret) => void kept.set(file, secret),
    transport,
    say: (line) => void lines.push(line),
    ...about,
  });
  return lines.join('\n');
}
const there = async () => (await transport.call(listRegisteredWebhooks, {})).webhooks;
const changes = (): string[] =>
  simulator
    .requests()
    .flatMap(({ operation }) =>
      ([registerWebhook, deleteRegisteredWebhook] as Operation[]).some(
        ({ name }) => name === operation,
      )
        ? [operation ?? '']
        : [],
    );

test('scans of stickers and all events of payments come to the address; the secret is kept and not said', async () => {
  const said = await registered();
  expect(said).toContain('ePayment, before: no registration');
  expect(said).toMatch(
    /ePayment, now: https:\/\/callbacks\.shop\.example\/callbacks\/epayment, scans of stickers, 8 of 8 events of payments, id [0-9a-f-]{36}/,
  );
  const [only, ...more] = await there();
  expect([only?.url, only?.events.length, more]).toEqual([url, 9, []]);
  expect(kept.get('secret')).toMatch(/./);
  expect(said).not.toContain(kept.get('secret'));
});

test('a second time changes nothing', async () => {
  await registered();
  await registered();
  expect(changes()).toEqual(['registerWebhook']);
});

test('what lacks events, or whose secret was lost, is replaced', async () => {
  await transport.call(registerWebhook, { body: { url, events: ['user.checked-in.v1'] } });
  kept.set('secret', 'of that one');
  await registered();
  expect((await there()).map(({ events }) => events.length)).toEqual([9]);
  const first = kept.get('secret');
  kept.clear();
  await registered();
  expect(await there()).toHaveLength(1);
  expect([kept.has('secret'), kept.get('secret') === first]).toEqual([true, false]);
});

test('one under another spelling of the address is replaced: the signature is made over what the service has', async () => {
  await registered();
  await transport.call(deleteRegisteredWebhook, { webhookId: issuedSecrets[0]?.id ?? '' });
  await transport.call(registerWebhook, {
    body: {
      url: url.replace('.example', '.example:443'),
      events: [...epaymentEventNames, checkedInEvent],
    },
  });
  await registered();
  expect((await there()).map((one) => one.url)).toEqual([url]);
});

test('one that somebody else has ended meanwhile has ended', async () => {
  const { id: webhookId } = await transport.call(registerWebhook, {
    body: { url, events: ['user.checked-in.v1'] },
  });
  before = async (method) => {
    if (method !== 'DELETE') return;
    before = () => {};
    await transport.call(deleteRegisteredWebhook, { webhookId });
  };
  await registered();
  expect((await there()).map(({ events }) => events.length)).toEqual([9]);
});

test.each(['DELETE', 'POST'])(
  'cut off before its %s, it is registered with a secret of its own the next time',
  async (method) => {
    await transport.call(registerWebhook, { body: { url, events: ['user.checked-in.v1'] } });
    kept.set('secret', 'of that one');
    before = (asked) => {
      if (asked === method) throw new Error('the plug was pulled');
    };
    await expect(registered()).rejects.toThrow('the plug was pulled');
    before = () => {};
    await registered();
    expect((await there()).map(({ events }) => events.length)).toEqual([9]);
    expect(kept.get('secret')).toBe(await secretAtService());
  },
);
const secretAtService = async () => {
  const [only] = await there();
  return issuedSecrets.find(({ id }) => id === only?.id)?.secret;
};

test('a secret that could not be kept makes it be registered anew, also where the one before is still there', async () => {
  await transport.call(registerWebhook, { body: { url, events: ['user.checked-in.v1'] } });
  kept.set('secret', 'of that one');
  const full = new Error('ENOSPC');
  const keepSecret = (file: string, secret: string): void => {
    if (secret !== '') throw full;
    kept.set(file, secret);
  };
  await expect(registered([own], { keepSecret })).rejects.toBe(full);
  await registered();
  expect(await there()).toHaveLength(1);
  expect(kept.get('secret')).toBe(await secretAtService());
});

test('the registration of another receiver is named, and left as it is until it is ended by its id', async () => {
  const { id } = await transport.call(registerWebhook, {
    body: { url: 'https://other.example/hook?token=hidden', events: ['user.checked-in.v1'] },
  });
  const refused = await registered().catch(String);
  expect(refused).toContain(`epayment.0.url: scans are told to https://other.example/`);
  expect(refused).toContain(`--remove ${id}`);
  expect(refused).not.toContain('hidden');
  expect(await there()).toHaveLength(1);
  expect(await registered([own], { remove: id })).toContain('ePayment, now: no registration');
  await registered();
  expect((await there()).map((one) => one.url)).toEqual([url]);
});

test.each<[string, object[] | null, Partial<RegisteringSalesUnit>, string]>([
  [
    'no address',
    null,
    {},
    'epayment: must name the address that is registered, and a file for its secret',
  ],
  ['several addresses', [own, own], {}, '--webhook: must say which of the 2 in epayment'],
  [
    'one that there is not',
    [own],
    { webhook: 1 },
    '--webhook: must be one of the 1 in epayment, got 2',
  ],
  [
    'a secret that cannot be kept',
    [{ url, secret: 'mine' }],
    {},
    'epayment.0.secret: must be { "file": "PATH" }',
  ],
  [
    'a registration that is not there',
    [own],
    { remove: 'none' },
    '--remove: must be the id of a registration that is listed, got none',
  ],
])('%s: nothing is changed', async (_what, epayment, about, says) => {
  await expect(registered(epayment, about)).rejects.toThrow(says);
  expect(changes()).toEqual([]);
});

test('what is only shown is not changed, and needs no file for a secret', async () => {
  expect(await registered([{ url, secret: 'mine' }], { showOnly: true })).toBe(
    '  ePayment, registered: no registration',
  );
  expect(changes()).toEqual([]);
});
