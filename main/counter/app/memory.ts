import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Clock } from '../../core/domain/clock.ts';
import type { Views } from '../server/watching.ts';

/**
 * Up to this many lanes it is a counter PC; with more it is a shop's server, which has the memory
 * and should not pause for garbage collection.
 */
const maxLanesOfCounterPc = 16;

/**
 * Without a hard limit at which the process would fail. Functions are still optimised, but only
 * small ones are inlined: what the compiler needs for that while it works is never given back. A
 * small collection takes a millisecond, less than other threads need to help with it.
 */
const smallHeap = [
  '--memory-saver-mode',
  '--heap-growing-percent=30',
  '--max-inlined-bytecode-size-cumulative=100',
  '--no-parallel-scavenge',
];

/**
 * When no lane has changed for so long the process is idle, or waits itself: for a customer or the
 * service.
 */
const quietMs = 30;
/**
 * What may be left over from payments between two large collections. V8 collects by itself later
 * than this.
 */
const maxGrowthBytes = 2 * 1024 * 1024;

/**
 * Keeps the heap near its live size, because a counter PC runs other programs too: V8 would let it
 * grow with the machine's memory and shrink it late. To be called when everything is loaded, which
 * takes a seventh longer in a small heap.
 *
 * V8 collects when memory is used, so in the middle of a payment: 1 to 5 ms in every third and 20
 * to 40 ms in every fiftieth. Where Node has a `gc` (the service gives it one) the process collects
 * now, and then whenever the lanes are quiet; what takes long only while a customer is asked.
 *
 * @returns ends it: the views cannot be read once the application is closed
 */
export function keepHeapSmall(
  views: Pick<Views, 'lanes' | 'lane' | 'subscribe'>,
  clock: Clock,
): () => void {
  if (views.lanes().length > maxLanesOfCounterPc) return () => {};
  for (const flag of smallHeap) setFlagsFromString(flag);
  const { gc } = globalThis;
  if (gc === undefined) return () => {};

  // Gives back what the start needed, a quarter of the process's own memory. Without being asked,
  // V8 does it after eight seconds at the earliest.
  gc({ type: 'major', flavor: 'last-resort' });
  let leftBytes = usedBytes();
  const collect = (): void => {
    gc({ type: 'minor' });
    leftBytes = Math.min(leftBytes, usedBytes());
    if (usedBytes() <= leftBytes + maxGrowthBytes || !isWaitingForCustomer(views)) return;
    gc();
    leftBytes = usedBytes();
  };
  let cancel = (): void => {};
  const unsubscribe = views.subscribe(() => {
    cancel();
    cancel = clock.after(quietMs, collect);
  });
  return () => {
    unsubscribe();
    cancel();
  };
}

const usedBytes = (): number => getHeapStatistics().used_heap_size;

/** Then no till asks for a payment in the next moment, and hardly any customer answers in it. */
const isWaitingForCustomer = (views: Pick<Views, 'lanes' | 'lane'>): boolean =>
  views.lanes().some(({ laneId }) => views.lane(laneId)?.state.kind === 'waitingForCustomer');
