import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemIds } from '../../main/core/domain/ids.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { minorUnits } from '../../main/core/domain/money.ts';
import { Tokens } from '../../main/tills/http/tokens.ts';
import {
  cancelPayment,
  deletePointOfSale,
  initiatePayment,
} from '../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { until } from '../support/processes.ts';
import {
  aCounterForEachTest,
  answerTo,
  ask,
  customerApproves,
  enterCode,
  folder,
  idle,
  install,
  phone,
  pointOfSale,
  pointsOfSale,
  refusal,
  restart,
  settingsPath,
  simulator,
  start,
  tcp,
  terminal,
  till,
  transportTo,
} from './setup-support.ts';

aCounterForEachTest();

describe('a point of sale that is changed', () => {
  const rename = async (change: object = {}) => {
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, name: 'Bageren', laneId: '1', ...change },
    });
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

  test('keeps the test payment of its till through another name, and loses it with another till', async () => {
    await start();
    await install();
    const changed = async (): Promise<string | null> =>
      (await ask('beginSetup', { laneId: '1' })).tested;
    expect(await changed()).toBeNull();
    await ask('startTestPayment', { with: 'own' });
    await until(
      async () => (await ask('setupState', {})).draft?.tested === 'own',
      'the test payment',
    );
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, laneId: '1', laneName: 'Bageren' },
    });
    expect(await ask('finishSetup', {})).toMatchObject({ tested: 'own' });
    await idle('1');
    await restart();
    await enterCode();
    expect(await changed()).toBe('own');
    await ask('saveDraft', { step: 'till', value: { ...tcp, from: ['127.0.0.1'] } });
    await ask('finishSetup', {});
    await idle('1');
    expect(await changed()).toBeNull();
  });

  test('of a second lane names its store in the review, also when settings brought the first one', async () => {
    await start();
    await install();
    const { store } = await ask('beginSetup', { laneId: null });
    expect(store).toMatchObject({ store: { name: null } });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
    await ask('saveDraft', { step: 'till', value: tcp });
    const [{ name } = { name: null }] = (
      await ask('findStores', { merchantVat: simulator.credentials.merchantVat, at: null })
    ).stores;
    expect(name).not.toBeNull();
    expect(await ask('consequences', {})).toMatchObject({ storeName: name });
  });

  test('keeps its notification service when it is created anew, also after it was adopted from elsewhere', async () => {
    await start();
    await install({ ...pointOfSale, callbackAlias: 'hansens-check-in' });
    // The settings as an older version wrote them, without the alias.
    const file = JSON.parse(readFileSync(settingsPath(), 'utf8')) as {
      lanes: { pointOfSale: { callbackAlias?: string } }[];
    };
    delete file.lanes[0]?.pointOfSale.callbackAlias;
    writeFileSync(settingsPath(), JSON.stringify(file));
    await until(
      async () =>
        !('callbackAlias' in ((await ask('beginSetup', { laneId: '1' })).pointOfSale ?? {})),
      'the older settings',
    );
    await rename();
    expect((await ask('consequences', {})).differences).toMatchObject([{ field: 'name' }]);
    await ask('finishSetup', { recreate: true });
    await idle('1');
    const callbacks = () =>
      pointsOfSale().map(({ name, callbackAlias }) => `${name}: ${callbackAlias}`);
    expect(callbacks()).toEqual(['Bageren: hansens-check-in']);
    await rename({ callbackAlias: null });
    expect((await ask('consequences', {})).differences).toContainEqual({
      field: 'callbackAlias',
      now: 'hansens-check-in',
      wanted: null,
    });
    await ask('finishSetup', { recreate: true });
    await idle('1');
    expect(callbacks()).toEqual(['Bageren: null']);
  });

  test('on two screens at once is created once; and nothing is lost of what another screen changes meanwhile', async () => {
    await start();
    await install();
    const addLane = async (number: number): Promise<void> => {
      await ask('beginSetup', { laneId: null });
      await ask('saveDraft', {
        step: 'pointOfSale',
        value: { ...pointOfSale, merchantPosId: `shop-${number}`, name: `Kasse ${number}` },
      });
      await ask('saveDraft', { step: 'till', value: tcp });
    };
    await addLane(2);
    const both = await Promise.all([answerTo('finishSetup', {}), answerTo('finishSetup', {})]);
    expect(both).toMatchObject([{ ok: true }, { ok: false, code: 'busy' }]);
    await idle('2');
    expect(pointsOfSale().map(({ merchantPosId }) => merchantPosId)).toEqual(['shop-1', 'shop-2']);

    await addLane(3);
    expect(
      await Promise.all([answerTo('finishSetup', {}), answerTo('removeLane', { laneId: '2' })]),
    ).toMatchObject([{ ok: true }, { ok: true }]);
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
    expect(await refusal('finishSetup', { recreate: true })).toMatchObject({
      code: 'reservations',
      facts: { count: 1 },
    });
    simulator.faults.clear();
    await until(
      () => [...simulator.world.payments.values()].every(({ status }) => status === 'Captured'),
      'the capture',
    );
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
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, laneName: 'Front', laneId: '1' },
    });
    expect(await refusal('finishSetup', {})).toMatchObject({
      code: 'busy',
      facts: { laneId: '1' },
    });
    // Dropped from outside, they wait.
    const dropped = readFileSync(settingsPath(), 'utf8').replaceAll(
      '"name": "Kasse 1"',
      '"name": "Front"',
    );
    writeFileSync(settingsPath(), dropped);
    await until(
      async () => (await ask('setupState', {})).file.state === 'waiting',
      'the file to be seen',
    );
    await customerApproves();
    expect((await paying).ended?.by).toBe('completion');
    await until(
      async () => (await ask('setupState', {})).file.state === 'inUse',
      'the file to be in use',
    );
    expect(terminal?.views.lanes()).toEqual([{ laneId: '1', name: 'Front' }]);
    await register.close();
  });

  test('that is not settled keeps its lane, and its wallet', async () => {
    await start();
    await install();
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
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
    expect(await refusal('removeLane', { laneId: '1' })).toMatchObject({
      code: 'unsettledMoney',
      facts: { laneId: '1', count: 1 },
    });
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
  const leftBehind = async () =>
    (await ask('setupState', {})).leftBehind.map(({ merchantPosId }) => merchantPosId);
  const startWithTwo = async (): Promise<void> => {
    await start();
    await install();
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('finishSetup', {});
    await Promise.all([idle('1'), idle('2')]);
  };

  test('leaves its point of sale at the service, or has it deleted there', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    expect(await leftBehind()).toEqual(['shop-2']);
    expect((await ask('setupState', {})).leftBehind).toEqual([
      { merchantPosId: 'shop-2', name: 'Kasse 2', host: new URL(simulator.baseUrl).host },
    ]);
    await ask('deletePointOfSale', { merchantPosId: 'shop-2' });
    expect(numbers()).toEqual(['shop-1']);
    expect(await leftBehind()).toEqual([]);
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({
      code: 'notFound',
    });
  });

  test('takes the tokens of its till with it', async () => {
    await startWithTwo();
    await terminal?.close();
    const opened = (): Tokens =>
      new Tokens({
        path: join(folder, 'till-tokens.json'),
        clock: systemClock,
        ids: systemIds,
        log: silentLog,
      });
    for (const laneId of ['1', '2']) opened().make({ name: 'Kiosk', laneId, scopes: ['pay'] });
    await start();
    await enterCode();
    await ask('removeLane', { laneId: '2' });
    expect(opened().list()).toMatchObject([{ laneId: '1' }]);
  });

  test('that cannot be removed leaves nothing to delete', async () => {
    await start();
    await install();
    expect(await refusal('removeLane', { laneId: '1', deletePointOfSale: true })).toMatchObject({
      code: 'lastLane',
    });
    expect(
      existsSync(join(folder, 'deletions.json')) &&
        readFileSync(join(folder, 'deletions.json'), 'utf8'),
    ).not.toContain('shop-1');
    expect(numbers()).toEqual(['shop-1']);
  });

  test('while the service fails: the real reason is told, and after a restart it is deleted all the same', async () => {
    await startWithTwo();
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    simulator.faults.add({ operation: 'deletePointOfSale', kind: 'status500', times: 1000 });
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({
      code: 'serviceFailing',
    });
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
    const body = {
      posId: second?.posId ?? '',
      orderId: 'elsewhere',
      amount: minorUnits(500),
      currencyCode: 'DKK',
      plannedCaptureDelay: 'None',
    } as const;
    const { paymentId } = await transport.call(
      initiatePayment,
      { body },
      { idempotencyKey: systemIds.uuid() },
    );
    simulator.phone('checkin', second?.beaconId ?? '', phone);
    simulator.phone('accept', second?.beaconId ?? '', phone);
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({
      code: 'reservations',
      facts: { count: 1 },
    });
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
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
    await ask('saveDraft', { step: 'till', value: tcp });
    const { laneId } = await ask('finishSetup', {});
    await idle(laneId);
    expect(await leftBehind()).toEqual([]);
    await ask('removeLane', { laneId, deletePointOfSale: false });
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({
      code: 'notFound',
    });
    expect(numbers()).toEqual(['shop-1', 'shop-2']);
  });

  test('whose name another lane has is refused, and one that keeps its name is not', async () => {
    await startWithTwo();
    const named = (name: string, laneName: string | null) =>
      ({
        step: 'pointOfSale',
        value: { ...pointOfSale, merchantPosId: 'shop-3', name, laneName },
      }) as const;
    await ask('beginSetup', { laneId: null });
    const [, second] = terminal?.views.lanes() ?? [];
    const name = second?.name ?? '';
    expect(await refusal('saveDraft', named(name, null))).toMatchObject({
      code: 'nameTaken',
      field: 'value.name',
      facts: { laneId: '2', lane: name },
    });
    expect(await refusal('saveDraft', named('Kasse 3', name))).toMatchObject({
      code: 'nameTaken',
      field: 'value.laneName',
    });
    await ask('saveDraft', named('Kasse 3', null));
  });

  test('by a settings file that brings it back is not deleted under its feet; and what nobody wants deleted is left alone', async () => {
    await startWithTwo();
    const both = readFileSync(settingsPath(), 'utf8');
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    writeFileSync(settingsPath(), both);
    await until(() => terminal?.views.lanes().length === 2, 'the lane to be back');
    expect(await refusal('deletePointOfSale', { merchantPosId: 'shop-2' })).toMatchObject({
      code: 'posTaken',
      facts: { laneId: '2' },
    });
    await idle('2');
    await ask('removeLane', { laneId: '2', deletePointOfSale: true });
    await ask('keepPointOfSale', { merchantPosId: 'shop-2' });
    expect(await leftBehind()).toEqual([]);
    expect(numbers()).toEqual(['shop-1', 'shop-2']);
  });
});

describe('a till that is connected and has registered', () => {
  const connected = async () => {
    await start();
    await install();
    let isGone = false;
    const address = terminal?.lanes()[0]?.till.split(':') ?? [];
    const register = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(address[2]),
      gone: () => (isGone = true),
    });
    await register.register({ currency: 'DKK' });
    return { register, isGone: () => isGone };
  };
  const seen = {
    shopName: null,
    address: null,
    vat: null,
    logo: 'keep',
    picture: 'keep',
    displays: null,
  } as const;
  const addLane = async (): Promise<void> => {
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('finishSetup', {});
    await idle('2');
  };

  test('stays so when checking in early is saved, which the screens show at once', async () => {
    const { register, isGone } = await connected();
    await ask('changeCustomersSee', { ...seen, lanes: [{ laneId: '1', checkInFirst: true }] });
    await until(
      () => terminal?.views.lane('1')?.customer.checkIn != null,
      'the code for checking in',
    );
    expect(readFileSync(settingsPath(), 'utf8')).toContain('"checkInFirst": true');
    const paying = register.pay(1_234, 'DKK');
    await customerApproves();
    expect((await paying).ended).toMatchObject({ by: 'completion' });
    await until(
      () =>
        terminal?.views.lane('1')?.state.kind === 'paid' ||
        terminal?.views.lane('1')?.state.kind === 'idle',
      'the end',
    );
    await until(
      () => terminal?.views.lane('1')?.recent[0]?.certainty === 'confirmed',
      'the capture',
    );
    await ask('changeCustomersSee', { ...seen, lanes: [{ laneId: '1', checkInFirst: false }] });
    expect(terminal?.views.lane('1')?.customer.checkIn).toBeNull();
    expect(isGone()).toBe(false);
    await register.close();
  });

  test('stays so when the shop gets a name, which stands on the next receipt', async () => {
    const { register, isGone } = await connected();
    await ask('changeCustomersSee', { ...seen, shopName: 'Hansens', lanes: [] });
    const paying = register.pay(1_234, 'DKK');
    await customerApproves();
    expect((await paying).printed.join(' ')).toContain('Hansens');
    expect(isGone()).toBe(false);
    await register.close();
  });

  test('stays so when another lane is added, changed and removed', async () => {
    const { register, isGone } = await connected();
    await addLane();
    const before = terminal?.lanes()[1]?.till;
    await ask('beginSetup', { laneId: '2' });
    await ask('saveDraft', { step: 'till', value: { ...tcp, refunds: 5_000 } });
    await ask('finishSetup', {});
    await idle('2');
    expect(terminal?.lanes()[1]?.till).not.toBe(before);
    await ask('removeLane', { laneId: '2', deletePointOfSale: false });
    expect(terminal?.lanes().length).toBe(1);
    expect((await register.statusEnquiry()).refused).toBeNull();
    expect(isGone()).toBe(false);
    await register.close();
  });

  test('stays so when the settings name the lanes in another order', async () => {
    const { register, isGone } = await connected();
    await addLane();
    const settings = JSON.parse(readFileSync(settingsPath(), 'utf8')) as { lanes: object[] };
    writeFileSync(
      settingsPath(),
      JSON.stringify({ ...settings, lanes: settings.lanes.toReversed() }),
    );
    await until(() => terminal?.lanes()[0]?.id === '2', 'the other order');
    expect(terminal?.lanes().map(({ id }) => id)).toEqual(['2', '1']);
    expect((await register.statusEnquiry()).refused).toBeNull();
    expect(isGone()).toBe(false);
    await register.close();
  });

  test('has to come again when the settings of its lane change', async () => {
    const { isGone } = await connected();
    const settings = JSON.parse(readFileSync(settingsPath(), 'utf8')) as { lanes: object[] };
    settings.lanes = settings.lanes.map((lane) => ({ ...lane, deadlineSeconds: 90 }));
    writeFileSync(settingsPath(), JSON.stringify(settings));
    await until(isGone, 'the end of the connection');
  });

  test('keeps its lane when a lane that is added cannot be opened', async () => {
    const { register } = await connected();
    const settings = JSON.parse(readFileSync(settingsPath(), 'utf8')) as {
      lanes: { id: string; till: object; pointOfSale: object }[];
    };
    const [first] = settings.lanes;
    if (first === undefined) throw new Error('no lane');
    const second = {
      ...first,
      id: '2',
      name: 'Kasse 2',
      pointOfSale: { ...first.pointOfSale, merchantPosId: 'shop-2' },
    };
    // 192.0.2.1 is no address of this computer.
    const lanes = [
      first,
      { ...second, till: { protocol: 'zvt', transport: 'tcp', host: '192.0.2.1', port: 20_099 } },
    ];
    writeFileSync(settingsPath(), JSON.stringify({ ...settings, lanes }));
    await until(async () => (await ask('setupState', {})).file.state === 'refused', 'the refusal');
    await idle('1');
    expect(terminal?.lanes().length).toBe(1);
    await register.close();
  });
});
