import { connect, createServer, type Socket } from 'node:net';
import { afterEach, test } from 'vitest';
import { openTestCounter } from '../../../main/app/test-counter.ts';
import { systemClock } from '../../../main/domain/clock.ts';
import { systemIds } from '../../../main/domain/ids.ts';
import { listeningPort } from '../../../main/domain/listening-port.ts';
import { silentLog } from '../../../main/domain/log.ts';
import { Lane } from '../../../main/settings/schema.ts';
import type { TestCounter } from '../../../main/setup/setup-host.ts';
import { until } from '../../support/processes.ts';

let counter: TestCounter | undefined;
let till: Socket | undefined;
afterEach(async () => {
  till?.destroy();
  await counter?.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = listeningPort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('the customer of a test payment is played for a till of Concert too', async () => {
  const port = await freePort();
  const pointOfSale = { merchantPosId: 'shop-1', storeId: '5a1e0000-0000-4000-8000-000000000010', name: 'Kasse 1', beaconTypes: ['QR'] };
  const lane = Lane.parse({ id: '1', name: 'Kasse 1', currency: 'DKK', pointOfSale, till: { protocol: 'concert', transport: 'tcp', port } });
  const opened = await openTestCounter(lane, () => {}, { clock: systemClock, ids: systemIds, log: silentLog });
  counter = opened;
  const isAt = (step: string) => until(() => opened.progress()?.step === step, `${step}, not ${opened.progress()?.step}`, 5_000);
  let heard = '';
  till = connect(port, '127.0.0.1', () => till?.write('CZ0040300CJ012330538600012CA00201CB003100CD0010CE003208'));
  till.on('data', (bytes) => {
    heard += bytes.toString('latin1');
  });
  await isAt('waitingForCustomer');
  await opened.scan();
  await isAt('approveInApp');
  await opened.approve();
  await isAt('paid');
  await until(() => heard.includes('AE00210'), 'the answer');
  await until(() => opened.isCaptured(), 'the capture');
});

test('of the ePayment service, a test payment is approved by its own code', async () => {
  const pointOfSale = { merchantPosId: 'till-1', name: 'Kasse 1' };
  const lane = Lane.parse({ id: '1', name: 'Kasse 1', currency: 'DKK', pointOfSale, till: { protocol: 'zvt', transport: 'tcp', port: 0 } });
  const opened = await openTestCounter(lane, () => {}, { clock: systemClock, ids: systemIds, log: silentLog });
  counter = opened;
  await opened.pay(1_250);
  await until(
    async () =>
      await opened.scan().then(
        () => true,
        () => false,
      ),
    'the code',
    5_000,
  );
  await opened.approve();
  await until(() => opened.progress()?.step === 'paid', 'paid', 5_000);
  await until(() => opened.isCaptured(), 'the capture');
});
