import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { LaneSnapshot } from '../../../../main/core/lane/snapshot.ts';
import { Monitoring } from '../../../../main/counter/monitoring/monitoring.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let lanes: LaneSnapshot[] | null;
let monitoring: Monitoring;
let update: { readonly state: string } | null;
let isRestored: boolean;
let clockOffSeconds: number | null;

const unsettled = (
  amountMinor: number,
  secondsAgo: number,
  problem: 'captureLost' | null = null,
): LaneSnapshot['unsettled'][number] => ({
  kind: 'sale',
  saleId: 'a-sale',
  orderId: 'an-order',
  intent: 'capture',
  known: 'moving',
  problem,
  amountMinor,
  currency: 'DKK',
  sinceMs: clock.wallMs() - secondsAgo * 1_000,
});
const lane = (laneId: string, about: Partial<LaneSnapshot> = {}): LaneSnapshot => ({
  laneId,
  name: 'Check-out',
  currency: 'DKK',
  condition: { kind: 'open' },
  current: null,
  result: null,
  recent: [],
  refund: null,
  beacons: ['QR'],
  qr: null,
  checkIn: null,
  till: {
    state: 'connected',
    detail: null,
    heardAtMs: null,
    sinceMs: 0,
    address: 'tcp:127.0.0.1:20007',
  },
  unsettled: [],
  tried: null,
  journalDamage: null,
  takesReservations: false,
  reservations: [],
  ...about,
});

beforeEach(() => {
  clock = new ManualClock();
  lanes = null;
  [update, isRestored, clockOffSeconds] = [null, false, null];
  monitoring = new Monitoring({
    lanes: () =>
      lanes?.map((snapshot) => ({ condition: snapshot.condition, snapshot: () => snapshot })) ??
      null,
    service: {
      awaySinceMs: null,
      get clockOffSeconds() {
        return clockOffSeconds;
      },
    },
    traces: () => null,
    update: () => update,
    isRestored: () => isRestored,
    dataFolder: '/nowhere',
    journal: import.meta.filename,
    version: '1.2.3',
    clock,
    log: silentLog,
  });
});
afterEach(() => monitoring.close());

const page = async (): Promise<string> => {
  await clock.pass(1_000);
  return monitoring.pages.metrics();
};

test('a counter that is not set up is not ready, and its metrics can be read', async () => {
  expect(monitoring.readiness()).toEqual({ isReady: false, words: 'not set up' });
  expect(await page()).toContain('\ntillbeacon_ready 0\n');
  expect(await page()).not.toContain('\ntillbeacon_disk_free_bytes ');
});

test('unsettled money is reported in minor units, with the age of the oldest and how many need a person', async () => {
  lanes = [
    lane('1', { unsettled: [unsettled(1_234, 60), unsettled(500, 600, 'captureLost')] }),
    lane('2'),
  ];
  const metricsText = await page();
  expect(metricsText).toContain('tillbeacon_unsettled{lane="1"} 2\n');
  expect(metricsText).toContain('tillbeacon_unsettled_minor_units{lane="1",currency="DKK"} 1734\n');
  expect(metricsText).toContain('tillbeacon_unsettled_oldest_seconds{lane="1"} 601\n');
  expect(metricsText).toContain('tillbeacon_unsettled_needs_person{lane="1"} 1\n');
  expect(metricsText).toContain('tillbeacon_unsettled_oldest_seconds{lane="2"} 0\n');
});

test('the clock difference is reported once the service has sent its time', async () => {
  expect(await page()).not.toContain('\ntillbeacon_clock_off_seconds ');
  clockOffSeconds = -90;
  expect(await page()).toContain('\ntillbeacon_clock_off_seconds -90\n');
});

test('a lane that is gone from the settings is gone from the page', async () => {
  lanes = [
    lane('1'),
    lane('2', { condition: { kind: 'notReady', reason: 'tillPortFailed', detail: null } }),
  ];
  expect(await page()).toContain('tillbeacon_lane_takes_payments{lane="2"} 0\n');
  lanes = [lane('1')];
  expect(await page()).not.toContain('lane="2"');
});

test('polls, requests and errors are counted by operation', async () => {
  monitoring.serviceCalled({ operation: 'getPayment', polled: true, result: 'answered', ms: 40 });
  monitoring.serviceCalled({
    operation: 'capturePayment',
    polled: false,
    result: 'failed',
    ms: 700,
  });
  const metricsText = await page();
  expect(metricsText).toContain('tillbeacon_polls_total{operation="getPayment"} 1\n');
  expect(metricsText).not.toContain('tillbeacon_polls_total{operation="capturePayment"}');
  expect(metricsText).toContain(
    'tillbeacon_service_errors_total{operation="capturePayment",error="failed"} 1\n',
  );
  expect(metricsText).toContain(
    'tillbeacon_service_request_seconds_sum{operation="capturePayment"} 0.7\n',
  );
});

test('a counter that was restored says what it waits for', () => {
  lanes = [lane('1')];
  isRestored = true;
  expect(monitoring.readiness()).toEqual({
    isReady: false,
    words: expect.stringMatching(/^restored from a backup/),
  });
  isRestored = false;
  expect(monitoring.readiness().isReady).toBe(true);
});

test('updates are reported when the daemon updates itself', async () => {
  expect(await page()).not.toMatch(/^tillbeacon_update_waiting \d/m);
  update = { state: 'waiting' };
  expect(await page()).toMatch(/^tillbeacon_update_waiting 1$[^]*^tillbeacon_update_failed 0$/m);
  for (const state of ['takenBack', 'failed']) {
    update = { state };
    expect(await page(), state).toMatch(
      /^tillbeacon_update_waiting 0$[^]*^tillbeacon_update_failed 1$/m,
    );
  }
});
