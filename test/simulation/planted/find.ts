/**
 * Runs shops until a rule is broken: `find.ts <runs> <seed> <service>`. Tells with one line of
 * JSON; started in the copy that has the bug in it.
 */
import { simulate } from '../simulate.ts';
import type { ShopService } from '../wallets.ts';

/** How the bug showed itself. */
export interface Found {
  /** Number of the first run that showed it, counted from 1. */
  readonly run: number;
  readonly seed: number;
  readonly what: string;
}

const [runs, firstSeed] = process.argv.slice(2, 4).map(Number) as [number, number];
const service = process.argv[4] as ShopService;
const tell = (found: Found | null): never => {
  process.stdout.write(`${JSON.stringify(found)}\n`);
  process.exit(found === null ? 0 : 1);
};

let run = 0;
try {
  await simulate({
    runs,
    seed: firstSeed,
    service,
    ended({ seed, broken: [first] }) {
      run += 1;
      if (first !== undefined) tell({ run, seed, what: `rule ${first.rule}: ${first.what}` });
    },
  });
} catch (error) {
  tell({ run: run + 1, seed: firstSeed + run, what: `rule 8: ${String(error)}` });
}
tell(null);
