import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/demo/register.ts';
import type { Clock } from '../../main/domain/clock.ts';
import { systemIds } from '../../main/domain/ids.ts';
import type { Log } from '../../main/domain/log.ts';
import { openConnection } from '../../main/server/connection.ts';
import type { Session } from '../../main/server/session.ts';
import type { Environment } from '../../main/settings/secrets.ts';
import { SettingsFile } from '../../main/settings/settings-file.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { startApplication, type Application } from '../../main/app/application.ts';
import { minorUnits } from '../../main/domain/money.ts';
import { silentLog } from '../../main/domain/log.ts';
import { fetchHttp } from '../../main/wallet/http/http.ts';
import { Transport } from '../../main/wallet/http/transport.ts';
import { integratorAccess } from '../../main/wallet/v10/access.ts';
import { cancelPayment, deletePointOfSale, initiatePayment } from '../../main/wallet/v10/point-of-sale/operations.ts';
import { profileNamed } from '../../main/wallet/v10/profile.ts';
import type { View } from '../../preload/contract.ts';
import type { AnswerTo, OutputOf, InputOf, ProcedureName } from '../../preload/procedures.ts';
import { impatient, steadyClock } from '../unit/support/steady-clock.ts';
import { watchMessage } from '../support/contract-client.ts';
import { cheapPinCost, firstManagerCode } from '../support/first-manager.ts';
import { until } from '../support/processes.ts';

const phone = '+4520031801';
/** The client's patience with a request: this machine may be busy with other tests. */
const patience = new Set([500, 2_000]);
/** Waiting teaches nothing: everything else that waits does so five times quicker. */
const clock: Clock = {
  ...impatient(steadyClock, 1),
  after: (delayMs, run) => steadyClock.after(patience.has(delayMs) ? delayMs : delayMs / 5, run),
};

let simulator: Simulator;
let folder: string;
let terminal: Application | null = null;
let session: Session;
let logged: string;
/** What the diagnostics bundle has of the log. */
let recentLog: string[];
const log: Log = {
  debug: () => {},
  info: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  warn: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  error: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  child: () => log,
};
const settingsPath = (): string => join(folder, 'settings.json');
const start = async (environment: Environment = {}): Promise<Application> => {
  const settings = new SettingsFile({ path: settingsPath(), dataFolder: folder, environment, safe: null, clock, log });
  session = { manager: null };
  terminal = await startApplication({
    settings,
    dataFolder: folder,
    screens: null,
    rendererFolder: '',
    demo: false,
    limits: { pinCost: cheapPinCost },
    system: { clock, ids: systemIds, log },
    recentLog: () => recentLog,
  });
  await terminal.ready;
  return terminal;
};
const restart = async (environment?: Environment): Promise<void> => {
  await terminal?.close();
  await start(environment);
};
beforeEach(async () => {
  logged = '';
  recentLog = [];
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-setup-'));
  simulator = new Simulator({ profile: profileNamed('generic'), clock: steadyClock, ids: systemIds, policy: { pollDelayInMs: 100 } });
  await simulator.start({ port: 0 });
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await simulator.stop();
  rmSync(folder, { recursive: true, force: true });
});

const answerTo = async <Name extends ProcedureName>(name: Name, asked: InputOf<Name>): Promise<AnswerTo<Name>> =>
  (await terminal?.router.call(session, name, asked)) as AnswerTo<Name>;
const ask = async <Name extends ProcedureName>(name: Name, asked: InputOf<Name>): Promise<OutputOf<Name>> => {
  const answer = await answerTo(name, asked);
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return answer.value;
};
const refusal = async <Name extends ProcedureName>(name: Name, asked: InputOf<Name>): Promise<object> => {
  const answer = await answerTo(name, asked);
  return answer.ok ? { ok: true } : { code: answer.code, field: answer.field, facts: answer.facts };
};

const wallet = () => {
  const { baseUrl, authUrl, credentials } = simulator;
  return { kind: 'service', baseUrl, authUrl, clientId: credentials.clientId, clientSecret: credentials.clientSecret } as const;
};
/** As whoever can read the data folder. */
const enterCode = () => ask('enterCode', { code: firstManagerCode(folder) });
const pointOfSale = { merchantPosId: 'shop-1', name: 'Kasse 1', beaconTypes: ['QR' as const], beaconId: null };
const tcp = { transport: 'tcp' as const, port: 0 };

/** The whole path, as a screen walks it. */
async function install(change?: Extract<InputOf<'saveDraft'>, { step: 'pointOfSale' }>['value']): Promise<string> {
  const { merchantVat } = simulator.credentials;
  await ask('saveDraft', { step: 'language', value: 'da' });
  await ask('testCredentials', { wallet: wallet(), merchantVat });
  await ask('saveDraft', { step: 'wallet', value: wallet() });
  const { stores } = await ask('findStores', { merchantVat, at: null });
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  await ask('saveDraft', { step: 'store', value: { merchantVat, store } });
  await ask('saveDraft', { step: 'pointOfSale', value: change ?? pointOfSale });
  expect((await ask('saveDraft', { step: 'till', value: tcp })).next).toBe('finish');
  const { laneId } = await ask('finishSetup', {});
  await idle(laneId);
  return laneId;
}
const idle = (laneId: string) => until(() => terminal?.views.lane(laneId)?.state.kind === 'idle', `lane ${laneId} to be idle`, 5_000);
const pointsOfSale = () => [...simulator.world.pointsOfSale.values()].filter(({ deleted }) => !deleted);
const till = async (): Promise<Register> => {
  const address = terminal?.lanes()[0]?.till.split(':') ?? [];
  return Register.overTcp({ host: '127.0.0.1', port: Number(address[2]) });
};
/** Of somebody else at the same service. */
function transportTo({ baseUrl, authUrl, credentials }: Pick<Simulator, 'baseUrl' | 'authUrl' | 'credentials'>): Transport {
  const network = { profile: profileNamed('generic'), send: fetchHttp, clock: steadyClock };
  return new Transport({ ...network, baseUrl, access: integratorAccess({ ...network, authUrl, credentials, clientVersion: '1.2.3' }), log: silentLog });
}
/** Up to the money being reserved. */
async function customerApproves(): Promise<void> {
  const [pos] = pointsOfSale();
  await until(() => pos?.active?.status === 'Initiated', 'a payment');
  simulator.phone('checkin', pos?.beaconId ?? '', phone);
  simulator.phone('accept', pos?.beaconId ?? '', phone);
}

describe('a service for tests', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const service = () => terminal?.views.lane('1')?.service;

  test('is called so by the screens, also after its lane was changed', async () => {
    await start();
    await install();
    expect(service()).toBe('real');
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService: true } });
    await ask('finishSetup', {});
    expect(service()).toBe('test');
    await ask('beginSetup', { laneId: '1' });
    await ask('finishSetup', {});
    await restart();
    expect(service()).toBe('test');
    await restart(unchecked);
    expect(service()).toBe('testUnchecked');
    expect(logged).toContain('the certificates of the wallet service are not checked');
  });

  test('is the only one that is asked where no certificates are checked', async () => {
    await start(unchecked);
    const refused = { code: 'certificatesUnchecked', facts: { detail: 'NODE_TLS_REJECT_UNAUTHORIZED=0' } };
    expect(await refusal('testCredentials', { wallet: wallet(), merchantVat: null })).toMatchObject(refused);
    await ask('saveDraft', { step: 'wallet', value: wallet() });
    expect(await refusal('findStores', { merchantVat: 'DK90000028', at: null })).toMatchObject(refused);
    expect(await (await fetch(`${simulator.baseUrl}/simulator/requests`)).json()).toEqual([]);
    expect(await ask('testCredentials', { wallet: { ...wallet(), testService: true }, merchantVat: null })).toMatchObject({ stores: null });
  });
});

describe('a counter without settings', () => {
  test('starts, is set up step by step, and takes a payment, also after a restart', async () => {
    await start();
    expect(terminal?.lanes()).toEqual([]);
    expect(await ask('shop', {})).toEqual({ language: null, isSetUp: false });
    expect(await install()).toBe('1');
    expect(await ask('shop', {})).toEqual({ language: 'da', isSetUp: true });
    expect(await ask('setupState', {})).toMatchObject({
      draft: null,
      file: { state: 'inUse' },
      inUse: { lanes: [{ laneId: '1', till: expect.stringContaining('tcp:') }] },
    });
    await restart();
    const register = await till();
    const paying = register.pay(1234, 'DKK');
    await customerApproves();
    expect((await paying).ended?.by).toBe('completion');
    await register.close();
  });

  test('goes on where it was left, after a restart and on another screen', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'sv' });
    await ask('saveDraft', { step: 'wallet', value: wallet() });
    await restart();
    const { draft } = await ask('setupState', {});
    expect(draft).toMatchObject({ language: 'sv', next: 'store', wallet: { hasSecret: true, provenAtMs: null } });
    expect(await ask('testCredentials', { wallet: { ...wallet(), clientSecret: null }, merchantVat: null })).toMatchObject({ stores: null });
    expect((await ask('setupState', {})).draft).toMatchObject({ wallet: { provenAtMs: expect.any(Number) } });
  });

  test('keeps secrets to itself: in no answer, in no log, and in files of its owner alone', async () => {
    await start();
    const { clientSecret } = simulator.credentials;
    await install();
    await ask('beginSetup', { laneId: '1' });
    const said = [await ask('setupState', {}), await ask('saveDraft', { step: 'wallet', value: wallet() })];
    expect(JSON.stringify(said)).not.toContain(clientSecret);
    expect(logged).not.toContain(clientSecret);
    for (const name of ['settings.json', 'setup-draft.json']) {
      expect(readFileSync(join(folder, name), 'utf8')).toContain(clientSecret);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('keeps what a till may do, and tells its password to nobody', async () => {
    await start();
    await install();
    const password = '192837';
    await ask('addManager', { name: 'Ada', pin: '4711' });
    await ask('beginSetup', { laneId: '1' });
    const saved = await ask('saveDraft', { step: 'till', value: { ...tcp, password, refunds: 50_000, from: ['127.0.0.0/8'] } });
    await restart();
    await ask('signIn', { managerId: (await ask('session', {})).managers[0]?.managerId ?? '', pin: '4711' });
    await ask('finishSetup', {});
    await idle('1');
    expect(JSON.parse(readFileSync(settingsPath(), 'utf8'))).toMatchObject({ lanes: [{ till: { password, refunds: 50_000, from: ['127.0.0.0/8'] } }] });
    const begun = await ask('beginSetup', { laneId: '1' });
    expect(begun.till).toMatchObject({ hasPassword: true, refunds: 50_000, from: ['127.0.0.0/8'] });
    const again = await ask('saveDraft', { step: 'till', value: { ...tcp, password: null } });
    expect(again.till).toMatchObject({ hasPassword: true, refunds: null, from: [] });
    const stranger = await Register.overTcp({ host: '127.0.0.1', port: Number(terminal?.lanes()[0]?.till.split(':')[2]), password: '000000' });
    expect((await stranger.register({ currency: 'DKK' })).refused).not.toBeNull();
    await stranger.close();
    const lane = await ask('exportLane', { laneId: '1' });
    const text = Buffer.from((await ask('filePart', { fileId: lane.fileId, part: 0 })).base64, 'base64').toString();
    expect(text).not.toContain(password);
    expect(await ask('importLane', { text })).toMatchObject({ missing: [], draft: { till: { hasPassword: true, refunds: 50_000, from: ['127.0.0.0/8'] } } });
    expect(await ask('importLane', { text: text.replaceAll('"shop-1"', '"shop-2"') })).toMatchObject({ missing: ['tillPassword'] });
    const told = [saved, begun, again, await ask('setupState', {}), await ask('tillHeard', {}), await ask('serialPorts', {})];
    expect(JSON.stringify(told)).not.toContain(password);
    expect(logged).not.toContain(password);
    recentLog = [`{"level":"warn","detail":"the till wants ${password}"}`];
    const offered = await ask('diagnostics', {});
    const { base64 } = await ask('filePart', { fileId: offered.fileId, part: 0 });
    const files = Object.values(unzipSync(Buffer.from(base64, 'base64')))
      .map((file) => strFromU8(file))
      .join('\n');
    expect(files).toContain('the till wants');
    expect(files).not.toContain(password);
  });

  test('sends a kept secret to no other address than the one it was typed for', async () => {
    await start();
    await install({ ...pointOfSale });
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      heard.push(request.headers.authorization ?? '');
      response.writeHead(400).end();
    });
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    for (const about of [{ authUrl: elsewhere }, { baseUrl: elsewhere }]) {
      const asked = { ...wallet(), clientSecret: null, ...about };
      expect(await refusal('testCredentials', { wallet: asked, merchantVat: 'DK90000028' })).toMatchObject({ code: 'secretMissing', field: 'clientSecret' });
      expect(await refusal('saveDraft', { step: 'wallet', value: asked })).toMatchObject({ code: 'secretMissing', field: 'clientSecret' });
    }
    const offered = await ask('exportLane', { laneId: '1' });
    const { base64 } = await ask('filePart', { fileId: offered.fileId, part: 0 });
    const text = Buffer.from(base64, 'base64').toString().replaceAll(simulator.authUrl, elsewhere);
    expect(await ask('importLane', { text })).toMatchObject({ missing: ['clientSecret'], draft: { wallet: { hasSecret: false } } });
    expect(heard).toEqual([]);
    await new Promise((resolve) => stranger.close(resolve));
  });

  test('sends a kept key of the reports to no other address either', async () => {
    await start();
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), reportingKey: 'key of the reports' } });
    const again = { ...wallet(), clientSecret: null };
    expect(await ask('saveDraft', { step: 'wallet', value: again })).toMatchObject({ wallet: { hasReportingKey: true } });
    expect(await ask('saveDraft', { step: 'wallet', value: { ...again, reportingUrl: 'http://127.0.0.1:1' } })).toMatchObject({
      wallet: { hasReportingKey: false },
    });
  });

  test('says which field breaks a rule, and what is not done yet', async () => {
    await start();
    expect(await refusal('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, name: 'Kasse 🍎' } })).toMatchObject({
      code: 'invalid',
      field: 'value.name',
    });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'incomplete', facts: { step: 'language' } });
    expect(await refusal('findStores', { merchantVat: 'DK90000028', at: null })).toMatchObject({ code: 'incomplete', facts: { step: 'wallet' } });
    expect(await refusal('saveDraft', { step: 'wallet', value: { ...wallet(), clientSecret: null } })).toMatchObject({ code: 'secretMissing' });
  });

  test('hears at once when the beacon belongs to somebody else, and is set up with another', async () => {
    await start();
    const beaconId = '123456789012345';
    await install({ ...pointOfSale, beaconId });
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2', beaconId } });
    await ask('saveDraft', { step: 'till', value: tcp });
    expect(await ask('consequences', {})).toMatchObject({ pointOfSale: 'new', beaconTakenBy: 'shop-1' });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'beaconTaken', field: 'beaconId' });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' } });
    expect(await ask('finishSetup', {})).toMatchObject({ laneId: '2' });
    await idle('2');
    expect(terminal?.lanes().map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('a counter that has managers', () => {
  test('are made with the code that its setup ended with, by whoever has it', async () => {
    await start();
    await install();
    const code = firstManagerCode(folder);
    expect(logged).toContain(code);
    session = { manager: null };
    expect(await refusal('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({ code: 'pinNeeded' });
    expect(await refusal('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    await ask('enterCode', { code });
    await ask('addManager', { name: 'Ada', pin: '4711' });
    expect(existsSync(join(folder, 'first-manager-code.txt'))).toBe(false);
  });

  test('are nobody’s to make by taking their file away and the next start: the code is another one', async () => {
    await start();
    await install();
    await ask('addManager', { name: 'Ada', pin: '4711' });
    rmSync(join(folder, 'managers.json'));
    session = { manager: null };
    await restart();
    expect(await refusal('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({ code: 'pinNeeded' });
    await enterCode();
    await ask('addManager', { name: 'Ada', pin: '4711' });
  });

  test('is changed by nobody without a PIN', async () => {
    await start();
    await install();
    await ask('addManager', { name: 'Ada', pin: '4711' });
    session = { manager: null };
    for (const [name, asked] of [
      ['setupState', {}],
      ['beginSetup', { laneId: null }],
      ['saveDraft', { step: 'language', value: 'fi' }],
      ['finishSetup', {}],
      ['removeLane', { laneId: '1' }],
      ['deletePointOfSale', { merchantPosId: 'shop-1' }],
      ['payForTest', { laneId: '1', actionId: systemIds.uuid() }],
      ['useTestPhone', { laneId: '1', does: 'approve' }],
      ['refundTest', { laneId: '1', saleId: systemIds.uuid(), actionId: systemIds.uuid() }],
      ['keepPointOfSale', { merchantPosId: 'shop-1' }],
      ['exportLane', { laneId: '1' }],
      ['importLane', { text: '{}' }],
      ['serialPorts', {}],
    ] as const)
      expect(await refusal(name, asked as never), name).toMatchObject({ code: 'pinNeeded' });
    expect(await ask('shop', {})).toMatchObject({ isSetUp: true });
  });
});

describe('a point of sale that is changed', () => {
  const rename = async (change: object = {}) => {
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, name: 'Bageren', laneId: '1', ...change } });
  };

  test('is created anew, with the consequences told first', async () => {
    await start();
    await install();
    const [before] = pointsOfSale();
    await rename();
    const consequences = await ask('consequences', {});
    expect(consequences).toMatchObject({
      pointOfSale: 'recreate',
      differences: [{ field: 'name', now: 'Kasse 1', wanted: 'Bageren' }],
      newSticker: true,
      presentBeaconId: before?.beaconId,
      reservations: 0,
    });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'unconfirmed' });
    expect(pointsOfSale()).toEqual([before]);
    // The printed code goes on working when its beacon is kept.
    await rename({ beaconId: consequences.presentBeaconId });
    expect(await ask('consequences', {})).toMatchObject({ newSticker: false });
    await ask('finishSetup', { recreate: true });
    await idle('1');
    expect(pointsOfSale()).toMatchObject([{ name: 'Bageren', beaconId: before?.beaconId }]);
    expect(pointsOfSale()[0]?.posId).not.toBe(before?.posId);
    expect((await ask('setupState', {})).recreating).toEqual([]);
  });

  test('keeps its notification service when it is created anew, also after it was adopted from elsewhere', async () => {
    await start();
    await install({ ...pointOfSale, callbackAlias: 'hansens-check-in' });
    // As a version wrote the settings that did not know of it.
    const file = JSON.parse(readFileSync(settingsPath(), 'utf8')) as { lanes: { pointOfSale: { callbackAlias?: string } }[] };
    delete file.lanes[0]?.pointOfSale.callbackAlias;
    writeFileSync(settingsPath(), JSON.stringify(file));
    await until(async () => !('callbackAlias' in ((await ask('beginSetup', { laneId: '1' })).pointOfSale ?? {})), 'the older settings');
    await rename();
    expect((await ask('consequences', {})).differences).toMatchObject([{ field: 'name' }]);
    await ask('finishSetup', { recreate: true });
    await idle('1');
    const callbacks = () => pointsOfSale().map(({ name, callbackAlias }) => `${name}: ${callbackAlias}`);
    expect(callbacks()).toEqual(['Bageren: hansens-check-in']);
    await rename({ callbackAlias: null });
    expect((await ask('consequences', {})).differences).toContainEqual({ field: 'callbackAlias', now: 'hansens-check-in', wanted: null });
    await ask('finishSetup', { recreate: true });
    await idle('1');
    expect(callbacks()).toEqual(['Bageren: null']);
  });

  test('on two screens at once is created once; and nothing is lost of what another screen changes meanwhile', async () => {
    await start();
    await install();
    const addLane = async (number: number): Promise<void> => {
      await ask('beginSetup', { laneId: null });
      await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: `shop-${number}`, name: `Kasse ${number}` } });
      await ask('saveDraft', { step: 'till', value: tcp });
    };
    await addLane(2);
    const both = await Promise.all([answerTo('finishSetup', {}), answerTo('finishSetup', {})]);
    expect(both).toMatchObject([{ ok: true }, { ok: false, code: 'busy' }]);
    await idle('2');
    expect(pointsOfSale().map(({ merchantPosId }) => merchantPosId)).toEqual(['shop-1', 'shop-2']);

    await addLane(3);
    expect(await Promise.all([answerTo('finishSetup', {}), answerTo('removeLane', { laneId: '2' })])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(terminal?.views.lanes().map(({ name }) => name)).toEqual(['Kasse 1', 'Kasse 3']);
  });

  test('that nobody changed is left alone', async () => {
    await start();
    await install();
    const [before] = pointsOfSale();
    await ask('beginSetup', { laneId: '1' });
    expect(await ask('consequences', {})).toMatchObject({ pointOfSale: 'same', differences: [] });
    await ask('finishSetup', {});
    await idle('1');
    expect(pointsOfSale()).toEqual([before]);
  });

  test('waits for its reservations, whoever made them', async () => {
    await start();
    await install();
    const [pos] = pointsOfSale();
    const register = await till();
    simulator.faults.add({ operation: 'capturePayment', kind: 'status500', times: 1000 });
    const paying = register.pay(500, 'DKK');
    await customerApproves();
    await paying;
    await register.close();
    await rename();
    expect(await ask('consequences', {})).toMatchObject({ reservations: 1 });
    expect(await refusal('finishSetup', { recreate: true })).toMatchObject({ code: 'reservations', facts: { count: 1 } });
    simulator.faults.clear();
    await until(() => [...simulator.world.payments.values()].every(({ status }) => status === 'Captured'), 'the capture');
    await until(async () => (await answerTo('finishSetup', { recreate: true })).ok, 'the change');
    await idle('1');
    expect(pointsOfSale()[0]?.posId).not.toBe(pos?.posId);
  });
});

describe('money under way', () => {
  test('keeps the settings as they are until it is decided', async () => {
    await start();
    await install();
    const register = await till();
    const paying = register.pay(500, 'DKK');
    await until(() => pointsOfSale()[0]?.active?.status === 'Initiated', 'a payment');
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, laneName: 'Front', laneId: '1' } });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'busy', facts: { laneId: '1' } });
    // Dropped from outside, they wait.
    const dropped = readFileSync(settingsPath(), 'utf8').replaceAll('"name": "Kasse 1"', '"name": "Front"');
    writeFileSync(settingsPath(), dropped);
    await until(async () => (await ask('setupState', {})).file.state === 'waiting', 'the file to be seen');
    await customerApproves();
    expect((await paying).ended?.by).toBe('completion');
    await until(async () => (await ask('setupState', {})).file.state === 'inUse', 'the file to be in use');
    expect(terminal?.views.lanes()).toEqual([{ laneId: '1', name: 'Front' }]);
    await register.close();
  });

  test('that is not settled keeps its lane, and its wallet', async () => {
    await start();
    await install();
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: 'shop-2' } });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('finishSetup', {});
    await Promise.all([idle('1'), idle('2')]);
    const register = await till();
    simulator.faults.add({ operation: 'capturePayment', kind: 'status500', times: 1000 });
    const paying = register.pay(500, 'DKK');
    await customerApproves();
    await paying;
    await register.close();
    await until(() => terminal?.views.lane('1')?.unsettled.length === 1, 'the strip');
    expect(await refusal('removeLane', { laneId: '1' })).toMatchObject({ code: 'unsettledMoney', facts: { laneId: '1', count: 1 } });
    expect((await answerTo('removeLane', { laneId: '2' })).ok).toBe(true);
    // A demonstration would never settle it.
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'unsettledMoney' });
    expect(await refusal('removeLane', { laneId: '1' })).toMatchObject({ code: 'lastLane' });
    simulator.faults.clear();
    await until(() => terminal?.views.lane('1')?.unsettled.length === 0, 'the money to be settled');
  });
});

describe('a lane that is removed', () => {
  const numbers = () => pointsOfSale().map(({ merchantPosId }) => merchantPosId);
  const leftBehind = async () => (await ask('setupState', {})).leftBehind.map(({ merchantPosId }) => merchantPosId);
  const startWithTwo = async (): Promise<void> => {
    await start();
    await install();
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' } });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('finishSetup', {});
    await Promise.all([idle('1'), idle('2')]);
  };

  test('leaves its point of sale at the service, or has it deleted there', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    expect(await leftBehind()).toEqual(['shop-2']);
    expect((await ask('setupState', {})).leftBehind).toEqual([{ merchantPosId: 'shop-2', name: 'Kasse 2', host: new URL(simulator.baseUrl).host }]);
    await ask('deletePointOfSale', { merchantPosId: 'shop-2' });
    expect(numbers()).toEqual(['shop-1']);
    expect(await leftBehind()).toEqual([]);
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({ code: 'notFound' });
  });

  test('that cannot be removed leaves nothing to delete', async () => {
    await start();
    await install();
    expect(await refusal('removeLane', { laneId: '1', deletePointOfSale: true })).toMatchObject({ code: 'lastLane' });
    expect(existsSync(join(folder, 'deletions.json')) && readFileSync(join(folder, 'deletions.json'), 'utf8')).not.toContain('shop-1');
    expect(numbers()).toEqual(['shop-1']);
  });

  test('while the service fails: the real reason is told, and after a restart it is deleted all the same', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    simulator.faults.add({ operation: 'deletePointOfSale', kind: 'status500', times: 1000 });
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({ code: 'serviceFailing' });
    simulator.faults.clear();
    await restart();
    await enterCode();
    expect(await leftBehind()).toEqual(['shop-2']);
    await ask('deletePointOfSale', { merchantPosId: 'shop-2' });
    expect(numbers()).toEqual(['shop-1']);
  });

  test('whose point of sale has reservations of others, or is gone already, is told so', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    const [, second] = pointsOfSale();
    const { credentials, baseUrl, authUrl } = simulator;
    const transport = transportTo({ baseUrl, authUrl, credentials });
    const body = { posId: second?.posId ?? '', orderId: 'elsewhere', amount: minorUnits(500), currencyCode: 'DKK', plannedCaptureDelay: 'None' } as const;
    const { paymentId } = await transport.call(initiatePayment, { body }, { idempotencyKey: systemIds.uuid() });
    simulator.phone('checkin', second?.beaconId ?? '', phone);
    simulator.phone('accept', second?.beaconId ?? '', phone);
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({ code: 'reservations', facts: { count: 1 } });
    expect(numbers()).toEqual(['shop-1', 'shop-2']);
    await transport.call(cancelPayment, { paymentId });
    await transport.call(deletePointOfSale, { posId: second?.posId ?? '' });
    await ask('deletePointOfSale', { merchantPosId: 'shop-2' });
    expect(await leftBehind()).toEqual([]);
  });

  test('and set up again has its point of sale for itself', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' } });
    await ask('saveDraft', { step: 'till', value: tcp });
    const { laneId } = await ask('finishSetup', {});
    await idle(laneId);
    expect(await leftBehind()).toEqual([]);
    await ask('removeLane', { laneId, deletePointOfSale: false });
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({ code: 'notFound' });
    expect(numbers()).toEqual(['shop-1', 'shop-2']);
  });

  test('by a settings file that brings it back is not deleted under its feet; and what nobody wants deleted is left alone', async () => {
    await startWithTwo();
    const both = readFileSync(settingsPath(), 'utf8');
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    writeFileSync(settingsPath(), both);
    await until(() => terminal?.views.lanes().length === 2, 'the lane to be back');
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({ code: 'posTaken', facts: { laneId: '2' } });
    await idle('2');
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    await ask('keepPointOfSale', { merchantPosId: 'shop-2' });
    expect(await leftBehind()).toEqual([]);
    expect(numbers()).toEqual(['shop-1', 'shop-2']);
  });
});

describe('a test payment through a lane in use', () => {
  const saleId = '5e700000-0000-4000-8000-000000000001';
  const refundId = '5e700000-0000-4000-8000-000000000002';
  const payments = () => [...simulator.world.payments.values()].map(({ status, terms }) => ({ status, amountMinor: terms?.amountMinor }));
  const sale = () => terminal?.views.lane('1')?.recent.find((one) => one.saleId === saleId);
  const stateIs = (kind: string) => until(() => terminal?.views.lane('1')?.state.kind === kind, kind);
  const installAt = async (testService: boolean): Promise<void> => {
    await start();
    await install();
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService } });
    await ask('finishSetup', {});
    await idle('1');
  };

  test('of a service for tests is approved with its test phone, captured, and refunded, all in the journal of the shop', async () => {
    await installAt(true);
    expect(await ask('payForTest', { laneId: '1', actionId: saleId })).toEqual({ amountMinor: 100, currency: 'DKK' });
    // A lost answer: the same payment.
    expect(await ask('payForTest', { laneId: '1', actionId: saleId })).toEqual({ amountMinor: 100, currency: 'DKK' });
    expect(await refusal('payForTest', { laneId: '1', actionId: refundId })).toMatchObject({ code: 'busy' });
    await stateIs('waitingForCustomer');
    expect(await ask('useTestPhone', { laneId: '1', does: 'checkIn' })).toEqual({ phoneNumber: '+4520031801' });
    await stateIs('approveInApp');
    expect(await refusal('refundTest', { laneId: '1', saleId, actionId: refundId })).toMatchObject({ code: 'refundRefused' });
    await ask('useTestPhone', { laneId: '1', does: 'approve' });
    await until(() => sale()?.certainty === 'confirmed', 'the capture');
    expect(payments()).toEqual([{ status: 'Captured', amountMinor: 100 }]);
    await ask('refundTest', { laneId: '1', saleId, actionId: refundId });
    await until(() => {
      const now = terminal?.views.lane('1')?.refund;
      return now?.kind === 'refunded' && now.isConfirmed;
    }, 'the refund');
    await ask('refundTest', { laneId: '1', saleId, actionId: refundId });
    expect(sale()).toMatchObject({ by: 'cashier', reason: null, refundedMinor: 100, orderId: expect.stringMatching(/^test-/) });
    await ask('addManager', { name: 'Ada', pin: '4711' });
    const story = await ask('saleStory', { saleId });
    expect(story.refunds).toMatchObject([{ refundOrderId: refundId, state: 'refunded', amountMinor: 100, by: 'Setup', note: 'test payment' }]);
  });

  test('of a lane that takes no credit cards is approved with a debit card', async () => {
    await start();
    await install({ ...pointOfSale, restrictions: { debitCardDisallowed: false, creditCardDisallowed: true } });
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService: true } });
    await ask('finishSetup', {});
    await idle('1');
    await ask('payForTest', { laneId: '1', actionId: saleId });
    await stateIs('waitingForCustomer');
    expect(await ask('useTestPhone', { laneId: '1', does: 'checkIn' })).toEqual({ phoneNumber: '+4520031802' });
    await stateIs('approveInApp');
    await ask('useTestPhone', { laneId: '1', does: 'approve' });
    await until(() => sale()?.reason === null, 'the payment');
  });

  test('of a real service is of the smallest amount, on a real phone, and nothing else is refunded this way', async () => {
    await installAt(false);
    expect(await ask('payForTest', { laneId: '1', actionId: saleId })).toEqual({ amountMinor: 1, currency: 'DKK' });
    expect(await refusal('useTestPhone', { laneId: '1', does: 'checkIn' })).toMatchObject({ code: 'notTestService' });
    await customerApproves();
    await until(() => sale()?.certainty === 'confirmed', 'the capture');
    expect(payments()).toEqual([{ status: 'Captured', amountMinor: 1 }]);
    expect(await refusal('refundTest', { laneId: '2', saleId, actionId: refundId })).toMatchObject({ code: 'notFound', field: 'saleId' });
    // What the daemon has not started as a test since its start is a manager's to refund.
    await restart();
    await enterCode();
    expect(await refusal('refundTest', { laneId: '1', saleId, actionId: refundId })).toMatchObject({ code: 'notFound', field: 'saleId' });
    expect(sale()?.refundedMinor).toBe(0);
  });

  test('of a simulated service there is none', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await ask('saveDraft', { step: 'pointOfSale', value: pointOfSale });
    await ask('saveDraft', { step: 'till', value: tcp });
    const { laneId } = await ask('finishSetup', {});
    expect(await refusal('payForTest', { laneId, actionId: saleId })).toMatchObject({ code: 'notHere' });
    expect(await refusal('payForTest', { laneId: '9', actionId: saleId })).toMatchObject({ code: 'notFound', field: 'laneId' });
  });
});

describe('a settings file that is dropped into the data folder', () => {
  const file = (change: object = {}, secrets: object = {}): string => {
    const { kind: _kind, ...service } = wallet();
    const { merchantVat } = simulator.credentials;
    const lane = {
      id: 'A',
      name: 'Kasse A',
      currency: 'DKK',
      pointOfSale: { ...pointOfSale, storeId: simulator.storeIds[0] },
      till: { protocol: 'zvt', ...tcp },
    };
    return JSON.stringify({ wallet: { ...service, merchantVat, ...secrets }, lanes: [{ ...lane, ...change }] });
  };

  test('makes a counter, and every screen that looks shows it', async () => {
    await start();
    const views: View[] = [];
    const connection = openConnection(terminal!, (message) => {
      if (message.t === 'q') views.push(message.a[0]);
    });
    void connection.receive(watchMessage({ screen: 'cashier', laneId: null }));
    expect(views.at(-1)).toMatchObject({ lanes: [], lane: null });
    writeFileSync(settingsPath(), file());
    await until(() => views.at(-1)?.lane?.state.kind === 'idle', 'the screen to show the lane');
    writeFileSync(settingsPath(), file({ name: 'Kasse B' }));
    await until(() => views.at(-1)?.lane?.name === 'Kasse B', 'the new name');
    await idle('A');
    connection.close();
  });

  test.skipIf(process.platform === 'win32')(
    'is closed to others in the data folder, and elsewhere named on the health page until somebody has done so',
    async () => {
      const secret = join(folder, 'secret');
      writeFileSync(secret, simulator.credentials.clientSecret, { mode: 0o644 });
      const elsewhere = mkdtempSync(join(tmpdir(), 'tillbeacon-elsewhere-'));
      const named = join(elsewhere, 'named');
      writeFileSync(named, simulator.credentials.clientSecret, { mode: 0o644 });
      writeFileSync(settingsPath(), file({}, { clientSecret: { file: 'secret' }, reportingKey: { file: named } }), { mode: 0o644 });
      await start();
      for (const path of [folder, settingsPath(), secret]) expect(statSync(path).mode & 0o077, path).toBe(0);
      await enterCode();
      await ask('addManager', { name: 'Ada', pin: '2580' });
      expect((await ask('health', {})).notices).toMatchObject([{ code: 'fileReadable', subject: named, detail: `chmod 600 ${named}` }]);
      expect(logged).toContain(`chmod 600 ${named}`);
      chmodSync(named, 0o600);
      chmodSync(settingsPath(), 0o644);
      await until(async () => (await ask('health', {})).notices.length === 0, 'the notice to go');
      await until(() => (statSync(settingsPath()).mode & 0o077) === 0, 'the settings to be closed');
      expect(logged).not.toContain(simulator.credentials.clientSecret);
      const { fileId } = await ask('diagnostics', {});
      const { base64 } = await ask('filePart', { fileId, part: 0 });
      const bundle = Object.values(unzipSync(Buffer.from(base64, 'base64'))).map((bytes) => strFromU8(bytes));
      expect(bundle.join()).not.toContain(simulator.credentials.clientSecret);
      rmSync(elsewhere, { recursive: true });
    },
  );

  test('with a mistake is told of, and what was in use stays', async () => {
    await start();
    writeFileSync(settingsPath(), file());
    await idleSoon('A');
    await enterCode();
    writeFileSync(settingsPath(), file({ currency: 'SEK' }));
    await until(async () => (await ask('setupState', {})).file.state === 'refused', 'the mistake');
    expect((await ask('setupState', {})).file.mistakes).toEqual([expect.stringMatching(/^lanes\.0\.currency: /)]);
    expect(logged).toContain('lanes.0.currency');
    expect(terminal?.views.lane('A')?.state.kind).toBe('idle');
    expect(existsSync(join(folder, 'settings.previous.json'))).toBe(true);
  });

  test('whose till cannot be listened to is told of, and the till before can still pay', async () => {
    await start();
    writeFileSync(settingsPath(), file());
    await idleSoon('A');
    const taken = Number(terminal?.lanes()[0]?.till.split(':')[2]);
    const two = JSON.parse(file()) as { lanes: object[] };
    two.lanes.push({
      ...two.lanes[0],
      id: 'B',
      pointOfSale: { ...pointOfSale, merchantPosId: 'b', storeId: simulator.storeIds[0] },
      till: { protocol: 'zvt', ...tcp, port: 1, host: '203.0.113.1' },
    });
    writeFileSync(settingsPath(), JSON.stringify(two));
    await enterCode();
    await until(async () => (await ask('setupState', {})).file.state === 'refused', 'the mistake');
    expect((await ask('setupState', {})).file.mistakes).toEqual([expect.stringContaining('cannot be listened to')]);
    await idleSoon('A');
    expect(terminal?.lanes()).toHaveLength(1);
    expect(taken).toBeGreaterThan(0);
  });

  test('that is wrong at the start leads to setup', async () => {
    writeFileSync(settingsPath(), '{');
    await start();
    // Somebody prepared this counter: it is not anybody's to set up.
    expect(await refusal('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    await enterCode();
    expect(await ask('setupState', {})).toMatchObject({ inUse: null, file: { state: 'refused', mistakes: [expect.stringContaining('is not JSON')] } });
  });
  const idleSoon = (laneId: string) => until(() => terminal?.views.lane(laneId)?.state.kind === 'idle', `lane ${laneId}`, 8_000);
});

describe('the till', () => {
  test('of the draft is tried with a payment of 1.00 that nobody’s books hear of', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    expect(await refusal('startTestPayment', { with: 'own' })).toMatchObject({ code: 'incomplete', facts: { step: 'pointOfSale' } });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, flow: 'prepare' } });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('startTestPayment', { with: 'own' });
    await until(async () => ['passed', 'failed'].includes((await ask('testPaymentState', {})).state), 'the test payment', 8_000);
    expect(await ask('testPaymentState', {})).toEqual({
      state: 'passed',
      steps: ['starting', 'askedByTill', 'waitingForCustomer', 'approveInApp', 'tillTold', 'captured'],
      amountMinor: 100,
      currency: 'DKK',
      detail: null,
    });
    expect((await ask('setupState', {})).draft?.tested).toBe(true);
    expect(simulator.world.payments.size).toBe(0);
  });

  test('itself can press the key', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await ask('saveDraft', { step: 'pointOfSale', value: pointOfSale });
    // Below those that the system gives out: it is let go of and taken again.
    const port = 21_000 + (process.pid % 9_000);
    await ask('listenToTill', { till: { transport: 'tcp', port } });
    await until(async () => (await ask('tillHeard', {})).what === 'nothing', 'the line to be open');
    await ask('saveDraft', { step: 'till', value: { transport: 'tcp', port } });
    await ask('startTestPayment', { with: 'till' });
    expect((await ask('tillHeard', {})).what).toBe('stopped');
    await until(async () => (await ask('testPaymentState', {})).state === 'ready', 'the lane');
    const register = await Register.overTcp({ host: '127.0.0.1', port });
    const paid = await register.pay(100, 'DKK');
    expect(paid.ended?.by).toBe('completion');
    await until(async () => (await ask('testPaymentState', {})).state === 'passed', 'the test payment');
    await register.close();
  });

  test('that cannot be listened to is told of, and the lane that was changed goes on as before', async () => {
    await start();
    await install();
    const before = readFileSync(settingsPath(), 'utf8');
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'till', value: { transport: 'tcp', host: '203.0.113.1', port: 20_007 } });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'cannotOpen' });
    expect(readFileSync(settingsPath(), 'utf8')).toBe(before);
    await idle('1');
    expect((await ask('setupState', {})).draft).toMatchObject({ till: { host: '203.0.113.1' } });
  });

  test('that a lane has is not taken from it', async () => {
    await start();
    await install();
    const port = Number(terminal?.lanes()[0]?.till.split(':')[2]);
    expect(await refusal('listenToTill', { till: { transport: 'tcp', port } })).toMatchObject({ code: 'laneUses', facts: { laneId: '1' } });
  });
});

describe('what is carried away', () => {
  const fetched = async ({ fileId }: { fileId: string }): Promise<Buffer> => Buffer.from((await ask('filePart', { fileId, part: 0 })).base64, 'base64');

  test('a lane without its secret, and back again with the one that is here', async () => {
    await start();
    await install();
    const offer = await ask('exportLane', { laneId: '1' });
    const text = (await fetched(offer)).toString();
    expect(offer).toMatchObject({ name: 'lane-1.json', type: 'application/json' });
    expect(text).not.toContain(simulator.credentials.clientSecret);
    expect(await ask('importLane', { text })).toMatchObject({ missing: [], draft: { laneId: '1', next: 'finish', wallet: { hasSecret: true } } });
  });

  test('the stickers of its code', async () => {
    await start();
    await install();
    const offer = await ask('stickerSheet', { laneId: '1', hold: 'Hold telefonen her' });
    expect(offer.type).toBe('application/pdf');
    expect((await fetched(offer)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await refusal('stickerSheet', { laneId: '7', hold: 'Hold telefonen her' })).toMatchObject({ code: 'notFound' });
  });
});
