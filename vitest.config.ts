import { defineConfig } from 'vitest/config';

/**
 * Set where the machine is shared: what waits for real sockets, processes and browsers may fail there for a neighbour's sake, and gets another
 * chance; the report names it. The simulation, on its own time, never does.
 */
const retry = Number(process.env['TILLBEACON_TEST_RETRIES'] ?? 0);

const wholeProduct = {
  retry,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  fileParallelism: false,
  globalSetup: ['test/build-first.ts'],
};

/** One group after the other: who takes every core disturbs those who wait for a socket, a browser or a process of their own. */
const after = (groupOrder: number) => ({ sequence: { groupOrder } });

/** Of a unit, and longer than the inner loop may wait. */
const long = 'test/unit/**/*.long.test.ts';

export default defineConfig({
  test: {
    // Most of the time is spent waiting for sockets: more workers than cores.
    maxWorkers: 4,
    reporters: ['default', './test/second-chances.ts'],
    projects: [
      // The files share a process: each module is loaded once, which halves the inner loop. No test may change what others import.
      {
        test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/protocol/**/*.test.ts'], exclude: [long], isolate: false, testTimeout: 30_000, retry },
      },
      { test: { name: 'service', include: ['test/service/**/*.test.ts', long], testTimeout: 60_000, retry } },
      // Whole shops on simulated time, about a minute of them.
      { test: { name: 'simulation', include: ['test/simulation/**/*.test.ts'], testTimeout: 30_000, ...after(1) } },
      { test: { name: 'counter', include: ['test/counter/**/*.test.ts'], ...wholeProduct, ...after(2) } },
      { test: { name: 'pictures', include: ['test/pictures/**/*.test.ts'], ...wholeProduct, ...after(3), testTimeout: 180_000, fileParallelism: true } },
      { test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], ...wholeProduct, ...after(4) } },
      { test: { name: 'electron', include: process.env['TILLBEACON_ELECTRON'] ? ['test/electron/**/*.test.ts'] : [], ...wholeProduct, ...after(5) } },
    ],
  },
});
