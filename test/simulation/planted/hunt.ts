/**
 * `npm run planted`: plants each bug in a copy of the sources and lets the simulation look for it.
 * The last line says which ones were covered.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { command, numberIn, readCommand } from '../../../main/support/command-line.ts';
import { type PlantedBug, plantedBugs } from './bugs.ts';
import type { Found } from './find.ts';
import { copySources } from './plant.ts';

const { values } = readCommand(
  command({
    call: 'npm run planted --',
    does: 'Plants one money bug at a time and lets the simulation find it. The last line says which ones were looked for; ends with 1 if one is missed.',
    options: {
      only: { type: 'string', value: 'NN', does: 'only this bug', multiple: true },
      first: { type: 'string', value: 'NN', does: 'the bug to begin with', default: '1' },
      runs: { type: 'string', value: 'N', does: 'shops for each bug, at most', default: '10000' },
      seed: { type: 'string', value: 'S', does: 'of the first shop', default: '1' },
      seconds: {
        type: 'string',
        value: 'N',
        does: 'ends all after that time, and one hunt after half of it',
      },
    },
  }),
);
const wanted =
  values.only.length === 0 ? undefined : values.only.map((text) => numberIn('--only', text));
const seconds =
  values.seconds === undefined ? Number.POSITIVE_INFINITY : numberIn('--seconds', values.seconds);
const chosen = plantedBugs.filter(({ number }) => wanted === undefined || wanted.includes(number));
const first = numberIn('--first', values.first);
const bugs = [
  ...chosen.filter(({ number }) => number >= first),
  ...chosen.filter(({ number }) => number < first),
];
if (bugs.length === 0) {
  process.stderr.write(`there is no such bug: they are numbered from 1 to ${plantedBugs.length}\n`);
  process.exit(2);
}

/** Far more than the runs take: with a bug the simulation may never end. */
const maxMs = 30 * 60_000;
/** Rules broken without a planted bug; above this number the hunt is given up. */
const maxBrokenWithoutBug = 10;
let brokenWithoutBug = 0;
const sources = copySources();
process.once('exit', () => sources.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const availableMs = seconds * 1000;
const startedAtMs = performance.now();
/**
 * Limit for the hunt under way, so that one bug that takes thousands of runs does not use all of
 * the time.
 */
let huntEndsAtMs = startedAtMs + availableMs;
const covered: number[] = [];
const notFinished: number[] = [];
let missed = 0;
process.stdout.write(
  `${'bug'.padEnd(4)}${'found in run'.padEnd(14)}${'seconds'.padEnd(9)}what it is, and how it showed\n`,
);
for (const bug of bugs) {
  const bugStartedAtMs = performance.now();
  if (bugStartedAtMs - startedAtMs >= availableMs) break;
  huntEndsAtMs = Math.min(startedAtMs + availableMs, bugStartedAtMs + availableMs / 2);
  const outcome = hunt(bug);
  (outcome === 'not finished' ? notFinished : covered).push(bug.number);
  if (outcome === null) missed += 1;
  tell(bug, outcome, (performance.now() - bugStartedAtMs) / 1000);
}
process.stdout.write(`${covered.length - missed} of ${covered.length} found`);
if (covered.length < bugs.length) {
  process.stdout.write(
    `, in the time there was: ${covered.length === 0 ? 'none' : `bugs ${covered.join(', ')}`}`,
  );
  if (notFinished.length > 0) process.stdout.write(`; not finished: ${notFinished.join(', ')}`);
  process.stdout.write(
    `; ${bugs.length - covered.length - notFinished.length} were not looked for`,
  );
}
process.stdout.write('\n');
process.exitCode = missed > 0 ? 1 : 0;

/**
 * The result of a hunt: null when every rule held in all runs; 'not finished' when the time was
 * over before, which says nothing about the bug.
 */
type Outcome = Found | null | 'not finished';

/** A rule that is broken without the bug too does not count. */
function hunt(bug: PlantedBug): Outcome {
  const runs = numberIn('--runs', values.runs, 1);
  const firstSeed = numberIn('--seed', values.seed);
  for (let passed = 0; passed < runs; ) {
    sources.plant(bug);
    const found = simulate(bug, runs - passed, firstSeed + passed);
    sources.heal();
    if (found === null || found === 'not finished') return found;
    passed += found.run;
    const withoutBug = simulate(bug, 1, found.seed);
    if (withoutBug === 'not finished') return withoutBug;
    if (withoutBug === null) return { ...found, run: passed };
    if ((brokenWithoutBug += 1) > maxBrokenWithoutBug)
      throw new Error(
        `rules are broken without any planted bug: npm run prove -- --seed ${firstSeed} --service ${bug.service ?? 'v10'}`,
      );
    process.stderr.write(
      `seed ${found.seed} breaks a rule without any planted bug: ${found.what}\n`,
    );
  }
  return null;
}

/** @throws Error when the simulation itself does not run */
function simulate({ service = 'v10' }: PlantedBug, runs: number, seed: number): Outcome {
  const timeout = Math.ceil(Math.min(maxMs, huntEndsAtMs - performance.now()));
  if (timeout <= 0) return 'not finished';
  const find = join(sources.folder, 'test', 'simulation', 'planted', 'find.ts');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [find, String(runs), String(seed), service],
    {
      cwd: sources.folder,
      encoding: 'utf8',
      timeout,
    },
  );
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (status === null && timeout < maxMs) return 'not finished';
  if (status === null)
    return { run: 1, seed, what: 'rule 8: the simulation did not come to an end' };
  if (!last.startsWith('{') && last !== 'null')
    throw new Error(`the simulation did not run:\n${stdout}${stderr}`);
  return JSON.parse(last) as Found | null;
}

function tell({ number, says }: PlantedBug, outcome: Outcome, seconds: number): void {
  const found =
    outcome === null ? 'NOT FOUND' : outcome === 'not finished' ? outcome : String(outcome.run);
  process.stdout.write(
    `${String(number).padEnd(4)}${found.padEnd(14)}${seconds.toFixed(1).padEnd(9)}${says}\n`,
  );
  if (outcome !== null && outcome !== 'not finished')
    process.stdout.write(`${' '.repeat(27)}${outcome.what.slice(0, 160)}\n`);
}
