/**
 * The typed client of the point-of-sale interface against the simulator: every operation, amounts
 * in minor units.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { integratorAccess } from '../../../../main/wallets/v10/v10-access.ts';
import { type Client, clientOf } from '../../../../main/wallets/v10/typed-client.ts';
import { fetchHttp, type HttpRequest } from '../../../../main/wallets/http/http.ts';
import {
  pointOfSaleOperations,
  sandboxOperations,
} from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { Service } from '../../sandbox/simulator/support.ts';

const all = [...pointOfSaleOperations, ...sandboxOperations] as const;
const phoneNumber = '+4520031805';
const money = {
  amount: minorUnits(1250),
  currencyCode: 'DKK',
  plannedCaptureDelay: 'None',
} as const;
const profile = profileNamed('generic');

let service: Service;
let sent: HttpRequest[];
let client: Client<typeof all>;
let keys = 0;
const key = () => ({ idempotencyKey: `key-${(keys += 1)}` });

describe.each(['merchant', 'integrator'] as const)('with a token for the %s', (tokenFor) => {
  beforeEach(async () => {
    service = await new Service().start();
    sent = [];
    const { baseUrl, authUrl, credentials } = service.simulator;
    const network = {
      clock: service.clock,
      send: (request: HttpRequest, signal: AbortSignal) => {
        sent.push(request);
        return fetchHttp(request, signal);
      },
    };
    const access = integratorAccess({
      ...network,
      authUrl,
      credentials,
      tokenFor,
      clientVersion: '1.2.3',
      profile,
    });
    client = clientOf(new Transport({ ...network, baseUrl, access, profile, log: silentLog }), all);
  });
  afterEach(() => service.simulator.stop());

  test('every operation does what it says', async () => {
    const called = new Set<string>();
    const c = new Proxy(client, {
      get: (target, name) => (called.add(name as string), target[name as keyof typeof target]),
    });

    const [storeId] = (await c.listStoreIds({ query: {} })).storeIds as [string];
    expect((await c.listStores({ query: {} })).map((store) => store.storeId)).toContain(storeId);
    expect(await c.getStore({ storeId })).toMatchObject({ storeId, storeName: 'Shop 1' });

    const about = {
      merchantPosId: 'lane-1',
      storeId,
      name: 'Check-out 1',
      supportedBeaconTypes: ['QR' as const],
    };
    const { posId } = await c.createPointOfSale({ body: about }, key());
    expect(await c.listPointsOfSale({ query: { merchantPosId: 'lane-1' } })).toEqual({
      posIds: [posId],
    });
    const beaconId = (await c.getPointOfSale({ posId })).beaconId as string;

    const first = await c.initiatePayment({ body: { posId, orderId: 'order-1', ...money } }, key());
    expect(await c.lookUpCheckIn({ posId })).toMatchObject({ isUserCheckedIn: false });
    await c.simulateCheckIn({ body: { beaconId, phoneNumber } });
    await c.simulateAcceptPayment({ body: { beaconId, phoneNumber } });
    expect(await c.getPayment(first)).toMatchObject({
      status: 'Reserved',
      amount: 1250,
      partialCapturePossible: true,
    });
    expect(await c.listPayments({ query: { posId } })).toEqual({ paymentIds: [first.paymentId] });
    await c.capturePayment({ ...first, body: { amount: minorUnits(1249) } });
    expect(service.simulator.world.payments.get(first.paymentId)?.capturedMinor).toBe(1249);

    const refund = {
      ...first,
      refundOrderId: 'refund-1',
      amount: minorUnits(1),
      currencyCode: 'DKK' as const,
    };
    const paidOut = await c.createRefund({ body: refund }, key());
    expect(await c.getRefund(paidOut)).toMatchObject({ status: 'Reserved', amount: 1 });
    await c.captureRefund(paidOut);
    const regretted = await c.createRefund({ body: refund }, key());
    await c.cancelRefund(regretted);
    expect(await c.listRefunds({ query: first })).toEqual({
      refundIds: [paidOut.refundId, regretted.refundId],
    });

    const prepared = await c.preparePayment({ body: { posId, orderId: 'order-2' } }, key());
    await c.simulateCheckIn({ body: { beaconId, phoneNumber } });
    await c.readyPayment({ ...prepared, body: money });
    await c.simulateCancelPaymentByUser({ body: { beaconId } });
    expect(await c.getPayment(prepared)).toMatchObject({ status: 'CancelledByUser' });
    const third = await c.initiatePayment({ body: { posId, orderId: 'order-3', ...money } }, key());
    await c.cancelPayment(third);
    await c.deletePointOfSale({ posId });
    await expect(c.getPointOfSale({ posId })).rejects.toMatchObject({
      name: 'ServiceRefusedError',
      status: 404,
      code: null,
    });

    expect([...called].toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  });

  test('the token is asked for accordingly, and every call names the merchant', async () => {
    await client.listStoreIds({ query: {} });
    const [token, call] = sent as [HttpRequest, HttpRequest];
    expect(token.body).toBe(
      tokenFor === 'merchant'
        ? 'grant_type=client_credentials&merchant_vat=DK90000028'
        : 'grant_type=client_credentials',
    );
    expect(call.headers).toMatchObject({
      'X-Service-Merchant-VAT-Number': 'DK90000028',
      'X-Service-Client-System-Version': '1.2.3',
    });
  });
});
