import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { House } from '../setup/house.ts';
import type { Recreations } from '../setup/recreation.ts';
import type { CounterKeeper } from './counter-keeper.ts';
import { openTestCounter } from './test-counter.ts';

interface SetupHouseOptions extends Pick<House, 'handOver'> {
  readonly keeper: CounterKeeper;
  readonly recreations: Recreations;
  readonly displaysPort: () => Promise<number | null>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** The house as setup knows it. */
export function setupHouse({ keeper, recreations, displaysPort, handOver, clock, ids, log }: SetupHouseOptions): House {
  return {
    settings: () => keeper.settings,
    lanes: () => (keeper.counter?.lanes ?? []).map((lane) => ({ id: lane.id, address: lane.address, qr: lane.snapshot().qr })),
    fileState: () => keeper.fileState,
    secrets: keeper.secrets,
    recreations,
    change: (to, replaced) => keeper.change(to, replaced ?? null),
    displaysPort,
    handOver,
    openTestCounter: (lane, changed) => openTestCounter({ lane, changed, clock, ids, log }),
  };
}
