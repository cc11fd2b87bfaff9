import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const service = readFileSync(join(root, 'assets/service/tillbeacon.service'), 'utf8');
const NODE_OPTIONS = /^Environment=NODE_OPTIONS=(.*)$/m.exec(service)?.[1];

interface Collections {
  readonly small: number;
  readonly large: number;
  /**
   * Whether memory was given back too: V8 makes large ones, which it does not mark, until nothing
   * more comes of it.
   */
  readonly givesBack: boolean;
}

/**
 * The garbage collections of each step, in a child process with the service's options: the flags
 * of V8 hold for a whole process.
 */
const collectionsAt = (laneCount: number): Record<string, Collections> =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', payments(laneCount)], {
      env: { ...process.env, NODE_OPTIONS },
      encoding: 'utf8',
    }),
  );
const payments = (laneCount: number): string => `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { keepHeapSmall } from ${JSON.stringify(join(root, 'main/counter/app/memory.ts'))};
  import { ManualClock } from ${JSON.stringify(join(root, 'test/unit/support/manual-clock.ts'))};
  // As large as the daemon's heap: in a smaller heap V8 starts a major collection sooner.
  globalThis.live = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const entries = [];
  new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
  const steps = {};
  const note = async (step) => {
    // Node delivers the entries a turn later.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const made = entries.splice(0);
    const count = (wanted, flag) => made.filter(({ detail: { kind, flags } }) => kind === wanted && flags === flag).length;
    steps[step] = {
      small: count(constants.NODE_PERFORMANCE_GC_MINOR, constants.NODE_PERFORMANCE_GC_FLAGS_FORCED),
      large: count(constants.NODE_PERFORMANCE_GC_MAJOR, constants.NODE_PERFORMANCE_GC_FLAGS_FORCED),
      givesBack: count(constants.NODE_PERFORMANCE_GC_MAJOR, constants.NODE_PERFORMANCE_GC_FLAGS_NO) > 1,
    };
  };
  const clock = new ManualClock();
  let change = () => {};
  let kind = 'idle';
  const lanes = Array.from({ length: ${laneCount} }, (_, index) => ({ laneId: String(index + 1) }));
  // The last one alone has customers.
  const lane = (laneId) => ({ state: { kind: laneId === lanes.at(-1).laneId ? kind : 'idle' } });
  const subscribe = (changed) => {
    change = changed;
    return () => (change = () => {});
  };
  const end = keepHeapSmall({ lanes: () => lanes, lane, subscribe }, clock);
  await note('loaded');
  for (let changes = 0; changes < 10; changes += 1) {
    change();
    await clock.pass(29);
  }
  await note('busy');
  await clock.pass(1);
  await note('quiet');
  await clock.pass(60_000);
  await note('idle');
  globalThis.kept = [];
  for (let payment = 0; payment < 6; payment += 1) {
    kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
    change();
    await clock.pass(30);
  }
  await note('grown');
  kind = 'waitingForCustomer';
  change();
  await clock.pass(30);
  await note('asked');
  change();
  end();
  change();
  await clock.pass(30);
  await note('ended');
  console.log(JSON.stringify(steps));`;

const none = { small: 0, large: 0, givesBack: false };

test('a counter PC collects garbage when everything is loaded, and then in pauses, so that no payment waits for it', () => {
  const collections = collectionsAt(16);
  expect(collections).toEqual({
    loaded: { ...none, givesBack: true },
    busy: none,
    quiet: { ...none, small: 1 },
    idle: none,
    grown: { ...none, small: 6 },
    asked: { ...none, small: 1, large: 1 },
    ended: none,
  });
});

test('a server with many lanes leaves it to V8', () => {
  expect(collectionsAt(17)).toEqual({
    loaded: none,
    busy: none,
    quiet: none,
    idle: none,
    grown: none,
    asked: none,
    ended: none,
  });
});
