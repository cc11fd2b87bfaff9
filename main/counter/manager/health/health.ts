import { statSync } from 'node:fs';
import {
  type Health,
  type HealthState,
  type Starts,
  type UpdateRow,
  updateRow,
} from '../../../../preload/procedures/health.ts';
import { reservePath } from '../../../core/journal/files.ts';
import type { LaneSnapshot, NotReadyReason } from '../../../core/lane/snapshot.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import { isClockToTell } from '../../../core/domain/clock-off.ts';
import { proxyProblemOf } from '../../../core/domain/network-settings.ts';
import {
  type DiskState,
  diskStateOf,
  freeSpace,
  type FreeSpace,
} from '../../../support/disk-space.ts';
import type { JournalCondition } from './journal-condition.ts';
import type { RaisedNotice } from './notice-board.ts';
import type { ServiceMonitor } from '../../../wallets/http/service-monitor.ts';

/**
 * What the health report is made from, all of it known already: nothing is requested over the
 * network.
 */
export interface HealthSources {
  /** null while the counter is not set up. */
  readonly lanes: () => readonly LaneSnapshot[] | null;
  readonly serviceKind: () => Health['service']['kind'];
  readonly service: Pick<ServiceMonitor, 'seen' | 'outages' | 'clockOffSeconds' | 'ask'>;
  readonly dataFolder: string;
  /** The file. */
  readonly journal: string;
  readonly journalCondition: Pick<JournalCondition, 'damage' | 'checkedMs' | 'show'>;
  /** Whether it is known what time it is. Missing: it always is. */
  readonly isTimeKnown?: () => boolean;
  readonly notices: () => readonly RaisedNotice[];
  readonly version: string;
  /** The state of updates; missing or null when nothing is updated. */
  readonly update?: () => {
    readonly state: UpdateRow['code'];
    readonly version: string | null;
    readonly detail: string | null;
  } | null;
  readonly startedMs: number;
  readonly starts: () => Starts;
  readonly clock: Clock;
}

export async function lookAtHealth(sources: HealthSources): Promise<Health> {
  const lanes = sources.lanes();
  const free = await freeSpace(sources.dataFolder);
  return {
    atMs: sources.clock.wallMs(),
    service: serviceHealth(sources, lanes),
    credentials: credentialsHealth(sources, lanes ?? []),
    ...clockHealth(sources),
    lanes: (lanes ?? []).map((lane) => ({ ...laneName(lane), ...laneHealth(lane) })),
    tills: (lanes ?? []).map((lane) => ({ ...laneName(lane), ...tillHealth(lane) })),
    disk: diskHealth(free),
    journal: journalHealth(sources, lanes ?? []),
    software: softwareHealth(sources),
    ...startsHealth(sources),
    ...updateHealth(sources),
    notices: sources.notices().map((notice) => ({ state: 'attention' as const, ...notice })),
    unsettled: (lanes ?? []).flatMap((lane) =>
      lane.unsettled.map(({ problem, ...money }) => ({
        ...laneName(lane),
        state: problem === null ? ('attention' as const) : ('broken' as const),
        money: { ...money, needsPerson: problem !== null },
      })),
    ),
  };
}

const laneName = ({ laneId, name }: LaneSnapshot) => ({ laneId, laneName: name });

function serviceHealth(
  { service, serviceKind }: HealthSources,
  lanes: readonly LaneSnapshot[] | null,
): Health['service'] {
  const about = {
    lastAnswerMs: service.seen?.lastAnswerMs ?? null,
    detail: service.seen?.detail ?? null,
    kind: serviceKind(),
    outages: [...service.outages],
  };
  if (lanes === null) return { state: 'attention', code: 'notSetUp', sinceMs: null, ...about };
  if (service.seen === null)
    return { state: 'attention', code: 'notAsked', sinceMs: null, ...about };
  const { state, sinceMs } = service.seen;
  switch (state) {
    case 'answers':
      return { state: 'ok', code: 'reachable', sinceMs, ...about };
    case 'silent':
      return {
        state: 'attention',
        code: proxyProblemOf(about.detail) ?? 'silent',
        sinceMs,
        ...about,
      };
    case 'away':
      return {
        state: 'broken',
        code: proxyProblemOf(about.detail) ?? 'unreachable',
        sinceMs,
        ...about,
      };
  }
}

function credentialsHealth(
  { service }: HealthSources,
  lanes: readonly LaneSnapshot[],
): Health['credentials'] {
  const refusedFor = lanes
    .map(({ condition }) => condition)
    .find(
      (condition) => condition.kind === 'notReady' && condition.reason === 'credentialsRefused',
    );
  if (refusedFor?.kind === 'notReady')
    return { state: 'broken', code: 'refused', detail: refusedFor.detail };
  const code = service.seen?.credentials ?? 'notTried';
  return {
    state: code === 'accepted' ? 'ok' : code === 'refused' ? 'broken' : 'attention',
    code,
    detail: null,
  };
}

/** Reasons that pass by themselves within moments. */
const passing: readonly NotReadyReason[] = ['starting', 'settlingOpenPayments'];

function laneHealth({
  condition,
}: LaneSnapshot): Pick<Health['lanes'][number], 'state' | 'code' | 'detail'> {
  if (condition.kind === 'open') return { state: 'ok', code: 'open', detail: null };
  return {
    state: passing.includes(condition.reason) ? 'attention' : 'broken',
    code: condition.reason,
    detail: condition.detail,
  };
}

function tillHealth({ till }: LaneSnapshot): Omit<Health['tills'][number], 'laneId' | 'laneName'> {
  // A till on a network connects when it needs something; one on a cable is noticed as soon as it
  // is switched on.
  const waits: HealthState = /^(tcp|http):/.test(till.address) ? 'ok' : 'attention';
  const states: Readonly<Record<typeof till.state, HealthState>> = {
    absent: 'broken',
    busy: 'broken',
    failed: 'broken',
    open: waits,
    connected: 'ok',
  };
  const { address, detail, claimer, sinceMs, heardAtMs } = till;
  return {
    state: states[till.state],
    code: till.state,
    address,
    detail,
    ...(claimer !== undefined && { claimer }),
    sinceMs,
    heardAtMs,
  };
}

function clockHealth({
  service: { clockOffSeconds: seconds },
  isTimeKnown = () => true,
}: HealthSources): Pick<Health, 'clock'> {
  if (!isTimeKnown()) return { clock: { state: 'broken', code: 'wrong', seconds: null } };
  if (!isClockToTell(seconds)) return {};
  return {
    clock: {
      state: 'attention',
      code: seconds > 0 ? 'ahead' : 'behind',
      seconds: Math.abs(seconds),
    },
  };
}

const diskHealths: Readonly<Record<DiskState, HealthState>> = {
  enough: 'ok',
  low: 'attention',
  full: 'broken',
  unknown: 'attention',
};

function diskHealth(free: FreeSpace | null): Health['disk'] {
  const code = diskStateOf(free);
  return {
    state: diskHealths[code],
    code,
    freeBytes: free?.freeBytes ?? null,
    totalBytes: free?.totalBytes ?? null,
  };
}

function journalHealth(
  { journal, journalCondition }: HealthSources,
  lanes: readonly LaneSnapshot[],
): Health['journal'] {
  const { damage, checkedMs } = journalCondition;
  const storage = lanes
    .map(({ condition }) => condition)
    .find((condition) => condition.kind === 'notReady' && condition.reason === 'storageFailed');
  const facts = {
    bytes: bytesOf(journal) + bytesOf(`${journal}-wal`),
    reserve: bytesOf(reservePath(journal)) > 0,
    checkedMs,
    damagedMs: damage?.atMs ?? null,
    lostSales: damage?.lost.length ?? 0,
  };
  if (storage?.kind === 'notReady')
    return { state: 'broken', code: 'cannotWrite', detail: storage.detail, ...facts };
  if (damage !== null) {
    const { problem: detail } = damage;
    if (!damage.repaired) return { state: 'broken', code: 'damaged', detail, ...facts };
    return {
      state: 'attention',
      code: damage.lost.length > 0 ? 'salesLost' : 'repaired',
      detail,
      ...facts,
    };
  }
  return { state: 'ok', code: 'whole', detail: null, ...facts };
}

function softwareHealth({ version, startedMs }: HealthSources): Health['software'] {
  return {
    state: 'ok',
    code: 'running',
    version,
    node: process.versions.node,
    electron: process.versions['electron'] ?? null,
    platform: `${process.platform} ${process.arch}`,
    startedMs,
    memoryBytes: process.memoryUsage.rss(),
  };
}

function startsHealth({ starts, serviceKind }: HealthSources): Pick<Health, 'starts'> {
  const startState = starts();
  if (startState.with !== 'nothing') return { starts: { state: 'ok', ...startState } };
  // A demonstration does not have to start again with the computer.
  return serviceKind() === 'simulated' ? {} : { starts: { state: 'attention', ...startState } };
}

function updateHealth({ update }: HealthSources): Pick<Health, 'update'> {
  const now = update?.() ?? null;
  return now === null ? {} : { update: updateRow(now) };
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
