/**
 * What `npm test` runs, in this order; `npm test -- NAME …` runs the named ones alone. Each is a
 * job of the workflows in .github.
 */

/**
 * Projects of vitest.config.ts. They run in one process, so that its groups decide what may run
 * side by side.
 */
export const vitestSuites = [
  'unit',
  'http',
  'service',
  'simulation',
  'counter',
  'pictures',
  'desktop',
];

export const suites = ['check', 'package', 'electron', ...vitestSuites, 'windows'];

/** Suites that start Chromium or a pair of serial ports. */
export const suitesWithSystemTools = ['counter', 'pictures', 'desktop'];
