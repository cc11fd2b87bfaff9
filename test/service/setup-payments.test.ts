import { readFileSync } from 'node:fs';
import { managerRefundId, screenPaymentId } from '../../main/core/domain/ids.ts';
import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { until } from '../support/processes.ts';
import {
  aCounterForEachTest,
  ask,
  customerApproves,
  enterCode,
  idle,
  install,
  pointOfSale,
  refusal,
  restart,
  settingsPath,
  simulator,
  start,
  tcp,
  terminal,
  wallet,
} from './setup-support.ts';

aCounterForEachTest();

describe('a test payment through a lane in use', () => {
  const paying = '5e700000-0000-4000-8000-000000000001';
  const saleId = screenPaymentId(paying);
  const refundId = '5e700000-0000-4000-8000-000000000002';
  const payments = () =>
    [...simulator.world.payments.values()].map(({ status, terms }) => ({
      status,
      amountMinor: terms?.amountMinor,
    }));
  const sale = () => terminal?.views.lane('1')?.recent.find((one) => one.saleId === saleId);
  const stateIs = (kind: string) =>
    until(() => terminal?.views.lane('1')?.state.kind === kind, kind);
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
    expect(await ask('payForTest', { laneId: '1', actionId: paying })).toEqual({
      saleId,
      amountMinor: 100,
      currency: 'DKK',
    });
    // A lost answer: the same payment.
    expect(await ask('payForTest', { laneId: '1', actionId: paying })).toEqual({
      saleId,
      amountMinor: 100,
      currency: 'DKK',
    });
    expect(await refusal('payForTest', { laneId: '1', actionId: refundId })).toMatchObject({
      code: 'busy',
    });
    await stateIs('waitingForCustomer');
    expect(terminal?.views.lane('1')?.state).toMatchObject({ by: 'cashier', isTest: true });
    expect(await ask('useTestPhone', { laneId: '1', does: 'checkIn' })).toEqual({
      phoneNumber: '+4520031801',
    });
    await stateIs('approveInApp');
    expect(await refusal('refundTest', { laneId: '1', saleId, actionId: refundId })).toMatchObject({
      code: 'refundRefused',
    });
    await ask('useTestPhone', { laneId: '1', does: 'approve' });
    await until(() => sale()?.certainty === 'confirmed', 'the capture');
    expect(payments()).toEqual([{ status: 'Captured', amountMinor: 100 }]);
    await ask('refundTest', { laneId: '1', saleId, actionId: refundId });
    await until(() => {
      const now = terminal?.views.lane('1')?.refund;
      return now?.kind === 'refunded' && now.isConfirmed;
    }, 'the refund');
    await ask('refundTest', { laneId: '1', saleId, actionId: refundId });
    expect(sale()).toMatchObject({
      by: 'cashier',
      reason: null,
      refundedMinor: 100,
      orderId: expect.stringMatching(/^test-/),
    });
    await ask('addManager', { name: 'Ada', pin: '4711' });
    const story = await ask('saleStory', { saleId });
    expect(story.refunds).toMatchObject([
      {
        refundOrderId: managerRefundId(refundId),
        state: 'refunded',
        amountMinor: 100,
        by: 'Setup',
        note: 'test payment',
      },
    ]);
  });

  test('of a lane that takes no credit cards is approved with a debit card', async () => {
    await start();
    await install({
      ...pointOfSale,
      restrictions: { debitCardDisallowed: false, creditCardDisallowed: true },
      merchantPaymentLabel: 'Kiosk',
    });
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService: true } });
    await ask('finishSetup', {});
    await idle('1');
    await ask('payForTest', { laneId: '1', actionId: paying });
    await stateIs('waitingForCustomer');
    expect(await ask('useTestPhone', { laneId: '1', does: 'checkIn' })).toEqual({
      phoneNumber: '+4520031802',
    });
    await stateIs('approveInApp');
    await ask('useTestPhone', { laneId: '1', does: 'approve' });
    await until(() => sale()?.reason === null, 'the payment');
    const [{ terms } = { terms: null }] = [...simulator.world.payments.values()];
    expect(terms).toMatchObject({
      restrictions: { debitCardDisallowed: false, creditCardDisallowed: true },
      merchantPaymentLabel: 'Kiosk',
    });
  });

  test('of a real service is of the smallest amount, on a real phone, and nothing else is refunded this way', async () => {
    await installAt(false);
    expect(await ask('payForTest', { laneId: '1', actionId: paying })).toEqual({
      saleId,
      amountMinor: 1,
      currency: 'DKK',
    });
    expect(await refusal('useTestPhone', { laneId: '1', does: 'checkIn' })).toMatchObject({
      code: 'notTestService',
    });
    await customerApproves();
    await until(() => sale()?.certainty === 'confirmed', 'the capture');
    expect(payments()).toEqual([{ status: 'Captured', amountMinor: 1 }]);
    expect(await refusal('refundTest', { laneId: '2', saleId, actionId: refundId })).toMatchObject({
      code: 'notFound',
      field: 'saleId',
    });
    // After a restart the daemon does not know the payment as a test any more, so only a manager
    // may refund it.
    await restart();
    await enterCode();
    expect(await refusal('refundTest', { laneId: '1', saleId, actionId: refundId })).toMatchObject({
      code: 'notFound',
      field: 'saleId',
    });
    expect(sale()?.refundedMinor).toBe(0);
  });

  test('of a simulated service there is none', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await ask('saveDraft', { step: 'pointOfSale', value: pointOfSale });
    await ask('saveDraft', { step: 'till', value: tcp });
    const { laneId } = await ask('finishSetup', {});
    expect(await refusal('payForTest', { laneId, actionId: paying })).toMatchObject({
      code: 'notHere',
    });
    expect(await refusal('payForTest', { laneId: '9', actionId: paying })).toMatchObject({
      code: 'notFound',
      field: 'laneId',
    });
  });
});

describe('the till', () => {
  test('of the draft is tried with a payment of 1.00 that nobody’s books hear of', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    expect(await refusal('startTestPayment', { with: 'own' })).toMatchObject({
      code: 'incomplete',
      facts: { step: 'pointOfSale' },
    });
    await ask('saveDraft', { step: 'pointOfSale', value: { ...pointOfSale, flow: 'prepare' } });
    await ask('saveDraft', { step: 'till', value: tcp });
    await ask('startTestPayment', { with: 'own' });
    await until(
      async () => ['passed', 'failed'].includes((await ask('testPaymentState', {})).state),
      'the test payment',
    );
    expect(await ask('testPaymentState', {})).toEqual({
      state: 'passed',
      with: 'own',
      steps: [
        'starting',
        'askedByTill',
        'waitingForCustomer',
        'approveInApp',
        'tillTold',
        'captured',
      ],
      amountMinor: 100,
      currency: 'DKK',
      detail: null,
      api: null,
      refusedPage: null,
    });
    expect((await ask('setupState', {})).draft?.tested).toBe('own');
    expect(simulator.world.payments.size).toBe(0);
  });

  test('has a result for the draft that was tried alone', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'da' });
    await ask('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await ask('saveDraft', { step: 'pointOfSale', value: pointOfSale });
    await ask('saveDraft', { step: 'till', value: tcp });
    const state = async (): Promise<string> => (await ask('testPaymentState', {})).state;
    await ask('startTestPayment', { with: 'own' });
    await until(async () => (await state()) === 'passed', 'the test payment');
    await ask('saveDraft', { step: 'till', value: { ...tcp, port: 21_000 } });
    expect(await state()).toBe('none');
    await ask('startTestPayment', { with: 'own' });
    await ask('beginSetup', { laneId: null });
    expect(await state()).toBe('none');
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
    expect(
      await ask('saveDraft', { step: 'till', value: { transport: 'tcp', port } }),
    ).toMatchObject({ unheard: true });
    await ask('startTestPayment', { with: 'till' });
    expect((await ask('tillHeard', {})).what).toBe('stopped');
    await until(async () => (await ask('testPaymentState', {})).state === 'ready', 'the lane');
    const register = await Register.overTcp({ host: '127.0.0.1', port });
    const paid = await register.pay(100, 'DKK');
    expect(paid.ended?.by).toBe('completion');
    await until(
      async () => (await ask('testPaymentState', {})).state === 'passed',
      'the test payment',
    );
    expect((await ask('setupState', {})).draft).toMatchObject({ tested: 'till', unheard: false });
    await register.close();
  });

  test('that cannot be listened to is told of, and the lane that was changed goes on as before', async () => {
    await start();
    await install();
    const before = readFileSync(settingsPath(), 'utf8');
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', {
      step: 'till',
      value: { transport: 'tcp', host: '203.0.113.1', port: 20_007 },
    });
    expect(await refusal('finishSetup', {})).toMatchObject({ code: 'cannotOpen' });
    expect(readFileSync(settingsPath(), 'utf8')).toBe(before);
    await idle('1');
    expect((await ask('setupState', {})).draft).toMatchObject({ till: { host: '203.0.113.1' } });
  });

  test('that a lane has is not taken from it', async () => {
    await start();
    await install();
    const port = Number(terminal?.lanes()[0]?.till.split(':')[2]);
    expect(await refusal('listenToTill', { till: { transport: 'tcp', port } })).toMatchObject({
      code: 'laneUses',
      facts: { laneId: '1' },
    });
  });
});

describe('a test of a beacon', () => {
  const installNfc = async (change: object = {}): Promise<void> => {
    await start();
    await install({ ...pointOfSale, beaconTypes: ['NFC'], ...change });
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService: true } });
    await ask('finishSetup', {});
    await idle('1');
  };
  const reaches = (state: string) =>
    until(async () => (await ask('checkInTestState', {})).state === state, state);

  test('ends when a phone checks in at the service, and makes no payment', async () => {
    await installNfc();
    expect(await ask('checkInTestState', {})).toMatchObject({ state: 'none', laneId: null });
    expect(await ask('startCheckInTest', { laneId: '1' })).toMatchObject({
      state: 'waiting',
      laneId: '1',
      atMs: null,
    });
    // Somebody who comes before the service was asked once could have been there before.
    const lookUps = () =>
      simulator.requests().filter(({ operation }) => operation === 'lookUpCheckIn').length;
    await until(() => lookUps() > 1, 'a look-up');
    await ask('useTestPhone', { laneId: '1', does: 'checkIn' });
    await reaches('checkedIn');
    expect((await ask('checkInTestState', {})).atMs).not.toBeNull();
    expect(simulator.world.payments.size).toBe(0);
    expect(terminal?.views.lane('1')?.recent).toEqual([]);
    // The same phone is still there: a second test says so instead of passing.
    await ask('startCheckInTest', { laneId: '1' });
    await reaches('occupied');
    await ask('stopCheckInTest', {});
    expect(await ask('checkInTestState', {})).toMatchObject({ state: 'stopped', remainingMs: 0 });
  });

  test('is for a lane whose number setup shows, if it is that of a device', async () => {
    await installNfc({ beaconId: '123456789012345' });
    const { inUse } = await ask('setupState', {});
    expect(inUse?.lanes[0]).toMatchObject({ beacons: ['NFC'], beaconId: '123456789012345' });
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, beaconTypes: ['NFC'], laneId: '1' },
    });
    await ask('finishSetup', { recreate: true });
    expect((await ask('setupState', {})).inUse?.lanes[0]).not.toHaveProperty('beaconId');
  });

  test('is refused during a payment, and ends when one begins', async () => {
    await installNfc();
    await ask('startCheckInTest', { laneId: '1' });
    await ask('payForTest', { laneId: '1', actionId: '5e700000-0000-4000-8000-000000000001' });
    await reaches('busy');
    expect(await refusal('startCheckInTest', { laneId: '1' })).toMatchObject({ code: 'busy' });
  });

  test('is refused where nobody can check in before the amount, and at a lane that is not there', async () => {
    await installNfc({ requirePaymentBeforeCheckin: true });
    expect(await refusal('startCheckInTest', { laneId: '1' })).toMatchObject({
      code: 'checkInNeedsPayment',
    });
    expect(await refusal('startCheckInTest', { laneId: '9' })).toMatchObject({ code: 'notFound' });
  });

  test('says that the service does not answer, and not that nobody came', async () => {
    await installNfc();
    await ask('startCheckInTest', { laneId: '1' });
    await simulator.stop();
    await reaches('unanswered');
  });
});
