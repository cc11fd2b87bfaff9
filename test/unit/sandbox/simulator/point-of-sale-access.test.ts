/** Access to other merchants' data, and bodies of requests. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
});
afterEach(() => service.simulator.stop());

describe('other people’s property', () => {
  test('is refused with the code of the operation', async () => {
    const { world } = service.simulator;
    world.clients.set('other', {
      clientId: 'other',
      clientSecret: 'secret',
      integratorId: 'another integrator',
    });
    world.addStore({ storeId: 'aaaaaaaa-0000-4000-8000-000000000001', merchantVat: 'DK22222222' });
    const paymentId = await service.initiated();
    const as = async (form: string, basic?: string): Promise<Record<string, string>> => ({
      authorization: `Bearer ${String((await service.token(form, basic)).body?.['access_token'])}`,
    });
    const otherMerchant = await as('grant_type=client_credentials&merchant_vat=DK22222222');
    const otherIntegrator = await as(
      'grant_type=client_credentials&merchant_vat=DK90000028',
      'other:secret',
    );
    const code = async (
      headers: Record<string, string>,
      method: string,
      path: string,
      body?: object,
    ): Promise<unknown> => (await service.call(method, path, body, headers)).code;
    expect(await code(otherMerchant, 'GET', `/v10/payments/${paymentId}`)).toBe('1411');
    expect(await code(otherMerchant, 'POST', `/v10/payments/${paymentId}/cancel`)).toBe('1408');
    expect(
      await code(otherMerchant, 'POST', `/v10/payments/${paymentId}/capture`, { amount: 1 }),
    ).toBe('1407');
    expect(
      await code(otherMerchant, 'POST', `/v10/payments/${paymentId}/ready`, service.terms()),
    ).toBe('1406');
    expect(await code(otherMerchant, 'GET', `/v10/pointofsales/${service.pos.posId}`)).toBe('1410');
    expect(await code(otherMerchant, 'DELETE', `/v10/pointofsales/${service.pos.posId}`)).toBe(
      '1409',
    );
    expect(await code(otherIntegrator, 'GET', `/v10/payments/${paymentId}`)).toBe('1401');
    expect(await code(otherIntegrator, 'GET', `/v10/pointofsales/${service.pos.posId}`)).toBe(
      '1400',
    );
    expect(
      (
        await service.call(
          'GET',
          '/v10/pointofsales?merchantPosId=lane-1',
          undefined,
          otherIntegrator,
        )
      ).body,
    ).toEqual({ posIds: [] });
  });
});

describe('a body', () => {
  test('that is longer than any request is refused, and the next one is served', async () => {
    expect((await service.initiate({ orderId: 'x'.repeat(5 * 1024 * 1024) })).status).toBe(413);
    expect((await service.initiate()).status).toBe(200);
  });

  test('whose client hangs up does no harm', async () => {
    const { hostname, port } = new URL(service.simulator.baseUrl);
    const gone = connect(Number(port), hostname);
    await once(gone, 'connect');
    gone.write('POST /v10/payments HTTP/1.1\r\nhost: shop\r\ncontent-length: 100\r\n\r\n{"posId":');
    gone.resetAndDestroy();
    expect((await service.initiate()).status).toBe(200);
  });
});
