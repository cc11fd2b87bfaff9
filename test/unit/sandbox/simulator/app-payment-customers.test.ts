/**
 * Who pays an app payment: the limits that bound it, and the phone number that prefills the landing
 * page.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { type Answer, phone, Service } from './support.ts';

const paymentPointId = 'a9900000-0000-4000-8000-000000000001';
const hours = (count: number): number => count * 3_600_000;

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
});
afterEach(() => service.simulator.stop());

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  service.call(method, path, body, { authorization: 'Bearer simulated-key-of-DK90000028' });
const initiate = async (
  amount: number,
  about: object = {},
): Promise<{ paymentId: string; toApp: string }> => {
  const body = {
    amount,
    idempotencyKey: systemIds.uuid(),
    paymentPointId,
    redirectUri: 'shop://back',
    reference: 'order-7',
    ...about,
  };
  const { paymentId, ...rest } = (await call('POST', '/v1/payments', body)).body as Record<
    string,
    string
  >;
  return { paymentId: paymentId as string, toApp: Object.values(rest)[0] as string };
};
const accept = (paymentId: string, phoneNumber?: string): Promise<Answer> =>
  call('POST', '/simulator/app-payments/accept', { paymentId, phoneNumber });
const stateOf = async (paymentId: string): Promise<unknown> =>
  (await call('GET', `/v1/payments/${paymentId}`)).body?.['state'];
const set = (about: object): Promise<Answer> =>
  call('POST', '/simulator/subscriptions/set-user', { phoneNumber: phone, ...about });
/** @returns the state after the customer tried to pay */
const paid = async (amount: number): Promise<unknown> => {
  const { paymentId } = await initiate(amount);
  await accept(paymentId, phone);
  return stateOf(paymentId);
};

describe('the customer’s limit', () => {
  test.each(['dayLimitMinor', 'yearLimitMinor'])(
    '%s bounds the amount of an app payment',
    async (limit) => {
      await set({ [limit]: 10_00 });
      const { paymentId } = await initiate(50_00);
      expect(await accept(paymentId, phone)).toMatchObject({
        status: 200,
        body: { redirectUri: 'shop://back?status=failed' },
      });
      expect(await stateOf(paymentId)).toBe('initiated');
      const { userId } = service.simulator.world.phoneByNumber(phone);
      const confirm = { paymentSourceId: systemIds.uuid(), userId };
      expect(
        await call('POST', `/v1/integration-test/payments/${paymentId}/reserve`, confirm),
      ).toMatchObject({ status: 409, code: 'processing_error' });
      expect(await paid(10_00)).toBe('reserved');
      expect(await paid(1)).toBe('initiated');
      const { sections } = (await call('GET', '/simulator/glance')).body as unknown as {
        sections: { title: string; rows: { cells: string[] }[] }[];
      };
      const cells = sections.find(({ title }) => title === 'Users of app payments')?.rows[0]?.cells;
      expect(cells).toEqual([
        phone,
        ...(limit === 'dayLimitMinor' ? ['10.00', 'no limit'] : ['no limit', '10.00']),
        '10.00',
        '10.00',
      ]);
    },
  );

  test('of a day counts anew on the next day, that of a year in the next year', async () => {
    await set({ dayLimitMinor: 10_00, yearLimitMinor: 15_00 });
    expect(await paid(10_00)).toBe('reserved');
    await service.simulator.advance(hours(15));
    expect(await paid(5_01)).toBe('initiated');
    expect(await paid(5_00)).toBe('reserved');
    await service.simulator.advance(hours(24 * 40));
    expect(await paid(10_00)).toBe('reserved');
  });

  test('counts what stores, subscriptions and the app were paid together, without what was released', async () => {
    await set({ dayLimitMinor: 30_00 });
    await service.createPos();
    await service.captured();
    expect(await paid(17_51)).toBe('initiated');
    const { paymentId } = await initiate(17_50);
    await accept(paymentId, phone);
    expect(await service.status(await service.reserved({ orderId: 'order-2' }))).toBe(
      'CancelledByService',
    );
    await call('POST', `/v1/payments/${paymentId}/cancel`);
    expect(await service.status(await service.reserved({ orderId: 'order-3' }))).toBe('Reserved');
  });

  test('is given back what a partial capture leaves', async () => {
    const partial = '+4520031805';
    await set({ phoneNumber: partial, dayLimitMinor: 10_00 });
    const { paymentId } = await initiate(10_00);
    await accept(paymentId, partial);
    await call('POST', `/v1/payments/${paymentId}/capture`, { amount: 4_00 });
    const { paymentId: next } = await initiate(6_00);
    await accept(next, partial);
    expect(await stateOf(next)).toBe('reserved');
  });
});

describe('the phone number of the customer', () => {
  test('prefills the landing page, and is the one that approves there', async () => {
    const { paymentId, toApp } = await initiate(12_50, { customerPhoneNumber: '+4520031803' });
    expect(new URL(toApp).searchParams.get('phone_number')).toBe('+4520031803');
    const { sections } = (await call('GET', '/simulator/glance')).body as unknown as {
      sections: { title: string; rows: { cells: string[]; actions: { byPhone?: boolean }[] }[] }[];
    };
    const row = sections.find(({ title }) => title === 'App payments')?.rows[0];
    expect(row?.cells).toContain('+4520031803');
    expect(row?.actions.map(({ byPhone = false }) => byPhone)).toEqual([false, false]);
    expect(await accept(paymentId)).toMatchObject({
      status: 200,
      body: { redirectUri: 'shop://back?status=successful' },
    });
    expect(service.simulator.state()).toMatchObject({
      appPayments: [
        { customerPhoneNumber: '+4520031803', phoneNumber: '+4520031803', state: 'reserved' },
      ],
    });
  });

  test('can be another one than the merchant gave', async () => {
    const { paymentId } = await initiate(12_50, { customerPhoneNumber: '4520031803' });
    await accept(paymentId, phone);
    expect(service.simulator.state()).toMatchObject({
      appPayments: [{ customerPhoneNumber: '+4520031803', phoneNumber: phone }],
    });
  });

  test('without one the landing page asks for it', async () => {
    const { paymentId, toApp } = await initiate(12_50, { customerPhoneNumber: null });
    expect(new URL(toApp).searchParams.has('phone_number')).toBe(false);
    expect(await accept(paymentId)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('phoneNumber') },
    });
  });
});
