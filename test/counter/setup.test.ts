import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { ContractClient } from '../support/contract-client.ts';
import { cheapPins, firstManagerCode } from '../support/first-manager.ts';
import {
  type DaemonReady,
  Product,
  SerialCable,
  type SimulatorReady,
  until,
} from '../support/processes.ts';

class Screen extends ContractClient {
  static async at(url: string): Promise<Screen> {
    const screen = new Screen(await ContractClient.open(url));
    screen.watch({ screen: 'setup', laneId: null });
    await until(() => screen.view !== null, 'the first view');
    return screen;
  }
}

let folder: string;
let service: Product;
let credentials: SimulatorReady;
let daemon: Product;
let screen: Screen | null = null;
const data = (): string => join(folder, 'data');
const settingsPath = (): string => join(data(), 'settings.json');
const start = async (): Promise<DaemonReady> => {
  daemon = new Product('daemon', ['--data', data(), '--port', '0']);
  const ready = await daemon.ready<DaemonReady>();
  screen = await Screen.at(ready.screens);
  return ready;
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-setup-'));
  cheapPins(data());
  service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
  credentials = await service.ready<SimulatorReady>();
});
afterEach(async () => {
  screen?.close();
  await daemon.end('SIGKILL');
  await service.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
const lane = (change: object = {}): object => ({
  id: '1',
  name: 'Kasse 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'shop-1',
    storeId: credentials.storeIds[0],
    name: 'Kasse 1',
    beaconTypes: ['QR'],
  },
  till: { protocol: 'zvt', transport: 'tcp', port: 0 },
  ...change,
});
const settings = (...lanes: object[]): string => {
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat } = credentials;
  return JSON.stringify({
    wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
    lanes,
  });
};
const shows = (name: string, state = 'idle') =>
  until(
    () => screen?.view?.lane?.name === name && screen.view.lane.state.kind === state,
    `the screen to show ${name} ${state}`,
  );
/** Through the test endpoints of the simulated service. */
const phone = (action: 'checkin' | 'accept', beaconId: string) =>
  fetch(`${credentials.baseUrl}/simulator/phone/${action}`, {
    method: 'POST',
    body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }),
  });
const state = async (): Promise<{
  payments: { status: string }[];
  pointsOfSale: { name: string; beaconId: string; deleted: boolean }[];
}> => (await (await fetch(`${credentials.baseUrl}/simulator/state`)).json()) as never;

describe('a daemon without settings', () => {
  test('is a counter once a settings file lies in its data folder; a broken one changes nothing, and is told of', async () => {
    expect(await start()).toMatchObject({ ready: true, lanes: [] });
    writeFileSync(settingsPath(), settings(lane()));
    await shows('Kasse 1');
    await screen?.value('enterCode', { code: firstManagerCode(data()) });
    const broken = settings(lane({ name: 'Kasse 2', currency: 'SEK' }));
    writeFileSync(settingsPath(), broken);
    await until(
      async () => (await screen?.value('setupState', {}))?.file.state === 'refused',
      'the mistake',
    );
    expect((await screen?.value('setupState', {}))?.file.mistakes).toEqual([
      expect.stringMatching(/^lanes\.0\.currency: /),
    ]);
    await expect
      .poll(() => daemon.log())
      .toContainEqual(
        expect.objectContaining({
          level: 'error',
          mistake: expect.stringMatching(/^lanes\.0\.currency: /),
        }),
      );
    expect(screen?.view?.lane).toMatchObject({ name: 'Kasse 1', state: { kind: 'idle' } });
    expect(daemon.stderr).not.toContain(credentials.clientSecret);
    writeFileSync(settingsPath(), settings(lane({ name: 'Kasse 2' })));
    await shows('Kasse 2');
    expect(await daemon.end().then(() => daemon.exited)).toMatchObject({ code: 0 });
  });

  test('is set up by its screens alone, from the language to a payment of the real till', async () => {
    const cable = await new SerialCable().plugIn();
    await start();
    const ask: Screen['value'] = (name, input) => (screen as Screen).value(name, input);
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat } = credentials;
    const wallet = { kind: 'service', baseUrl, authUrl, clientId, clientSecret } as const;
    const serial = { transport: 'serial', path: cable.terminalPath } as const;

    await ask('addManager', { name: 'Ada', pin: '4711' });
    await ask('saveDraft', { step: 'language', value: 'fi' });
    await ask('testCredentials', { wallet, merchantVat });
    await ask('saveDraft', { step: 'wallet', value: wallet });
    const [store] = (await ask('findStores', { merchantVat, at: null })).stores;
    await ask('saveDraft', {
      step: 'store',
      value: { merchantVat, store: store as NonNullable<typeof store> },
    });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: {
        merchantPosId: 'shop-1',
        name: 'Kassa 1',
        beaconTypes: ['QR'],
        beaconId: null,
        currency: 'DKK',
      },
    });

    // A daemon that dies in the middle goes on where it was.
    await daemon.end('SIGKILL');
    screen?.close();
    await start();
    await ask('signIn', {
      managerId: (await ask('session', {})).managers[0]?.managerId ?? '',
      pin: '4711',
    });
    expect((await ask('setupState', {})).draft).toMatchObject({
      next: 'till',
      pointOfSale: { name: 'Kassa 1' },
    });

    await ask('listenToTill', { till: serial });
    await until(async () => (await ask('tillHeard', {})).what === 'nothing', 'the port to be open');
    const early = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: systemClock,
    });
    void early.register({ currency: 'DKK' });
    await until(async () => (await ask('tillHeard', {})).what === 'zvt', 'the till’s first bytes');
    await ask('stopListening', {});
    await early.close();

    await ask('saveDraft', { step: 'till', value: serial });
    await ask('startTestPayment', { with: 'own' });
    await until(
      async () =>
        (await ask('testPaymentState', {})).state !== 'starting' &&
        (await ask('testPaymentState', {})).state !== 'running',
      'the test',
      20_000,
    );
    await until(
      async () => (await ask('testPaymentState', {})).state === 'passed',
      'the test payment to pass',
      20_000,
    );

    expect(await ask('consequences', {})).toMatchObject({ pointOfSale: 'new' });
    expect(await ask('finishSetup', {})).toEqual({
      laneId: '1',
      firstManagerCode: null,
      tested: 'own',
      unheard: false,
    });
    await shows('Kassa 1');
    expect(await ask('stickerSheet', { laneId: '1', hold: 'Hold telefonen her' })).toMatchObject({
      type: 'application/pdf',
    });
    expect(readFileSync(settingsPath(), 'utf8')).toContain('Kassa 1');

    const till = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: systemClock,
    });
    const paying = till.pay(1234, 'DKK');
    await shows('Kassa 1', 'waitingForCustomer');
    const beaconId = (await state()).pointsOfSale[0]?.beaconId ?? '';
    await phone('checkin', beaconId);
    await until(
      async () => (await state()).payments.at(-1)?.status === 'IssuedToUser',
      'the phone to be asked',
    );
    await phone('accept', beaconId);
    expect((await paying).ended?.by).toBe('completion');
    await until(async () => (await state()).payments.at(-1)?.status === 'Captured', 'the capture');

    // Renamed: deleted and created anew, and a SIGKILL in between leaves no gap.
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: {
        merchantPosId: 'shop-1',
        name: 'Leipä',
        beaconTypes: ['QR'],
        beaconId: null,
        laneId: '1',
        currency: 'DKK',
      },
    });
    expect(await ask('consequences', {})).toMatchObject({
      pointOfSale: 'recreate',
      newSticker: true,
    });
    await fetch(`${credentials.baseUrl}/simulator/faults`, {
      method: 'POST',
      body: JSON.stringify({ operation: 'createPointOfSale', kind: 'status500', times: 1000 }),
    });
    // A poll has to show the capture of the payment before, which takes a second.
    await expect
      .poll(() => (screen as Screen).ask('finishSetup', { recreate: true }), { timeout: 10_000 })
      .toMatchObject({ ok: true });
    await until(
      async () => (await state()).pointsOfSale.every(({ deleted }) => deleted),
      'the old one to be deleted',
    );
    await daemon.end('SIGKILL');
    screen?.close();
    await fetch(`${credentials.baseUrl}/simulator/faults`, { method: 'DELETE' });
    await start();
    await shows('Leipä');
    expect((await state()).pointsOfSale.filter(({ deleted }) => !deleted)).toMatchObject([
      { name: 'Leipä' },
    ]);
    await till.close();
    await cable.remove();
  });
});
