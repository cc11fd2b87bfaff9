import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { SetupHost } from '../setup/setup-host.ts';
import type { Recreations } from '../setup/recreation.ts';
import type { CounterSupervisor } from './counter-supervisor.ts';
import { openTestCounter } from './test-counter.ts';

interface SetupHostOptions extends Pick<SetupHost, 'handOver'> {
  readonly supervisor: CounterSupervisor;
  readonly recreations: Recreations;
  readonly displaysPort: () => Promise<number | null>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** The daemon as setup knows it. */
export function setupHost({ supervisor, recreations, displaysPort, handOver, clock, ids, log }: SetupHostOptions): SetupHost {
  return {
    settings: () => supervisor.settings,
    lanes: () => (supervisor.counter?.lanes ?? []).map((lane) => ({ id: lane.id, address: lane.address, qr: lane.snapshot().qr })),
    fileState: () => supervisor.fileState,
    secrets: supervisor.secrets,
    recreations,
    change: (to, replaced) => supervisor.change(to, replaced ?? null),
    displaysPort,
    handOver,
    openTestCounter: (lane, changed) => openTestCounter({ lane, changed, clock, ids, log }),
  };
}
