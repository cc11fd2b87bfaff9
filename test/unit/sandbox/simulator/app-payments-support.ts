/** A simulated service and the calls of a merchant with app payments. */
import { afterEach, beforeEach, expect } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { appPaymentOperations } from '../../../../main/wallets/v10/app-payments/app-payments-operations.ts';
import type { Operation } from '../../../../main/wallets/http/operation.ts';
import { type Answer, phone, Service } from './support.ts';

export const operations = appPaymentOperations as unknown as readonly Operation[];
export const unknownId = '00000000-0000-4000-8000-00000000dead';
export const paymentPointId = 'a9900000-0000-4000-8000-000000000001';
export const bearer = { authorization: 'Bearer simulated-key-of-DK90000028' };
export const other = { authorization: 'Bearer simulated-key-of-DK22222222' };
export const minutes = (count: number): number => count * 60_000;
export const days = (count: number): number => minutes(count * 24 * 60);

/** That of the running test. */
export let service: Service;

/**
 * Starts a service before each test of the calling file. A file calls it itself: where files share
 * a process, hooks beside this declaration would run in the first file alone.
 */
export function startServiceBeforeEach(): void {
  beforeEach(async () => {
    service = await new Service().start();
    service.simulator.world.addMerchant({ vat: 'DK22222222' });
  });
  afterEach(() => service.simulator.stop());
}

export type Headers = Record<string, string | undefined>;
export const call = (
  method: string,
  path: string,
  body?: object,
  headers: Headers = bearer,
): Promise<Answer> => service.call(method, path, body, headers);
export const testEndpoint = async (name: string, body: object): Promise<Answer> =>
  call('POST', `/simulator/app-payments/${name}`, body);
export const wish = (about: object = {}): object => ({
  amount: 1250,
  idempotencyKey: systemIds.uuid(),
  paymentPointId,
  redirectUri: 'shop://back?order=7',
  reference: 'order-7',
  ...about,
});
export const initiate = (about: object = {}, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/payments', wish(about), headers);
export const initiated = async (about: object = {}): Promise<string> =>
  (await initiate(about)).body?.['paymentId'] as string;
export const reserved = async (about: object = {}, phoneNumber = phone): Promise<string> => {
  const paymentId = await initiated(about);
  expect(await testEndpoint('accept', { paymentId, phoneNumber })).toMatchObject({ status: 200 });
  return paymentId;
};
export const act = (
  paymentId: string,
  action: string,
  body?: object,
  headers?: Headers,
): Promise<Answer> => call('POST', `/v1/payments/${paymentId}/${action}`, body, headers);
export const capture = (paymentId: string, amount = 1250, headers?: Headers): Promise<Answer> =>
  act(paymentId, 'capture', { amount }, headers);
export const captured = async (about: object = {}, phoneNumber = phone): Promise<string> => {
  const paymentId = await reserved(about, phoneNumber);
  expect(await capture(paymentId)).toEqual({ status: 204, body: null, code: undefined });
  return paymentId;
};
export const cancelled = async (): Promise<string> => {
  const paymentId = await initiated();
  await act(paymentId, 'cancel');
  return paymentId;
};
export const confirm = (
  paymentId: string,
  headers?: Headers,
  userId = unknownId,
): Promise<Answer> =>
  call(
    'POST',
    `/v1/integration-test/payments/${paymentId}/reserve`,
    { paymentSourceId: unknownId, userId },
    headers,
  );
export const refund = (about: object, headers?: Headers): Promise<Answer> =>
  call(
    'POST',
    '/v1/refunds',
    { amount: 500, idempotencyKey: systemIds.uuid(), reference: 'refund-7', ...about },
    headers,
  );
export const cancelByKey = (idempotencyKey: string, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/payments/cancel', { idempotencyKey }, headers);
export const state = async (paymentId: string): Promise<unknown> =>
  (await call('GET', `/v1/payments/${paymentId}`)).body?.['state'];
export const newPoint = async (): Promise<string> =>
  (await testEndpoint('create-payment-point', { merchantVat: 'DK90000028', name: 'Web shop' }))
    .body?.['paymentPointId'] as string;
export const user = (phoneNumber: string, balanceMinor: number) =>
  service.simulator.world.addPhone({ phoneNumber, balanceMinor });
export const hook = (about: object = {}): object => ({
  url: 'https://shop.example/hook',
  events: ['payment.reserved'],
  ...about,
});
export const createHook = (about: object = {}, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/webhooks', hook(about), headers);
export const hookId = async (about: object = {}): Promise<string> =>
  (await createHook(about)).body?.['webhookId'] as string;
export const key = systemIds.uuid();
