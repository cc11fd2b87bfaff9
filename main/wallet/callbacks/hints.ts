/** Check-ins come from anybody: a repeated one is the same one, and a flood of them must not keep the disk from the callbacks that matter. */
import type { Clock } from '../../primitives/clock.ts';

const sameWithinMs = 5_000;
const mostEachSecond = 20;

export interface HintGate {
  /** Those of the points of sale whose check-in is news; null: too many at once, their sender has to come again. */
  fresh(posIds: readonly string[]): ReadonlySet<string> | null;
  /** They are on disk. */
  stored(posIds: Iterable<string>): void;
}

export function hintGate(clock: Clock): HintGate {
  let recent = new Map<string, number>();
  return {
    fresh(posIds) {
      const nowMs = clock.monotonicMs();
      recent = new Map([...recent].filter(([, atMs]) => nowMs - atMs < sameWithinMs));
      const found = new Set(posIds.filter((posId) => !recent.has(posId)));
      const lastSecond = [...recent.values()].filter((atMs) => nowMs - atMs < 1_000).length;
      return lastSecond + found.size > mostEachSecond ? null : found;
    },
    stored(posIds) {
      for (const posId of posIds) recent.set(posId, clock.monotonicMs());
    },
  };
}
