import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LaneSnapshot } from '../../../../main/core/lane/snapshot.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { SettingsFile } from '../../../../main/counter/settings/settings-file.ts';
import { Recreations } from '../../../../main/counter/setup/recreation.ts';
import type { Counter } from '../../../../main/counter/app/counter.ts';
import type { OpenMoney } from '../../../../main/counter/app/open-money.ts';
import { CounterSupervisor } from '../../../../main/counter/app/counter-supervisor.ts';
import type { Restored } from '../../../../main/counter/backup/restored-folder.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settings = {
  wallet: { simulator: true },
  lanes: [
    {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: 'shop-1',
        storeId: '51050000-0000-4000-8000-000000000001',
        name: 'Check-out 1',
        beaconTypes: ['QR'],
      },
      till: { protocol: 'zvt', transport: 'tcp', port: 0 },
    },
  ],
};
const refunded = { refund: {}, outcome: { refunded: true } };

let folder: string;
let supervisor: CounterSupervisor;
let lane: {
  condition: object;
  isOpened: boolean;
  current: object | null;
  refund: object | null;
  isUndecided: boolean;
};
let opened: number;
let options: ConstructorParameters<typeof CounterSupervisor>[0];
let restored: { waiting: Restored | null };
let openMoney: OpenMoney[];
class LaneNow {
  readonly id = '1';
  get isOpened(): boolean {
    return lane.isOpened;
  }
  get isUndecided(): boolean {
    return lane.isUndecided;
  }
  snapshot(): LaneSnapshot {
    return lane as unknown as LaneSnapshot;
  }
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-supervisor-'));
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  const clock = new ManualClock();
  lane = {
    condition: { kind: 'open' },
    isOpened: true,
    current: null,
    refund: null,
    isUndecided: false,
  };
  opened = 0;
  openMoney = [];
  restored = { waiting: null };
  options = {
    source: new SettingsFile({
      path,
      dataFolder: folder,
      environment: {},
      safe: null,
      clock,
      log: silentLog,
    }),
    open: async (ready) => {
      opened += 1;
      return {
        settings: ready,
        lanes: [new LaneNow()],
        adjust: async () => false,
        close: async () => {},
      } as unknown as Counter;
    },
    openMoney: () => openMoney,
    restored,
    recreations: new Recreations(join(folder, 'recreations.json'), silentLog),
    clock,
    log: silentLog,
  };
  supervisor = new CounterSupervisor(options);
  await supervisor.start();
});
afterEach(async () => {
  await supervisor.close();
  rmSync(folder, { recursive: true, force: true });
});

const rename = () =>
  supervisor.change((inUse) => ({ ...(inUse as NonNullable<typeof inUse>), language: 'fi' }));

test('settings are not changed under a refund that is undecided, also while another one is shown that has ended', async () => {
  Object.assign(lane, { refund: refunded, isUndecided: true });
  await expect(rename()).rejects.toMatchObject({ code: 'busy', facts: { laneId: '1' } });
  lane.isUndecided = false;
  await rename();
  expect(opened).toBe(2);
});

test('nor while the service is away: what is undecided began when the lane was open', async () => {
  Object.assign(lane, {
    condition: { kind: 'notReady', reason: 'serviceUnreachable', detail: null, sinceMs: 0 },
    isUndecided: true,
  });
  await expect(rename()).rejects.toMatchObject({ code: 'busy' });
});

test('payments that a start cannot decide without the service do not prevent a correction of the settings', async () => {
  Object.assign(lane, {
    condition: { kind: 'notReady', reason: 'credentialsRefused', detail: null },
    isOpened: false,
    isUndecided: true,
  });
  await rename();
  expect(supervisor.settings).toMatchObject({ language: 'fi' });
});

test('a restored counter opens no lane until a manager confirms it, also after a change of the settings', async () => {
  await supervisor.close();
  restored = { waiting: { madeAtMs: 1, from: 'old', unsettled: 1 } };
  supervisor = new CounterSupervisor({ ...options, restored });
  opened = 0;
  await supervisor.start();
  await expect(rename()).rejects.toMatchObject({ code: 'notHere' });
  expect([opened, supervisor.counter]).toEqual([0, null]);
  restored.waiting = null;
  await supervisor.startRestored();
  // Sent again.
  await supervisor.startRestored();
  expect([opened, supervisor.counter?.lanes.length]).toEqual([1, 1]);
  await rename();
});

test('restored settings that cannot be opened here are reported, and the screens stay', async () => {
  await supervisor.close();
  restored = { waiting: { madeAtMs: 1, from: 'old', unsettled: 1 } };
  supervisor = new CounterSupervisor({
    ...options,
    restored,
    open: async () => Promise.reject(new Error('port 20007 is taken')),
  });
  await supervisor.start();
  restored.waiting = null;
  await supervisor.startRestored();
  expect(supervisor.fileState).toMatchObject({
    state: 'refused',
    mistakes: ['port 20007 is taken'],
  });
});

const v10 = {
  baseUrl: 'https://pos.example',
  authUrl: 'https://pos.example',
  clientId: 'x',
  clientSecret: 'y',
  merchantVat: 'DK12345678',
};
const epayment = {
  service: 'epayment',
  environment: 'production',
  country: 'DK',
  clientId: 'x',
  clientSecret: 'y',
  subscriptionKey: 'z',
  merchantSerialNumber: '1234567',
};
/**
 * The present lanes are given again by name, and the schema fills in the rest when they are
 * written.
 */
const use = (wallets: object) =>
  supervisor.change(
    (inUse) =>
      ({ lanes: (inUse as NonNullable<typeof inUse>).lanes, ...wallets }) as NonNullable<
        typeof inUse
      >,
  );

test('another service can be put in use while money is open at the one before, if that stays to settle it', async () => {
  await use({ wallet: v10 });
  openMoney = [{ laneId: '1', service: 'v10', count: 2 }];
  const unsettled = { code: 'unsettledMoney', facts: { laneId: '1', count: 2 } };
  await expect(use({ wallet: epayment })).rejects.toMatchObject(unsettled);
  await expect(
    use({ wallet: epayment, formerWallet: { ...v10, merchantVat: 'DK87654321' } }),
  ).rejects.toMatchObject(unsettled);
  await use({ wallet: epayment, formerWallet: v10 });
  await expect(use({ wallet: epayment })).rejects.toMatchObject(unsettled);
  openMoney = [{ laneId: '1', service: 'epayment', count: 1 }];
  await expect(
    use({ wallet: { ...epayment, merchantSerialNumber: '7654321' } }),
  ).rejects.toMatchObject({ code: 'unsettledMoney' });
  await use({ wallet: epayment });
});
