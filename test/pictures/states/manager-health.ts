import { unsettledMoney } from '../../support/cashier-states.ts';
import { noticeCodes } from '../../../main/core/domain/notices.ts';
import type { Health } from '../../../preload/procedures/health.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { never, nowMs } from '../stage.ts';
import { dayMs, hourMs, minuteMs, managerScene, refuses } from './manager-shared.ts';
import type { State } from './state.ts';

export const well: Health = {
  atMs: nowMs,
  service: {
    state: 'ok',
    code: 'reachable',
    sinceMs: nowMs - 5 * hourMs,
    lastAnswerMs: nowMs - 12_000,
    detail: null,
    outages: [],
    kind: 'real',
  },
  credentials: { state: 'ok', code: 'accepted', detail: null },
  lanes: [{ state: 'ok', code: 'open', laneId: '1', laneName: 'Check-out 1', detail: null }],
  tills: [
    {
      state: 'ok',
      code: 'connected',
      laneId: '1',
      laneName: 'Check-out 1',
      address: 'serial:/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0',
      detail: null,
      sinceMs: nowMs - 5 * hourMs,
      heardAtMs: null,
    },
  ],
  disk: { state: 'ok', code: 'enough', freeBytes: 182_000_000_000, totalBytes: 256_000_000_000 },
  journal: {
    state: 'ok',
    code: 'whole',
    bytes: 18_400_000,
    reserve: true,
    checkedMs: nowMs - 5 * hourMs,
    damagedMs: null,
    lostSales: 0,
    detail: null,
  },
  software: {
    state: 'ok',
    code: 'running',
    version: '0.1.0',
    node: '24.21.0',
    electron: '45.4.1',
    platform: 'linux x64 6.18',
    startedMs: nowMs - 5 * hourMs,
    memoryBytes: 141_000_000,
  },
  notices: [],
  unsettled: [],
};
const lanes = (
  code: Health['lanes'][number]['code'],
  state: Health['lanes'][number]['state'],
): Health['lanes'] => [
  {
    state,
    code,
    laneId: '1',
    laneName: 'Check-out 1',
    detail: 'EACCES: permission denied, open /dev/ttyUSB0',
  },
];

const twoLanes: Pick<Health, 'lanes' | 'tills'> = {
  lanes: [
    ...well.lanes,
    { state: 'ok', code: 'open', laneId: '2', laneName: 'Garden shop', detail: null },
  ],
  tills: [
    ...well.tills.map((till) => ({ ...till, state: 'attention' as const, code: 'open' as const })),
    {
      state: 'ok',
      code: 'open',
      laneId: '2',
      laneName: 'Garden shop',
      address: 'http:2',
      detail: null,
      sinceMs: nowMs - hourMs,
      heardAtMs: null,
    },
  ],
};

const attention: Health = {
  ...well,
  service: {
    ...well.service,
    state: 'attention',
    code: 'notAsked',
    sinceMs: null,
    lastAnswerMs: null,
    kind: 'simulated',
  },
  credentials: { state: 'attention', code: 'notTried', detail: null },
  lanes: lanes('starting', 'attention'),
  tills: well.tills.map((till) => ({ ...till, state: 'attention', code: 'open' })),
  disk: { state: 'attention', code: 'low', freeBytes: 900_000_000, totalBytes: 256_000_000_000 },
  journal: {
    ...well.journal,
    state: 'attention',
    code: 'salesLost',
    damagedMs: nowMs - dayMs,
    lostSales: 3,
    detail: 'row 4711: the seal is broken',
  },
  unsettled: unsettledMoney(nowMs).map((money) => ({
    state: 'attention',
    laneId: '1',
    laneName: 'Check-out 1',
    money,
  })),
};
const watched: Health = {
  ...well,
  notices: well.notices.concat(
    noticeCodes.map((code, index) => ({
      state: 'attention' as const,
      code,
      subject: code === 'fileReadable' ? '/var/lib/tillbeacon/settings.json' : '127.0.0.1',
      detail: code === 'fileReadable' ? 'chmod 600 /var/lib/tillbeacon/settings.json' : null,
      count: 1 + index * 40,
      firstMs: nowMs - dayMs / 2,
      lastMs: nowMs - (index + 1) * minuteMs,
    })),
  ),
};
const broken: Health = {
  ...well,
  service: {
    ...well.service,
    state: 'broken',
    code: 'unreachable',
    sinceMs: nowMs - 29 * minuteMs,
    lastAnswerMs: nowMs - 29 * minuteMs,
    detail: 'ECONNREFUSED 127.0.0.1:443',
    outages: [
      {
        fromMs: nowMs - 3 * hourMs,
        untilMs: nowMs - 3 * hourMs + 8 * minuteMs,
        detail: 'no answer within 2000 ms',
      },
      { fromMs: nowMs - 29 * minuteMs, untilMs: null, detail: 'ECONNREFUSED 127.0.0.1:443' },
    ],
  },
  credentials: { state: 'broken', code: 'refused', detail: '401 invalid_client' },
  lanes: [
    ...lanes('serviceUnreachable', 'broken'),
    ...lanes('tillPortFailed', 'broken'),
    ...lanes('storageFailed', 'broken'),
  ],
  tills: well.tills.map((till) => ({
    ...till,
    state: 'broken',
    code: 'absent',
    detail: 'the port is not there',
  })),
  disk: { state: 'broken', code: 'full', freeBytes: 0, totalBytes: 256_000_000_000 },
  journal: {
    ...well.journal,
    state: 'broken',
    code: 'cannotWrite',
    reserve: false,
    detail: 'ENOSPC: no space left on device',
  },
  unsettled: unsettledMoney(nowMs).map((money) => ({
    state: 'broken',
    laneId: '1',
    laneName: 'Check-out 1',
    money: { ...money, needsPerson: true },
  })),
};
const unusual: Health = {
  ...well,
  service: { ...well.service, state: 'broken', code: 'notSetUp' },
  lanes: [],
  tills: [],
  disk: { state: 'attention', code: 'unknown', freeBytes: null, totalBytes: null },
  journal: {
    ...well.journal,
    state: 'broken',
    code: 'damaged',
    damagedMs: nowMs - minuteMs,
    checkedMs: null,
  },
};
const contents = {
  diagnosticsContents: () => ({ logLines: 48_213, sales: 3_107, fromMs: nowMs - 31 * dayMs }),
};
const at = '#health';

/** The health page. */
export const health: readonly State[] = [
  { name: 'health', at, scene: managerScene({ health: () => well }), main: true },
  {
    name: 'health-lanes',
    at,
    scene: managerScene({
      health: () => ({
        ...well,
        ...twoLanes,
        starts: { state: 'attention', with: 'nothing', system: 'linux' },
      }),
    }),
  },
  {
    name: 'health-app-update',
    at,
    scene: managerScene({
      health: () => ({
        ...well,
        update: { state: 'ok', code: 'upToDate', version: null, detail: null },
        appUpdate: {
          state: 'attention',
          code: 'takenBack',
          version: '0.2.0',
          detail: 'it was not ready within 60 s',
        },
      }),
    }),
    reach: (page) => page.getByTestId('health-appUpdate').scrollIntoViewIfNeeded(),
  },
  {
    name: 'health-silent',
    at,
    scene: managerScene({
      health: () => ({
        ...well,
        service: {
          ...well.service,
          state: 'attention',
          code: 'silent',
          sinceMs: nowMs - 2_000,
          detail: 'no answer within 2000 ms',
        },
      }),
    }),
  },
  ...(['proxyAway', 'proxyLogin', 'proxyRefused'] as const).map(
    (code): State => ({
      name: `health-${code}`,
      at,
      likeAnother: true,
      scene: managerScene({
        health: () => ({
          ...well,
          service: {
            ...well.service,
            state: 'broken',
            code,
            sinceMs: nowMs - 2_000,
            detail: 'PROXY_407',
          },
        }),
      }),
    }),
  ),
  {
    name: 'health-update',
    at,
    scene: managerScene({
      health: () => ({
        ...well,
        update: { state: 'ok', code: 'waiting', version: '0.2.0', detail: null },
      }),
    }),
  },
  {
    name: 'health-update-takenBack',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => ({
        ...well,
        update: {
          state: 'attention',
          code: 'takenBack',
          version: '0.2.0',
          detail: 'it was not ready within 60 s',
        },
      }),
    }),
  },
  {
    name: 'health-update-expired',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => ({
        ...well,
        update: {
          state: 'attention',
          code: 'expired',
          version: null,
          detail: 'stable.json expired at 2027-01-01T00:00:00.000Z',
        },
      }),
    }),
  },
  {
    name: 'health-clock',
    at,
    scene: managerScene({
      health: () => ({ ...well, clock: { state: 'attention', code: 'behind', seconds: 4_000 } }),
    }),
  },
  {
    name: 'health-clock-wrong',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => ({ ...well, clock: { state: 'broken', code: 'wrong', seconds: null } }),
    }),
  },
  { name: 'health-attention', at, scene: managerScene({ health: () => attention }) },
  { name: 'health-notices', at, scene: managerScene({ health: () => watched }) },
  { name: 'health-broken', at, scene: managerScene({ health: () => broken }), main: true },
  {
    name: 'health-tillBusy',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => ({
        ...well,
        tills: well.tills.map((till) => ({
          ...till,
          state: 'broken',
          code: 'busy',
          address: 'serial:usb:0403:6001:A50285BI',
          detail: '/dev/ttyUSB0 is used by minicom (process 4711)',
          heardAtMs: nowMs - 12_000,
        })),
      }),
    }),
  },
  ...(['brltty', 'modemManager', 'gpsd'] as const).map((claimer): State => {
    const detail = `/dev/ttyUSB0 is used by ${claimer} (process 4711)`;
    const tills = well.tills.map((till) => ({
      ...till,
      state: 'broken' as const,
      code: 'busy' as const,
      claimer,
      detail,
    }));
    return {
      name: `health-tillClaimed-${claimer}`,
      at,
      likeAnother: true,
      scene: managerScene({ health: () => ({ ...well, tills }) }),
    };
  }),
  {
    name: 'health-tillFailed',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => ({
        ...well,
        tills: well.tills.map((till) => ({
          ...till,
          state: 'broken',
          code: 'failed',
          detail: 'the driver does not open it',
        })),
      }),
    }),
  },
  { name: 'health-unusual', at, scene: managerScene({ health: () => unusual }) },
  {
    name: 'health-repaired',
    at,
    scene: managerScene({
      health: () => ({
        ...well,
        journal: {
          ...well.journal,
          state: 'attention',
          code: 'repaired',
          damagedMs: nowMs - dayMs,
        },
      }),
    }),
  },
  {
    name: 'health-noting',
    at,
    scene: managerScene({ health: () => attention }),
    reach: (page) => page.getByTestId('note-damage').click(),
  },
  {
    name: 'health-noting-failed',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => attention,
      damageNoted: refuses(new Refusal('failed', 'disk')),
    }),
    reach: async (page) => {
      await page.getByTestId('note-damage').click();
      await page.getByTestId('note-now').click();
      await page.locator('tb-dialog tb-notice, tb-dialog [role="alert"]').first().waitFor();
    },
  },
  {
    name: 'health-recording',
    at,
    scene: managerScene({ health: () => well, tillRecording: () => ({ untilMs: nowMs + dayMs }) }),
    reach: (page) => page.getByTestId('record').scrollIntoViewIfNeeded(),
  },
  { name: 'health-loading', at, scene: managerScene({ health: never }) },
  {
    name: 'health-failed',
    at,
    scene: managerScene({ health: refuses(new Refusal('failed', 'disk')) }),
  },
  {
    name: 'diagnostics',
    at,
    scene: managerScene({ health: () => well, ...contents }),
    reach: (page) => page.getByTestId('diagnostics').click(),
  },
  {
    name: 'diagnostics-making',
    at,
    scene: managerScene({ health: () => well, ...contents, diagnostics: never }),
    reach: async (page) => {
      await page.getByTestId('diagnostics').click();
      await page.getByTestId('make').click();
    },
  },
  {
    name: 'diagnostics-failed',
    at,
    scene: managerScene({
      health: () => well,
      ...contents,
      diagnostics: refuses(new Refusal('failed', 'disk')),
    }),
    reach: async (page) => {
      await page.getByTestId('diagnostics').click();
      await page.getByTestId('make').click();
      await page.locator('tb-diagnostics tb-dialog').waitFor({ state: 'detached' });
    },
  },
];
