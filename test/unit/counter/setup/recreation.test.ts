import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Recreations } from '../../../../main/counter/setup/recreation.ts';
import { createPointOfSaleClient } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import type { PointOfSaleClient } from '../../../../main/core/lane/wallet-port.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { type Bench, openBench, phone } from '../../wallets/v10/v10-support.ts';

const merchantPosId = 'shop-1-lane-1';
const profile = profileNamed('generic');

let bench: Bench;
let path: string;
let folder: string;
beforeEach(async () => {
  bench = await openBench();
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-recreation-'));
  path = join(folder, 'recreations.json');
});
afterEach(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});
/** Starts as after a restart: only what is on disk is known. */
const renamed = (transport = bench.transport): PointOfSaleClient => {
  const settings = {
    merchantPosId,
    storeId: bench.simulator.storeIds[0] as string,
    name: 'Kasse 7',
    beaconTypes: ['QR'] as const,
    beaconId: null,
  };
  const wallet = createPointOfSaleClient({
    transport,
    profile,
    settings,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
  });
  return new Recreations(path, silentLog).around(wallet, { transport, profile, merchantPosId });
};
const opened = async (wallet: PointOfSaleClient): Promise<string> => {
  const answer = await wallet.open();
  if (answer.kind !== 'open') throw new Error(JSON.stringify(answer));
  return answer.posId;
};
const pointsOfSale = () =>
  [...bench.simulator.world.pointsOfSale.values()].map(({ posId, name, deleted }) => ({
    posId,
    name,
    deleted,
  }));

describe('a point of sale whose name has changed', () => {
  let old: string;
  beforeEach(async () => {
    old = await opened(bench.counter);
  });
  const intend = (): void => new Recreations(path, silentLog).intend({ merchantPosId, posId: old });

  test('is used as it is as long as nobody has decided', async () => {
    expect(await opened(renamed())).toBe(old);
  });

  test('is deleted and created anew when its lane opens, once', async () => {
    intend();
    const fresh = await opened(renamed());
    expect(pointsOfSale()).toEqual([
      { posId: old, name: 'Check-out 1', deleted: true },
      { posId: fresh, name: 'Kasse 7', deleted: false },
    ]);
    expect(await opened(renamed())).toBe(fresh);
    expect(new Recreations(path, silentLog).has(merchantPosId)).toBe(false);
  });

  test('is created after a crash between the two', async () => {
    intend();
    bench.simulator.faults.add({ operation: 'createPointOfSale', kind: 'status500', times: 6 });
    expect((await renamed().open()).kind).toBe('unreachable');
    const fresh = await opened(renamed());
    expect(fresh).not.toBe(old);
    expect(pointsOfSale().filter(({ deleted }) => !deleted)).toHaveLength(1);
  });

  test('is not deleted twice after a crash before that was noted', async () => {
    intend();
    const fresh = await opened(renamed());
    intend();
    expect(await opened(renamed())).toBe(fresh);
  });

  test('is deleted later when the service does not answer', async () => {
    intend();
    bench.simulator.faults.add({ operation: 'deletePointOfSale', kind: 'status500', times: 6 });
    expect((await renamed().open()).kind).toBe('unreachable');
    expect(await opened(renamed())).not.toBe(old);
  });

  test('stays as long as money is reserved at it, so that its lane can settle it', async () => {
    const payment = await bench.counter.create({
      flow: 'initiate',
      orderId: 'order-1',
      idempotencyKey: 'key-1',
      amountMinor: 500,
      currency: 'DKK',
    });
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    bench.simulator.phone('accept', bench.beaconId(), phone);
    intend();
    const again = renamed();
    expect(await opened(again)).toBe(old);
    if (payment.kind === 'created')
      await again.capture(payment.paymentId, { amountMinor: 500, currency: 'DKK' });
    expect(await opened(renamed())).not.toBe(old);
  });

  test('takes the payment along that nobody waits for', async () => {
    await bench.counter.create({
      flow: 'initiate',
      orderId: 'order-1',
      idempotencyKey: 'key-1',
      amountMinor: 500,
      currency: 'DKK',
    });
    intend();
    expect(await opened(renamed())).not.toBe(old);
    expect([...bench.simulator.world.payments.values()].map(({ status }) => status)).toEqual([
      'CancelledByClient',
    ]);
  });
});
