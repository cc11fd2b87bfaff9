import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import type { ServicePayment, ServiceRefund } from '../support/counter.ts';
import { cheapPins } from '../support/first-manager.ts';
import { type DaemonReady, Product, until } from '../support/processes.ts';

const laneOf = (id: string, storeId: string) => ({
  id,
  name: `Check-out ${id}`,
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: `lane-${id}`,
    storeId,
    name: `Check-out ${id}`,
    beaconTypes: ['QR'],
  },
  till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
});
const first = laneOf('1', '51070000-0000-4000-8000-000000000001');
const second = laneOf('2', '51070000-0000-4000-8000-000000000002');

let folder: string;
let daemon: Product;
let service: string;
let till: Register;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-embedded-'));
  cheapPins(join(folder, 'data'));
  await start([first]);
});
afterEach(async () => {
  await till.close();
  await daemon.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const settingsPath = (): string => join(folder, 'settings.json');
const writeSettings = (lanes: readonly object[]): void =>
  writeFileSync(settingsPath(), JSON.stringify({ wallet: { simulator: true }, lanes }), {
    mode: 0o600,
  });

/** Starts the daemon, and a till at its first lane. */
async function start(lanes: readonly object[]): Promise<void> {
  writeSettings(lanes);
  daemon = new Product('daemon', [
    '--settings',
    settingsPath(),
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
  ]);
  const started = await daemon.ready<DaemonReady & { readonly simulator: string }>();
  service = started.simulator;
  till = await Register.overTcp({
    host: '127.0.0.1',
    port: Number(started.lanes[0]?.till.split(':')[2]),
  });
  await till.register({ currency: 'DKK', config: 0 });
}

async function restart(lanes: readonly object[] = [first]): Promise<void> {
  await daemon.end('SIGKILL');
  await till.close();
  await start(lanes);
}

const post = (endpoint: string, body: object): Promise<Response> =>
  fetch(`${service}/simulator/${endpoint}`, { method: 'POST', body: JSON.stringify(body) });
const state = async () =>
  (await (await fetch(`${service}/simulator/state`)).json()) as {
    payments: ServicePayment[];
    refunds: ServiceRefund[];
    pointsOfSale: { posId: string; beaconId: string }[];
    violations: object;
  };

/** @returns what the till was told, once the customer has paid */
async function pay(amountMinor: number) {
  const before = (await state()).payments.length;
  const payment = till.pay(amountMinor, 'DKK');
  await until(async () => (await state()).payments.length > before, 'the payment');
  const { payments, pointsOfSale } = await state();
  const at = pointsOfSale.find(({ posId }) => posId === payments.at(-1)?.posId);
  const customer = { beaconId: at?.beaconId, phoneNumber: '+4520031801' };
  expect(await post('phone/checkin', customer)).toMatchObject({ status: 200 });
  expect(await post('phone/accept', customer)).toMatchObject({ status: 200 });
  return payment;
}

test('the embedded service remembers: what was unsettled at a kill is settled after it, and what was paid the day before can be refunded', async () => {
  expect(await pay(500)).toMatchObject({ ended: { by: 'completion' } });
  await until(async () => (await state()).payments[0]?.status === 'Captured', 'the capture');
  await post('clock', { advanceMs: 24 * 60 * 60 * 1000 });
  await post('faults', { operation: 'capturePayment', kind: 'timeoutBefore', times: 100 });
  expect(await pay(700)).toMatchObject({ ended: { by: 'completion' } });
  expect((await state()).payments).toMatchObject([{ status: 'Captured' }, { status: 'Reserved' }]);
  // The third customer has not approved the payment yet.
  const third = till.pay(900, 'DKK').catch(() => {});
  await until(async () => (await state()).payments.length === 3, 'the third payment');

  await restart();
  await third;
  const settled = [
    { amount: 5, status: 'Captured', captureCount: 1 },
    { amount: 7, status: 'Captured', captureCount: 1 },
    { amount: 9, status: 'CancelledByClient', captureCount: 0 },
  ];
  await expect.poll(async () => (await state()).payments).toMatchObject(settled);
  expect(await till.reverse(1)).toMatchObject({ ended: { by: 'completion' } });
  await expect.poll(state).toMatchObject({
    refunds: [{ amount: 5, status: 'Captured' }],
    violations: { earlyPolls: 0, keyReuse: 0 },
  });

  // A lane of another store comes while the daemon runs, and is before the first one at the next
  // start: all else is as it was.
  writeSettings([first, second]);
  await daemon.logs('the settings file was changed and is in use');
  await restart([second, first]);
  await restart([first]);
  expect((await state()).payments).toMatchObject(settled);
  expect(await till.reverse(2)).toMatchObject({ ended: { by: 'completion' } });
  await restart([second]);
  expect((await state()).payments).toMatchObject(settled);
  expect(await pay(300)).toMatchObject({ ended: { by: 'completion' } });
});
