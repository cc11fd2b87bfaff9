/** `npm run chaos` */
import { command, numberIn, readCommand } from '../../main/support/command-line.ts';
import buildFirst from '../build-first.ts';
import { type ChaosReport, percentile, playChaos } from './chaos.ts';

const { values } = readCommand(
  command({
    call: 'npm run chaos --',
    does: 'Kills the built daemon and the simulated provider at random moments, and compares their records. Exit code 1: a money rule is broken.',
    options: {
      rounds: { type: 'string', value: 'N', does: 'number of shops', default: '100' },
      seed: {
        type: 'string',
        value: 'S',
        does: 'seed of the first shop; later shops count up',
        default: '1',
      },
    },
  }),
);
const rounds = numberIn('--rounds', values.rounds, 1);
const seed = numberIn('--seed', values.seed);
buildFirst();
const say = (text: string): void => void process.stdout.write(text);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
say(
  `${rounds} rounds from seed ${seed}; . killed on the way  o killed at rest  s only the service  c only the till's line  X a rule is broken\n`,
);
const startedAtMs = performance.now();
const report = await playChaos({
  rounds,
  seed,
  onRound(round, { kills, broken }) {
    say(broken.length > 0 ? 'X' : mark(kills));
    if ((round + 1) % 50 === 0 || round + 1 === rounds) say(` ${round + 1}\n`);
  },
});
tell(report);
process.exitCode = report.failures.length > 0 ? 1 : 0;

function mark(kills: readonly string[]): string {
  if (kills.every((kill) => kill.startsWith('service'))) return 's';
  if (kills.every((kill) => kill.startsWith('line'))) return 'c';
  return kills.includes('at rest') ? 'o' : '.';
}

function tell({ kills, failures, restartsMs, clearedMs }: ChaosReport): void {
  for (const { round, seed: at, broken, storyFile } of failures) {
    say(
      `\nRound ${round + 1} breaks a rule; its whole story: ${storyFile}\n  again: npm run chaos -- --rounds 1 --seed ${at}\n`,
    );
    for (const line of broken) say(`  ${line}\n`);
  }
  say('\nKilled:\n');
  for (const [where, times] of [...kills].sort(([, a], [, b]) => b - a))
    say(`  ${String(times).padStart(5)}  ${where}\n`);
  const seconds = (performance.now() - startedAtMs) / 1000;
  say(
    `\n${rounds} rounds in ${seconds.toFixed(0)} s (${(seconds / rounds).toFixed(2)} s each); broken: ${failures.length}\n`,
  );
  if (clearedMs.length > 0) {
    const [p50, most] = [percentile(clearedMs, 0.5), percentile(clearedMs, 1)];
    say(
      `a refund that is asked for again after a restart → carried out, or said to be done: p50 ${p50.toFixed(0)} ms, at most ${most.toFixed(0)} ms (${clearedMs.length})\n`,
    );
  }
  if (restartsMs.length === 0) return;
  const [p50, p99] = [percentile(restartsMs, 0.5), percentile(restartsMs, 0.99)];
  say(
    `restart after SIGKILL → lane open, service answering: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${restartsMs.length} restarts; target p99 ≤ 1000 ms)\n`,
  );
}
