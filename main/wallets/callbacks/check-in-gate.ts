/**
 * Check-ins are not signed: repeated ones are dropped, and their number is limited, so that a flood
 * does not keep the disk from other callbacks.
 */
import type { Clock } from '../../core/domain/clock.ts';

const sameWithinMs = 5_000;
const maxEachSecond = 20;

export interface HintGate {
  /** A check-in at this point of sale was stored a moment ago. */
  isKnown(posId: string): boolean;
  /** Too many in the last second: the sender is asked to repeat it later. */
  isFull(): boolean;
  stored(posId: string): void;
}

export function hintGate(clock: Clock): HintGate {
  const recent = new Map<string, number>();
  const within = (periodMs: number) => (atMs: number) => clock.monotonicMs() - atMs < periodMs;
  return {
    isKnown(posId) {
      const isRecent = within(sameWithinMs);
      for (const [known, atMs] of recent) if (!isRecent(atMs)) recent.delete(known);
      return recent.has(posId);
    },
    isFull: () => recent.values().filter(within(1_000)).toArray().length >= maxEachSecond,
    stored: (posId) => void recent.set(posId, clock.monotonicMs()),
  };
}
