import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type HealthSources,
  lookAtHealth,
} from '../../../../../main/counter/manager/health/health.ts';
import { NoticeBoard } from '../../../../../main/counter/manager/health/notice-board.ts';
import { ServiceMonitor } from '../../../../../main/wallets/http/service-monitor.ts';
import type { JournalDamage } from '../../../../../main/core/journal/journal.ts';
import type { LaneSnapshot } from '../../../../../main/core/lane/snapshot.ts';
import type { HttpAnswer } from '../../../../../main/wallets/http/http.ts';
import { Health } from '../../../../../preload/procedures/health.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

let folder: string;
let clock: ManualClock;
let service: ServiceMonitor;
let lane: LaneSnapshot;
let notices: NoticeBoard;
let damage: JournalDamage | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-health-'));
  clock = new ManualClock();
  service = new ServiceMonitor({ clock, log: silentLog });
  notices = new NoticeBoard(clock);
  damage = null;
  lane = {
    laneId: '1',
    name: 'Check-out 1',
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
      heardAtMs: 4,
      sinceMs: 5,
      address: 'serial:/dev/ttyUSB0',
    },
    unsettled: [],
    takesReservations: false,
    reservations: [],
    journalDamage: null,
    tried: null,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const look = async (about: Partial<HealthSources> = {}): Promise<Health> =>
  Health.parse(
    await lookAtHealth({
      lanes: () => [lane],
      serviceKind: () => 'real',
      service,
      dataFolder: folder,
      journal: join(folder, 'journal.sqlite'),
      journalCondition: { damage, checkedMs: 77, show() {} },
      notices: () => notices.list(),
      version: '1.2.3',
      startedMs: 1,
      starts: () => ({ with: 'computer', system: 'linux' }),
      clock,
      ...about,
    }),
  );

/** Sends a request to the service with this result. */
async function asks(
  answer: Partial<HttpAnswer> | Error,
  authorization = 'Bearer t',
): Promise<void> {
  const send = service.watching(async () => {
    if (answer instanceof Error) throw answer;
    return { status: 200, retryAfterMs: null, body: '', ...answer };
  });
  await send(
    { method: 'GET', url: 'http://service', headers: { authorization }, body: null },
    new AbortController().signal,
  ).catch(() => undefined);
}

test.each([
  [61, { state: 'attention', code: 'ahead', seconds: 61 }],
  [-3_600, { state: 'attention', code: 'behind', seconds: 3_600 }],
  [60, undefined],
])(
  'a clock that is %i seconds ahead of the service’s is told as %o',
  async (seconds, clockHealth) => {
    await asks({ dateMs: clock.wallMs() - seconds * 1_000 });
    expect((await look()).clock).toEqual(clockHealth);
  },
);

describe('the wallet service', () => {
  test('is said to be what its last answer says, and since when', async () => {
    expect((await look()).service).toMatchObject({
      state: 'attention',
      code: 'notAsked',
      lastAnswerMs: null,
    });
    await asks({ status: 200 });
    await clock.pass(1_000);
    await asks({ status: 409 });
    expect((await look()).service).toMatchObject({
      state: 'ok',
      code: 'reachable',
      sinceMs: clock.startedAtMs,
      lastAnswerMs: clock.startedAtMs + 1_000,
    });
    await clock.pass(1_000);
    await asks(new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    await clock.pass(1_000);
    await asks({ status: 502 });
    expect((await look()).service).toMatchObject({
      state: 'attention',
      code: 'silent',
      sinceMs: clock.startedAtMs + 2_000,
      lastAnswerMs: clock.startedAtMs + 1_000,
      detail: 'status 502',
    });
    await asks({ status: 200 });
    expect((await look()).service).toMatchObject({
      state: 'ok',
      sinceMs: clock.startedAtMs + 3_000,
      detail: null,
    });
  });

  test.each([
    ['PROXY_407', 'proxyLogin'],
    ['PROXY_403', 'proxyRefused'],
    ['PROXY_AWAY_ECONNREFUSED', 'proxyAway'],
  ])('is not what fails when the proxy does: %s', async (errorCode, code) => {
    const proxy = new Error('fetch failed', {
      cause: Object.assign(new Error('of the proxy'), { code: errorCode }),
    });
    const stop = service.begin(() => asks(proxy));
    await asks(proxy);
    expect((await look()).service).toMatchObject({ state: 'attention', code, detail: errorCode });
    await clock.pass(6_000);
    expect((await look()).service).toMatchObject({ state: 'broken', code, detail: errorCode });
    stop();
  });

  test('is away only where the monitor says so, as the lanes do; its outages are listed', async () => {
    const stop = service.begin(() => asks(new Error('no route')));
    await asks(new Error('no route'));
    await clock.pass(6_000);
    expect((await look()).service).toMatchObject({
      state: 'broken',
      code: 'unreachable',
      sinceMs: clock.startedAtMs,
      outages: [{ fromMs: clock.startedAtMs, untilMs: null, detail: 'no route' }],
    });
    await asks({ status: 200 });
    expect((await look()).service).toMatchObject({
      state: 'ok',
      outages: [{ fromMs: clock.startedAtMs, untilMs: clock.startedAtMs + 6_000 }],
    });
    stop();
  });

  test('tells whether our credentials are good: by a 401, by the token endpoint’s no, and by what a lane was told', async () => {
    expect((await look()).credentials).toMatchObject({ code: 'notTried', state: 'attention' });
    await asks({ status: 200 });
    expect((await look()).credentials).toMatchObject({ code: 'accepted', state: 'ok' });
    await asks({ status: 409 });
    expect((await look()).credentials).toMatchObject({ code: 'accepted' });
    await asks({ status: 400 }, 'Basic x');
    expect((await look()).credentials).toMatchObject({ code: 'refused', state: 'broken' });
    await asks({ status: 200 });
    await asks({ status: 401 });
    expect((await look()).credentials).toMatchObject({ code: 'refused' });
    await asks({ status: 200 });
    lane = {
      ...lane,
      condition: { kind: 'notReady', reason: 'credentialsRefused', detail: 'invalid_client' },
    };
    expect((await look()).credentials).toMatchObject({ code: 'refused', detail: 'invalid_client' });
  });

  test('passes on what its caller sent and got, and what went wrong', async () => {
    const error = new Error('gone');
    const fails = service.watching(() => Promise.reject(error));
    await expect(
      fails(
        { method: 'GET', url: 'http://service', headers: {}, body: null },
        new AbortController().signal,
      ),
    ).rejects.toBe(error);
  });
});

describe('a lane', () => {
  test('is in order when it takes payments, and broken when a person must do something', async () => {
    expect((await look()).lanes).toEqual([
      { laneId: '1', laneName: 'Check-out 1', state: 'ok', code: 'open', detail: null },
    ]);
    lane = {
      ...lane,
      condition: { kind: 'notReady', reason: 'settlingOpenPayments', detail: null },
    };
    expect((await look()).lanes[0]).toMatchObject({ state: 'attention' });
    lane = {
      ...lane,
      condition: { kind: 'notReady', reason: 'pointOfSaleRefused', detail: '1312' },
    };
    expect((await look()).lanes[0]).toMatchObject({
      state: 'broken',
      code: 'pointOfSaleRefused',
      detail: '1312',
    });
  });

  test('has a till: a silent one is no fault on a network, and worth a look on a cable', async () => {
    expect((await look()).tills[0]).toEqual({
      laneId: '1',
      laneName: 'Check-out 1',
      state: 'ok',
      code: 'connected',
      address: 'serial:/dev/ttyUSB0',
      detail: null,
      sinceMs: 5,
      heardAtMs: 4,
    });
    lane = { ...lane, till: { ...lane.till, state: 'open' } };
    expect((await look()).tills[0]).toMatchObject({ state: 'attention', code: 'open' });
    lane = { ...lane, till: { ...lane.till, address: 'tcp:127.0.0.1:20007' } };
    expect((await look()).tills[0]).toMatchObject({ state: 'ok', code: 'open' });
    lane = { ...lane, till: { ...lane.till, state: 'absent', detail: 'no such port' } };
    expect((await look()).tills[0]).toMatchObject({ state: 'broken', detail: 'no such port' });
    lane = {
      ...lane,
      till: {
        ...lane.till,
        state: 'busy',
        detail: 'used by ModemManager',
        claimer: 'modemManager',
      },
    };
    expect((await look()).tills[0]).toMatchObject({
      state: 'broken',
      code: 'busy',
      claimer: 'modemManager',
    });
    for (const state of ['busy', 'failed'] as const) {
      lane = { ...lane, till: { ...lane.till, state } };
      expect((await look()).tills[0]).toMatchObject({ state: 'broken', code: state });
    }
  });

  test('has money that is not settled: broken where a person must act', async () => {
    const money = {
      kind: 'sale',
      saleId: '3d500000-0000-4000-8000-000000000001',
      orderId: '1-1',
      amountMinor: 100,
      currency: 'DKK',
      intent: 'capture',
      sinceMs: 1,
    } as const;
    lane = {
      ...lane,
      unsettled: [
        { ...money, known: 'moving', problem: null },
        { ...money, known: 'lost', problem: 'captureLost' },
      ],
    };
    expect((await look()).unsettled).toMatchObject([
      { state: 'attention', laneName: 'Check-out 1', money: { needsPerson: false } },
      { state: 'broken', money: { needsPerson: true, orderId: '1-1' } },
    ]);
  });
});

describe('the disk and the journal', () => {
  test('are measured', async () => {
    writeFileSync(join(folder, 'journal.sqlite'), 'x'.repeat(1_000));
    writeFileSync(join(folder, 'journal.sqlite-wal'), 'x'.repeat(500));
    const { disk, journal } = await look();
    expect(disk.freeBytes).toBeGreaterThan(0);
    expect(disk.totalBytes).toBeGreaterThanOrEqual(disk.freeBytes as number);
    expect(journal).toMatchObject({
      state: 'ok',
      code: 'whole',
      bytes: 1_500,
      reserve: false,
      checkedMs: 77,
    });
    writeFileSync(join(folder, 'journal.sqlite.reserve'), 'x');
    expect((await look()).journal.reserve).toBe(true);
  });

  test('are not guessed at: a folder that cannot be measured is unknown', async () => {
    expect((await look({ dataFolder: join(folder, 'gone') })).disk).toEqual({
      state: 'attention',
      code: 'unknown',
      freeBytes: null,
      totalBytes: null,
    });
  });

  test('say what damage became of', async () => {
    const met: JournalDamage = {
      atMs: 9,
      problem: 'a torn page',
      repaired: false,
      savedSales: 0,
      savedEvents: 0,
      unreadableEvents: 0,
      lost: [],
      keptAt: null,
    };
    damage = met;
    expect((await look()).journal).toMatchObject({
      state: 'broken',
      code: 'damaged',
      detail: 'a torn page',
      damagedMs: 9,
    });
    damage = { ...met, repaired: true };
    expect((await look()).journal).toMatchObject({ state: 'attention', code: 'repaired' });
    damage = { ...met, repaired: true, lost: [{}] as never };
    expect((await look()).journal).toMatchObject({
      state: 'attention',
      code: 'salesLost',
      lostSales: 1,
    });
    lane = {
      ...lane,
      condition: { kind: 'notReady', reason: 'storageFailed', detail: 'disk full' },
    };
    expect((await look()).journal).toMatchObject({
      state: 'broken',
      code: 'cannotWrite',
      detail: 'disk full',
    });
  });
});

test('a counter that is not set up says so, and what runs there', async () => {
  const health = await look({ lanes: () => null });
  expect(health).toMatchObject({
    service: { code: 'notSetUp' },
    lanes: [],
    tills: [],
    software: { version: '1.2.3', node: process.versions.node, startedMs: 1 },
  });
});

describe('notices', () => {
  test('are counted by what they are about, newest first, and end when they are settled or a day old', async () => {
    notices.raise({ code: 'tillStranger', subject: '192.168.1.7', detail: 'GET / HTTP/1.1' });
    await clock.pass(1_000);
    notices.raise({
      code: 'fileReadable',
      subject: '/x/settings.json',
      detail: 'chmod 600 /x/settings.json',
    });
    notices.raise({ code: 'tillStranger', subject: '192.168.1.7', detail: null });
    const { startedAtMs } = clock;
    expect((await look()).notices).toEqual([
      {
        state: 'attention',
        code: 'tillStranger',
        subject: '192.168.1.7',
        detail: null,
        count: 2,
        firstMs: startedAtMs,
        lastMs: startedAtMs + 1_000,
      },
      expect.objectContaining({
        code: 'fileReadable',
        detail: 'chmod 600 /x/settings.json',
        count: 1,
      }),
    ]);
    notices.settle('fileReadable', '/x/settings.json');
    expect((await look()).notices.map(({ code }) => code)).toEqual(['tillStranger']);
    await clock.pass(24 * 60 * 60_000 + 1);
    expect((await look()).notices).toEqual([]);
  });

  test('are at most fifty in total', async () => {
    for (let each = 0; each < 500; each += 1)
      notices.raise({
        code: 'tillStranger',
        subject: `10.0.0.${each}`,
        detail: 'x'.repeat(10_000),
      });
    const { notices: shown } = await look();
    expect(shown).toHaveLength(50);
    expect(shown[0]).toMatchObject({ subject: '10.0.0.499', detail: 'x'.repeat(500) });
  });
});

test('updates are shown when the counter updates itself', async () => {
  expect(await look({ update: () => null })).not.toHaveProperty('update');
  const of = async (state: 'waiting' | 'takenBack') =>
    (await look({ update: () => ({ state, version: '1.3.0', detail: null }) })).update;
  expect(await of('waiting')).toEqual({
    state: 'ok',
    code: 'waiting',
    version: '1.3.0',
    detail: null,
  });
  expect(await of('takenBack')).toMatchObject({ state: 'attention', code: 'takenBack' });
});

test('a clock that shows what cannot be is broken, whatever the service said before', async () => {
  expect((await look({ isTimeKnown: () => false })).clock).toEqual({
    state: 'broken',
    code: 'wrong',
    seconds: null,
  });
  expect((await look()).clock).toBeUndefined();
});

test.each([
  ['computer', 'linux', 'real', { state: 'ok', with: 'computer', system: 'linux' }],
  ['nothing', 'linux', 'real', { state: 'attention', with: 'nothing', system: 'linux' }],
  ['nothing', 'other', 'test', { state: 'attention', with: 'nothing', system: 'other' }],
  ['nothing', 'linux', 'simulated', undefined],
  ['nothing', 'windows', 'real', { state: 'attention', with: 'nothing', system: 'windows' }],
  ['nothing', 'windows', 'simulated', undefined],
] as const)(
  'what starts Tillbeacon is told where it is known: %s on %s, with a service that is %s',
  async (found, system, kind, told) => {
    expect(
      (await look({ starts: () => ({ with: found, system }), serviceKind: () => kind })).starts,
    ).toEqual(told);
  },
);
