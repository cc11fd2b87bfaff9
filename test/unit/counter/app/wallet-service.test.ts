/** The wallet services that a counter's settings name, at an embedded service over HTTP. */
import { afterEach, expect, test } from 'vitest';
import {
  openWalletService,
  type WalletService,
} from '../../../../main/counter/app/wallet-service.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { ServiceMonitor } from '../../../../main/wallets/http/service-monitor.ts';

const system = { clock: systemClock, ids: systemIds, log: silentLog };
const till = { protocol: 'zvt', transport: 'tcp', port: 0 };
const lane = {
  id: 'K1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: { merchantPosId: 'till-1', name: 'Check-out 1' },
  till,
};
const settings = parseSettings(
  { wallet: { simulator: true, service: 'epayment' }, lanes: [lane] },
  {},
);
const money = { amountMinor: 12_550, currency: 'DKK' } as const;

let service: WalletService;
afterEach(() => service?.simulator?.stop());

test('with the ePayment service, a payment of another counter can be read, and what is left of it refunded', async () => {
  service = await openWalletService(
    settings,
    { ...system, serviceMonitor: new ServiceMonitor(system), recreations: null },
    null,
  );
  const { inUse, simulator } = service;
  const [here] = settings.lanes;
  if (here === undefined || simulator === null)
    throw new Error('the settings name a lane at an embedded service');
  const counter = inUse.counterOf(here);
  const orderId = 'K7-000042-0badcafe';
  expect(
    await counter.create({ ...money, flow: 'initiate', orderId, idempotencyKey: systemIds.uuid() }),
  ).toMatchObject({ kind: 'created' });
  await fetch(`${simulator.baseUrl}/simulator/epayment/approve`, {
    method: 'POST',
    body: JSON.stringify({ reference: orderId }),
  });
  expect(await counter.capture(orderId, money)).toEqual({ kind: 'done' });
  expect(await inUse.merchantPayments.captured({ orderId })).toEqual({
    kind: 'listed',
    paymentIds: [orderId],
  });
  expect(await inUse.merchantPayments.read(orderId, new Set())).toMatchObject({
    kind: 'captured',
    payment: { paymentId: orderId, ...money, refunds: [] },
  });
});
