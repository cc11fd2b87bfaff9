import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import type { Clock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import type { Log } from '../../main/core/domain/log.ts';
import type { Session } from '../../main/counter/server/session.ts';
import type { Environment } from '../../main/support/settings/secrets.ts';
import { SettingsFile } from '../../main/counter/settings/settings-file.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { startApplication, type Application } from '../../main/counter/app/application.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { fetchHttp } from '../../main/wallets/http/http.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import { integratorAccess } from '../../main/wallets/v10/v10-access.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import type { AnswerTo, OutputOf, InputOf, ProcedureName } from '../../preload/procedures.ts';
import { impatient, steadyClock } from '../unit/support/steady-clock.ts';
import { cheapPinCost, firstManagerCode } from '../support/first-manager.ts';
import { until } from '../support/processes.ts';

export const phone = '+4520031801';
/** The client's patience with a request: this machine may be busy with other tests. */
const patience = new Set([500, 2_000]);
/** Waiting teaches nothing: everything else that waits does so five times quicker. */
const clock: Clock = {
  ...impatient(steadyClock, 1),
  after: (delayMs, run) => steadyClock.after(patience.has(delayMs) ? delayMs : delayMs / 5, run),
};

export let simulator: Simulator;
export let folder: string;
export let terminal: Application | null = null;
let session: Session;
export let logged: string;
/** The part of the log that is in the diagnostics bundle. */
let recentLog: string[];
const log: Log = {
  debug: () => {},
  info: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  warn: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  error: (facts, message) => void (logged += JSON.stringify({ facts, message })),
  child: () => log,
};
export const settingsPath = (): string => join(folder, 'settings.json');
export const start = async (environment: Environment = {}): Promise<Application> => {
  const settings = new SettingsFile({
    path: settingsPath(),
    dataFolder: folder,
    environment,
    safe: null,
    clock,
    log,
  });
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
export const restart = async (environment?: Environment): Promise<void> => {
  await terminal?.close();
  await start(environment);
};
/** Before and after each test of a file. */
export function aCounterForEachTest(): void {
  beforeEach(async () => {
    logged = '';
    recentLog = [];
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-setup-'));
    simulator = new Simulator({
      profile: profileNamed('generic'),
      clock: steadyClock,
      ids: systemIds,
      policy: { pollDelayInMs: 100 },
    });
    await simulator.start({ port: 0 });
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = null;
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}
/** Goes on as another person, or as the same one at another screen. */
export function signOut(): void {
  session = { manager: null };
}
/** Sets the part of the log that is in the diagnostics bundle. */
export function logRecently(...lines: readonly string[]): void {
  recentLog = [...lines];
}

export const answerTo = async <Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<AnswerTo<Name>> => (await terminal?.router.call(session, name, asked)) as AnswerTo<Name>;
export const ask = async <Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<OutputOf<Name>> => {
  const answer = await answerTo(name, asked);
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return answer.value;
};
export const refusal = async <Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<object> => {
  const answer = await answerTo(name, asked);
  return answer.ok ? { ok: true } : { code: answer.code, field: answer.field, facts: answer.facts };
};

export const wallet = () => {
  const { baseUrl, authUrl, credentials } = simulator;
  return {
    kind: 'service',
    baseUrl,
    authUrl,
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
  } as const;
};
/** Enters the code as somebody who can read the data folder. */
export const enterCode = () => ask('enterCode', { code: firstManagerCode(folder) });
export const pointOfSale = {
  merchantPosId: 'shop-1',
  name: 'Kasse 1',
  beaconTypes: ['QR' as const],
  beaconId: null,
};
export const tcp = { transport: 'tcp' as const, port: 0 };

/** The whole path, as a screen walks it. */
export async function install(
  change?: Extract<InputOf<'saveDraft'>, { step: 'pointOfSale' }>['value'],
): Promise<string> {
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
export const idle = (laneId: string) =>
  until(() => terminal?.views.lane(laneId)?.state.kind === 'idle', `lane ${laneId} to be idle`);
export const pointsOfSale = () =>
  [...simulator.world.pointsOfSale.values()].filter(({ deleted }) => !deleted);
export const till = async (): Promise<Register> => {
  const address = terminal?.lanes()[0]?.till.split(':') ?? [];
  return Register.overTcp({ host: '127.0.0.1', port: Number(address[2]) });
};
/** The transport of another merchant at the same service. */
export function transportTo({
  baseUrl,
  authUrl,
  credentials,
}: Pick<Simulator, 'baseUrl' | 'authUrl' | 'credentials'>): Transport {
  const network = { profile: profileNamed('generic'), send: fetchHttp, clock: steadyClock };
  return new Transport({
    ...network,
    baseUrl,
    access: integratorAccess({ ...network, authUrl, credentials, clientVersion: '1.2.3' }),
    log: silentLog,
  });
}
/** Up to the money being reserved. */
export async function customerApproves(): Promise<void> {
  const [pos] = pointsOfSale();
  await until(() => pos?.active?.status === 'Initiated', 'a payment');
  simulator.phone('checkin', pos?.beaconId ?? '', phone);
  simulator.phone('accept', pos?.beaconId ?? '', phone);
}
