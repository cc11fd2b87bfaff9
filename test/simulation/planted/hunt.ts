/**
 * Plants each bug in a copy of the sources and lets the simulation look for it: `npm run planted [-- --only NN] [--runs N] [--seed S]`.
 * `--seconds N` begins no further bug after that time, `--first NN` names the bug to begin with: the last line says which ones were covered.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PlantedBug, plantedBugs } from './bugs.ts';
import type { Found } from './find.ts';
import { copySources } from './plant.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: 'Infinity' },
    first: { type: 'string', default: '1' },
  },
});
const wanted = values.only?.map(Number);
const chosen = plantedBugs.filter(({ number }) => wanted === undefined || wanted.includes(number));
const first = Number(values.first);
const bugs = [...chosen.filter(({ number }) => number >= first), ...chosen.filter(({ number }) => number < first)];
if (bugs.length === 0) {
  process.stderr.write(`there is no such bug: they are numbered from 1 to ${plantedBugs.length}\n`);
  process.exit(2);
}

/** Far more than the runs take: with a bug the simulation may never end. */
const longestMs = 30 * 60_000;
/** Rules broken without a planted bug; above this number the hunt is given up. */
const mostBrokenWithoutBug = 10;
let brokenWithoutBug = 0;
const sources = copySources();
process.once('exit', () => sources.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const startedAtMs = performance.now();
const covered: number[] = [];
let missed = 0;
process.stdout.write(`${'bug'.padEnd(4)}${'found in run'.padEnd(14)}${'seconds'.padEnd(9)}what it is, and how it showed\n`);
for (const bug of bugs) {
  const bugStartedAtMs = performance.now();
  if (bugStartedAtMs - startedAtMs > Number(values.seconds) * 1000) break;
  const found = hunt(bug);
  covered.push(bug.number);
  if (found === null) missed += 1;
  tell(bug, found, (performance.now() - bugStartedAtMs) / 1000);
}
process.stdout.write(`${covered.length - missed} of ${covered.length} found`);
process.stdout.write(
  covered.length === bugs.length ? '\n' : `, in the time there was: bugs ${covered.join(', ')}; ${bugs.length - covered.length} were not looked for\n`,
);
process.exitCode = missed > 0 ? 1 : 0;

/** null: every rule held in all runs. A rule that is broken without the bug too does not count. */
function hunt(bug: PlantedBug): Found | null {
  const runs = Number(values.runs);
  const firstSeed = Number(values.seed);
  for (let passed = 0; passed < runs; ) {
    sources.plant(bug);
    const found = simulate(runs - passed, firstSeed + passed);
    sources.heal();
    if (found === null) return null;
    passed += found.run;
    if (simulate(1, found.seed) === null) return { ...found, run: passed };
    if ((brokenWithoutBug += 1) > mostBrokenWithoutBug) throw new Error(`rules are broken without any planted bug: npm run prove -- --seed ${firstSeed}`);
    process.stderr.write(`seed ${found.seed} breaks a rule without any planted bug: ${found.what}\n`);
  }
  return null;
}

/** @throws Error when the simulation itself does not run */
function simulate(runs: number, seed: number): Found | null {
  const find = join(sources.folder, 'test', 'simulation', 'planted', 'find.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [find, String(runs), String(seed)], {
    cwd: sources.folder,
    encoding: 'utf8',
    timeout: longestMs,
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (status === null) return { run: 1, seed, what: 'rule 8: the simulation did not come to an end' };
  if (!last.startsWith('{') && last !== 'null') throw new Error(`the simulation did not run:\n${stdout}${stderr}`);
  return JSON.parse(last) as Found | null;
}

function tell({ number, says }: PlantedBug, found: Found | null, seconds: number): void {
  const columns = `${String(number).padEnd(4)}${(found === null ? 'NOT FOUND' : String(found.run)).padEnd(14)}${seconds.toFixed(1).padEnd(9)}`;
  process.stdout.write(`${columns}${says}\n${found === null ? '' : `${' '.repeat(27)}${found.what.slice(0, 160)}\n`}`);
}
