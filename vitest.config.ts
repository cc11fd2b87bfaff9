import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

/**
 * Decides what is sampled (test/support/long.ts). To repeat a run, set it to what the report of
 * that run names.
 */
process.env['TILLBEACON_TEST_SEED'] ??= String(randomInt(2 ** 31));

/**
 * Off: a test that fails now and then is a defect. Set it only on a machine where other work makes
 * sockets, processes and browsers late; the report then names what needed a second attempt.
 */
const retry = Number(process.env['TILLBEACON_TEST_RETRIES'] ?? 0);

const wholeProduct = {
  retry,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  globalSetup: ['test/build-first.ts', 'test/usual-till-port.ts'],
};

/**
 * Projects of one group run side by side. Groups run one after another: suites that take every core
 * disturb those with deadlines in real time.
 */
const group = (groupOrder: number, maxWorkers: number) => ({
  maxWorkers,
  sequence: { groupOrder },
});

/** Of projects that test parts, not the whole product on its disk. */
const inMemory = 'test/support/in-memory.ts';
/** Unit tests that take too long for the inner loop. */
const long = 'test/unit/**/*.long.test.ts';
/**
 * Clients and servers held against each other over HTTP (the wallet's, the simulator's, those of
 * tills, screens and callbacks): most of the time of all unit tests.
 */
const http = ['wallets', 'sandbox', 'tills/http', 'tills/nexo', 'counter/server'].map(
  (area) => `test/unit/${area}/**/*.test.ts`,
);
/**
 * The files share a process: each module is loaded once for each worker, which halves the time. No
 * test may change what others import.
 */
const oneProcess = { isolate: false, testTimeout: 30_000, retry, setupFiles: [inMemory] };

/**
 * With `npm run test:windows` alone, which sets Windows up. `npm test` leaves out one of the two
 * with installers, and the counter's suites, which take minutes there. The launcher's updates are
 * not among them: it hears from its daemon through a pipe, to which Node in Wine cannot write.
 */
const windows = process.env['TILLBEACON_TEST_LONG']
  ? ['windows/**/*', 'counter/payment', 'counter/recovery', 'counter/refund-recovery'].map(
      (name) => `test/${name}.test.ts`,
    )
  : ['windows', Number(process.env['TILLBEACON_TEST_SEED']) % 2 ? 'installer' : 'app-rollback'].map(
      (name) => `test/windows/${name}.test.ts`,
    );

/**
 * Screens over a running counter, two thirds of whose files `npm test` leaves out, others each
 * time. What moves money always runs.
 */
const screens = [
  'screens',
  'service-away',
  'cashier-leaves',
  'cashier-screen',
  'cashier-typing',
  'customer-screen',
  'customer-devices',
  'manager-people',
  'manager-day',
  'manager-pages',
  'setup-first-start',
  'setup-lanes',
  'setup-customers',
  'setup-till',
];
const leftOut = process.env['TILLBEACON_TEST_LONG']
  ? []
  : screens.filter((_, place) => place % 3 !== Number(process.env['TILLBEACON_TEST_SEED']) % 3);

export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts'],
    reporters: ['default', './test/second-chances.ts', './test/seed-reporter.ts'],
    projects: [
      // Little is waited for, and each worker loads and compiles everything anew.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/protocol/**/*.test.ts'],
          exclude: [long, ...http],
          ...oneProcess,
          setupFiles: [inMemory, 'test/support/every-text.ts'],
          ...group(0, 2),
        },
      },
      // Most of the time is spent waiting for sockets: more workers than cores.
      { test: { name: 'http', include: http, exclude: [long], ...oneProcess, ...group(1, 4) } },
      {
        test: {
          name: 'service',
          setupFiles: [inMemory],
          include: ['test/service/**/*.test.ts', long],
          testTimeout: 60_000,
          retry,
          ...group(1, 4),
        },
      },
      // Two files, one core each: whole shops on simulated time, and the planted bugs that it has
      // to find.
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          testTimeout: 30_000,
          ...group(2, 2),
        },
      },
      // Half of the time is spent waiting for processes and browsers: more workers than cores.
      {
        test: {
          name: 'counter',
          include: ['test/counter/**/*.test.ts'],
          exclude: leftOut.map((name) => `test/counter/${name}.test.ts`),
          ...wholeProduct,
          ...group(3, 4),
        },
      },
      // At full length the steps of the suite for real Electron too, over the stand-in.
      {
        test: {
          name: 'desktop',
          include: [
            'test/desktop/**/*.test.ts',
            ...(process.env['TILLBEACON_TEST_LONG'] && !process.env['TILLBEACON_ELECTRON']
              ? ['test/electron/**/*.test.ts']
              : []),
          ],
          ...wholeProduct,
          ...group(3, 4),
        },
      },
      // Each file uses two pages at a time.
      {
        test: {
          name: 'pictures',
          include: ['test/pictures/**/*.test.ts'],
          ...wholeProduct,
          ...group(4, 4),
          maxConcurrency: 2,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'windows',
          include: process.env['TILLBEACON_WINE'] ? windows : [],
          ...wholeProduct,
          ...group(5, 1),
        },
      },
      {
        test: {
          name: 'electron',
          include: process.env['TILLBEACON_ELECTRON'] ? ['test/electron/**/*.test.ts'] : [],
          ...wholeProduct,
          ...group(5, 1),
        },
      },
    ],
  },
});
