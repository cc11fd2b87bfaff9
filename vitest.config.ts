import { defineConfig } from 'vitest/config';

const slow = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/protocol/**/*.test.ts'] } },
      { test: { name: 'counter', include: ['test/counter/**/*.test.ts'], fileParallelism: false, ...slow } },
      { test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], fileParallelism: false, ...slow } },
    ],
  },
});
