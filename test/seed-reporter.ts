import type { Reporter } from 'vitest/node';
import { isLong } from './support/long.ts';

/** Names the seed of what was sampled, so that the run can be repeated. */
export default class SeedReporter implements Reporter {
  onTestRunEnd(): void {
    if (!isLong)
      console.log(`\nSampled with TILLBEACON_TEST_SEED=${process.env['TILLBEACON_TEST_SEED']}`);
  }
}
