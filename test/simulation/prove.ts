/**
 * `npm run prove`: shops, one after another, until one breaks a rule of the money or all have
 * passed.
 */
import { randomInt } from 'node:crypto';
import {
  command,
  CommandEnd,
  endCommand,
  numberIn,
  readCommand,
} from '../../main/support/command-line.ts';
import { seenPairs } from './coverage.ts';
import { simulateInJobs } from './jobs.ts';
import { reachableRefundPairs } from './reachable-refunds.ts';
import { reachablePaymentPairs } from './reachable.ts';
import { rules } from './rules.ts';
import { simulate, type SimulateOptions, type Tally } from './simulate.ts';
import { serviceNames } from '../../main/core/domain/sale.ts';
import { type ShopService, shopServices } from './wallets.ts';

const prove = command({
  call: 'npm run prove --',
  does: 'Whole shops on simulated time, with everything going wrong. The last line is the verdict; ends with 1 if a rule of the money is broken.',
  options: {
    runs: { type: 'string', value: 'N', does: 'how many shops', default: '1000' },
    service: {
      type: 'string',
      value: 'NAME',
      does: `that they are on: ${shopServices.join(', ')} (from the one to the other in mid-trade); otherwise some on each`,
    },
    seed: { type: 'string', value: 'S', does: 'of the first shop; otherwise any' },
    'sqlite-every': {
      type: 'string',
      value: 'N',
      does: 'one in so many has its journal in SQLite',
      default: '500',
    },
    jobs: { type: 'string', value: 'N', does: 'processes at a time', default: '1' },
    pairs: { type: 'boolean', does: 'lists which input was seen in which state' },
    story: { type: 'boolean', does: 'tells each shop step by step' },
  },
});
const maxBrokenReports = 10;

function readArguments(): {
  runs: number;
  seed: number;
  service: ShopService | undefined;
  sqliteEvery: number;
  jobs: number;
  pairs: boolean;
  story: boolean;
} {
  const { values } = readCommand(prove);
  return {
    runs: numberIn('--runs', values.runs),
    seed: values.seed === undefined ? randomInt(2 ** 31) : numberIn('--seed', values.seed),
    sqliteEvery: numberIn('--sqlite-every', values['sqlite-every'], 1),
    jobs: numberIn('--jobs', values.jobs, 1),
    service: values.service === undefined ? undefined : serviceNamed(values.service),
    pairs: values.pairs,
    story: values.story,
  };
}

/** Ends the command with an error for an unknown service. */
function serviceNamed(text: string): ShopService {
  const found = shopServices.find((name) => name === text);
  if (found === undefined)
    endCommand(new CommandEnd(`--service must be one of ${shopServices.join(', ')}`));
  return found;
}

/** @param isListed prints each pair with how often it was seen, not only the missing ones */
function tellCoverage(
  of: string,
  reachable: ReadonlySet<string>,
  seen: ReadonlyMap<string, number>,
  isListed: boolean,
): void {
  const missed = [...reachable].filter((pair) => !seen.has(pair)).toSorted();
  const beyond = [...seen.keys()].filter((pair) => !reachable.has(pair)).toSorted();
  print(
    `${of} machine: ${reachable.size - missed.length} of ${reachable.size} reachable pairs of state and input seen`,
  );
  if (isListed)
    for (const [pair, times] of [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      print(`  ${String(times).padStart(9)}  ${pair}`);
  for (const pair of missed) print(`  not seen: ${pair}`);
  for (const pair of beyond) print(`  seen, though not held to be reachable: ${pair}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<number> {
  const { runs, seed, service, sqliteEvery, jobs, pairs, story } = readArguments();
  const services = service === undefined || service === 'change' ? serviceNames : [service];
  print(
    `${runs} shops from seed ${seed}; one in ${sqliteEvery} on the journal in SQLite, the others on one in memory`,
  );
  let told = 0;
  const tally: Tally = await (jobs === 1
    ? simulate
    : (options: SimulateOptions) => simulateInJobs(jobs, options))({
    runs,
    seed,
    service,
    sqliteEvery,
    story,
    ended({ seed: runSeed, broken, lines }) {
      if (story) for (const line of lines) print(line);
      if (broken.length === 0 || told >= maxBrokenReports) return;
      told += 1;
      print(`seed ${runSeed} breaks`);
      for (const { rule, what } of broken) print(`  rule ${rule} (${rules[rule]}): ${what}`);
      const forService = service === undefined ? '' : ` --service ${service}`;
      const every = runSeed % sqliteEvery === 0 ? 1 : runSeed + 1;
      print(
        `  again, step by step: npm run prove -- --runs 1 --seed ${runSeed}${forService} --sqlite-every ${every} --story`,
      );
    },
  });
  for (const name of services) {
    tellCoverage(`${name}, payment`, reachablePaymentPairs(name), seenPairs[name].payment, pairs);
    tellCoverage(`${name}, refund`, reachableRefundPairs(name), seenPairs[name].refund, pairs);
  }
  const {
    payments,
    refunds,
    reservations,
    bookings,
    requests,
    restarts,
    changes,
    carriedOver,
    formerRefunds,
    seconds,
    cpuSeconds,
  } = tally;
  print(
    `${payments} payments (${reservations} reservations, of which tills booked ${bookings}), ${refunds} refunds, ${requests} requests to the service, ${restarts} restarts of the daemon`,
  );
  if (changes > 0)
    print(
      `${changes} changes of the service, with ${carriedOver} payments and refunds open; ${formerRefunds} refunds at the service before`,
    );
  print(
    `${(payments / seconds).toFixed(0)} payments per second in ${seconds.toFixed(1)} s; ${(payments / cpuSeconds).toFixed(0)} per second of one core`,
  );
  const brokenRules = [...tally.brokenRules]
    .toSorted(([a], [b]) => a - b)
    .map(([rule, count]) => `rule ${rule} in ${count}`);
  const verdict =
    brokenRules.length === 0 ? 'every rule held' : `BROKEN: ${brokenRules.join(', ')}`;
  print(`${runs} runs from seed ${seed}: ${verdict}`);
  return brokenRules.length === 0 ? 0 : 1;
}

process.exitCode = await main();
