/**
 * The figures that the product promises, each with what it may be at most, or must be at least.
 * Medians of five runs; the service answers at once. A latency has the bare floor of this machine
 * beside it, measured in the same runs: ratios are what is compared from machine to machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, readCommand } from '../../main/support/command-line.ts';
import { type ServiceName, serviceNames } from '../../main/core/domain/sale.ts';
import buildFirst from '../build-first.ts';
import { measureAppStarts } from './app.ts';
import { launchChromium } from '../support/browser.ts';
import {
  type Flood,
  FloodedCounter,
  type Measured,
  serverFloods,
  tillFloods,
} from '../support/floods.ts';
import { Product } from '../support/processes.ts';
import { Floors, measureBareProcess } from './floors.ts';
import { measureHostile } from './hostile-callbacks.ts';
import { measureHttpTill } from './http-till.ts';
import type { LoopPause } from './loop-pause.ts';
import { bounded } from '../support/bounded.ts';
import { measureYear } from './reconciliation.ts';
import { measureService } from './service-load.ts';
import { Shop } from './shop.ts';
import { measurePackets } from './till-packets.ts';
import { measureDay } from './windows.ts';
import {
  type Figure,
  latencies,
  runs,
  say,
  percentile,
  median,
  names,
  limits,
  paymentsOf,
  crowdOf,
  floorNames,
  floorSamples,
  floorOf,
  measureLatency,
  measureStart,
  measureStopAndPaint,
} from './latencies.ts';

const {
  json: asJson,
  only,
  service: onlyService,
} = readCommand(
  command({
    call: 'npm run bench --',
    does: 'Measures times, sizes and loads against their limits. Exit code 1: a limit is missed.',
    options: {
      only: {
        type: 'string',
        value: 'PART',
        does: 'one of packets, payments, http, start, screens, app, memory, windows, service, certification, reconciliation, floods, callbacks',
      },
      service: {
        type: 'string',
        value: 'SERVICE',
        does: 'payments with only v10 or epayment (default: both, side by side)',
      },
      json: { type: 'boolean', does: 'prints JSON' },
    },
  }),
).values;
if (onlyService !== undefined && !serviceNames.some((name) => name === onlyService))
  throw new RangeError(`--service: must be one of ${serviceNames.join(', ')}, got ${onlyService}`);
buildFirst();
/**
 * 10,000 payments at a counter PC with all the lanes that it can have: memory, and every poll
 * watched by the service.
 */
async function measureLongRun(): Promise<Figure[]> {
  const shop = await new Shop({ lanes: 16, pollDelayInMs: 100 }).open();
  await shop.startDaemon();
  await shop.openCounters();
  const payments = 10_000;
  const memory: { payments: number; megabytes: number }[] = [];
  let started = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      while (started < payments) {
        started += 1;
        await shop.pay(lane, 20);
        done += 1;
        if (done % 250 === 0) memory.push({ payments: done, megabytes: shop.residentMegabytes() });
        if (done % 2_000 === 0)
          say(`${done} payments: ${shop.residentMegabytes().toFixed(1)} MB, ${shop.polls} polls`);
      }
    }),
  );
  const { earlyPolls = Number.NaN } = shop.violations();
  const { polls } = shop;
  await shop.stopDaemon();
  await shop.close();
  const late = memory.filter((sample) => sample.payments >= payments / 2);
  return [
    {
      what: `polls earlier than pollDelayInMs, of ${polls.toLocaleString('en')}`,
      measured: earlyPolls,
      atMost: 0,
      unit: '',
    },
    {
      what: 'resident memory after 10,000 payments',
      measured: median(memory.slice(-4).map(({ megabytes }) => megabytes)),
      atMost: 120,
      unit: 'MB',
    },
    {
      what: 'growth from 5,000 to 10,000 payments (fitted line)',
      measured: slope(late) * (payments / 2),
      atMost: 5,
      unit: 'MB',
    },
  ];
}

/**
 * 24 hours of trade without its pauses, with windows open: what they and the daemon hold at its end
 * is what they held at noon.
 */
async function measureWindows(): Promise<Figure[]> {
  const payments = Number(process.env['TILLBEACON_BENCH_PAYMENTS'] ?? 3_000);
  const browser = await launchChromium();
  const held = await measureDay(browser, payments, say);
  await browser.close();
  return [...held].map(([name, samples]) => {
    const late = samples.slice(samples.length / 2);
    const growth =
      (slope(late) * (payments / 2) * 100) / median(late.map(({ megabytes }) => megabytes));
    return {
      what: `a day of ${payments.toLocaleString('en')} payments: growth of the ${name} in its second half (fitted line)`,
      measured: growth,
      atMost: 5,
      unit: '%',
    };
  });
}

/** How many requests a second the simulated service answers, with one load generator beside it. */
async function measureSimulator(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pointsOfSale of [2, 1_000]) {
    const perRun: number[] = [];
    for (let run = 0; run < runs; run += 1) perRun.push(await measureService(pointsOfSale, 2));
    say(
      `the service with ${pointsOfSale} points of sale: ${perRun.map((perSecond) => perSecond.toFixed(0)).join(', ')} requests a second`,
    );
    figures.push({
      what: `the simulated service with ${pointsOfSale.toLocaleString('en')} points of sale, requests a second`,
      measured: median(perRun),
      atLeast: 3_000,
      unit: '/s',
    });
  }
  return figures;
}

/** Megabytes per payment, by least squares. */
function slope(samples: readonly { payments: number; megabytes: number }[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(samples.map(({ payments }) => payments));
  const meanY = mean(samples.map(({ megabytes }) => megabytes));
  const covariance = mean(
    samples.map(({ payments, megabytes }) => (payments - meanX) * (megabytes - meanY)),
  );
  return covariance / mean(samples.map(({ payments }) => (payments - meanX) ** 2));
}

/** The older service's figures have the names that they have always had. */
async function measurePayments(): Promise<Figure[]> {
  const figures: Figure[][] = [];
  for (const service of serviceNames.filter(
    (name) => onlyService === undefined || name === onlyService,
  ))
    figures.push(await measurePaymentsAt(service));
  // Each figure of one service is listed above the same figure of the other.
  return (figures[0] ?? []).flatMap((_, index) => figures.flatMap((of) => of[index] ?? []));
}

async function measurePaymentsAt(service: ServiceName): Promise<Figure[]> {
  const one = await measureLatency(service, 1, paymentsOf[service], () => 1);
  const { payments, customerMs } = crowdOf[service];
  const [least, most] = customerMs;
  const many = await measureLatency(
    service,
    64,
    payments,
    () => least + Math.random() * (most - least),
  );
  const on = service === 'v10' ? '' : 'ePayment: ';
  return [
    ...latencies.map((of) => ({
      what: `${on}${names[of]}`,
      measured: one.ms[of],
      atMost: limits[service][of],
      unit: 'ms',
      floor: floorOf(one, of),
    })),
    ...latencies.map((of) => ({
      what: `${on}64 lanes: ${names[of]}`,
      measured: many.ms[of],
      atMost: 3 * one.ms[of],
      unit: 'ms',
      floor: floorOf(many, of),
    })),
  ];
}

/**
 * Measures the till's request and the request to the service, with the intent written to disk
 * before that.
 */
async function measureHttp(): Promise<Figure[]> {
  const [payments, streams] = [200, 500];
  const perRun: Record<'alone' | 'besideStreams' | 'floor', readonly number[]>[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const { cpu, ...times } = await measureHttpTill({ payments, streams });
    const floor = times.floor.map(({ http, commit }) => 2 * http + commit);
    perRun.push({ ...times, floor });
    const both = (values: readonly number[]): string =>
      `${percentile(values, 0.5).toFixed(2)}, p99 ${percentile(values, 0.99).toFixed(2)} ms`;
    say(
      [
        `till over HTTP, run ${run}: ${both(times.alone)}`,
        `beside ${streams} streams ${both(times.besideStreams)}`,
        `floor ${both(floor)}`,
        `processor ${cpu.alone.toFixed(2)}, beside streams ${cpu.besideStreams.toFixed(2)} ms each`,
      ].join('; '),
    );
  }
  return [0.5, 0.99].flatMap((share) => {
    const of = (what: 'alone' | 'besideStreams' | 'floor'): number =>
      median(perRun.map((times) => percentile(times[what], share)));
    const floor = {
      what: `two of ${floorNames.http} + ${floorNames.commit}`,
      measured: of('floor'),
    };
    const what = `POST /v1/payments → QR at a connected screen, p${share * 100}`;
    return [
      { what, measured: of('alone'), atMost: 20, unit: 'ms', floor },
      {
        what: `${streams} event streams open: ${what}`,
        measured: of('besideStreams'),
        atMost: 20,
        unit: 'ms',
        floor,
      },
    ];
  });
}

async function measureStarts(): Promise<Figure[]> {
  return [
    { what: 'start → ready, empty journal', ...(await measureStart(0)), atMost: 500, unit: 'ms' },
    {
      what: 'start → ready, 100,000 payments',
      ...(await measureStart(100_000)),
      atMost: 700,
      unit: 'ms',
    },
  ];
}

async function measureApp(): Promise<Figure[]> {
  const bareMs: number[] = [];
  for (let run = 0; run < runs; run += 1) bareMs.push((await measureBareProcess()).startMs);
  const starts = await measureAppStarts(runs, say);
  const floor = { what: 'a bare process of Node', measured: median(bareMs) };
  return [
    {
      what: 'the app over the stand-in: start → ready to take a payment',
      measured: median(starts.map(({ readyMs }) => readyMs)),
      atMost: 1_500,
      unit: 'ms',
      floor,
    },
    {
      what: 'the app over the stand-in: first paint of the cashier’s window',
      measured: median(starts.map(({ paintMs }) => paintMs)),
      atMost: 1_000,
      unit: 'ms',
    },
  ];
}

/** A year of a busy shop compared with the bank's reports. */
async function measureReconciliation(): Promise<Figure[]> {
  const { openMs, frameMs } = await measureYear({ payments: 400_000, runs, say });
  const floors = await Floors.open();
  const floor = {
    what: floorNames.http,
    measured: median((await floors.measure(floorSamples)).map(({ http }) => http)),
  };
  await floors.close();
  return [
    {
      what: 'reconciliation: a year of 400,000 payments, from the click to its rows',
      measured: median(openMs),
      atMost: 2_000,
      unit: 'ms',
      floor,
    },
    {
      what: 'reconciliation: frames a second while the year scrolls by, median',
      measured: 1_000 / median(frameMs),
      atLeast: 59,
      unit: '/s',
    },
    {
      what: 'reconciliation: a frame while the year scrolls by, p95',
      measured: percentile(frameMs, 0.95),
      atMost: 34,
      unit: 'ms',
    },
  ];
}

/**
 * The whole checklist at the embedded service; most of it is waiting, as long as the service asks
 * for.
 */
async function measureCertification(): Promise<Figure[]> {
  const report = mkdtempSync(join(tmpdir(), 'tillbeacon-bench-'));
  const startedAtMs = performance.now();
  const { code } = await new Product('certify', ['--report', report]).exited;
  const seconds = (performance.now() - startedAtMs) / 1_000;
  rmSync(report, { recursive: true });
  if (code !== 0) throw new Error(`the certification ended with ${code}`);
  return [
    { what: 'certification at the embedded service', measured: seconds, atMost: 60, unit: 's' },
  ];
}

/**
 * How long a till waits while somebody floods a port of another lane, of pages or of programs,
 * beside its longest wait in the same run without a flood.
 */
async function measureFloods(): Promise<Figure[]> {
  const seconds = 5;
  const flooded = await FloodedCounter.open();
  const figures: Figure[] = [];
  const never = Number.POSITIVE_INFINITY;
  const measure = (flood: Flood | null): Promise<Measured> =>
    flooded.measure(flood, seconds).catch((error: Error) => {
      say(error.message);
      return {
        maxMs: never,
        paidMs: never,
        busiestMs: never,
        logLines: 0,
        sent: { bytes: 0, connections: 0 },
      };
    });
  for (const flood of [...tillFloods, ...serverFloods]) {
    const quiet = await measure(null);
    const { maxMs, paidMs, busiestMs, sent } = await measure(flood);
    say(
      `${flood.name}: ${maxMs.toFixed(1)} ms, its payment ${paidMs.toFixed(1)} ms; ${(sent.bytes / 1e6).toFixed(1)} MB sent`,
    );
    const floor = { what: 'the longest without a flood', measured: quiet.maxMs };
    const what = `another lane’s till, longest wait while ${flood.name}`;
    figures.push({ what, measured: Math.max(maxMs, paidMs), atMost: 100, unit: 'ms', floor });
    figures.push({
      what: `${what}: of which the daemon was at work`,
      measured: busiestMs,
      atMost: 100,
      unit: 'ms',
    });
  }
  await flooded.close();
  return figures;
}

/**
 * Other senders wait for as long as the loop pauses. The last part: this process has the lowest
 * priority afterwards.
 */
async function measureCallbacks(): Promise<Figure[]> {
  const pauses = await measureHostile({ runs, say });
  const medianOf = (of: keyof LoopPause): number => median(pauses.map((pause) => pause[of]));
  return [
    {
      what: 'callbacks: longest pause of the loop under 1,000 hostile requests',
      measured: medianOf('maxPauseMs'),
      atMost: 10,
      unit: 'ms',
    },
    {
      what: 'callbacks: of which at work, not waiting for a core',
      measured: medianOf('busiestMs'),
      atMost: 10,
      unit: 'ms',
    },
  ];
}

async function measureTillPackets(): Promise<Figure[]> {
  const perSecond = measurePackets({ runs, say });
  return [
    {
      what: 'ZVT packets parsed and encoded, in a second of one core',
      measured: median(perSecond),
      atLeast: 1_000_000,
      unit: '/s',
    },
  ];
}

/** The parts of the benchmark, of which `--only` runs one. */
const parts = {
  packets: measureTillPackets,
  payments: measurePayments,
  http: measureHttp,
  start: measureStarts,
  screens: measureStopAndPaint,
  app: measureApp,
  memory: measureLongRun,
  windows: measureWindows,
  service: measureSimulator,
  certification: measureCertification,
  reconciliation: measureReconciliation,
  floods: measureFloods,
  callbacks: measureCallbacks,
} as const;
/** A part that takes longer does not end by itself. */
const maxPartMs = 40 * 60_000;
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts))
  if (only === undefined || only === name)
    figures.push(...(await bounded(measure(), `the part ${name} ends`, maxPartMs)));
if (figures.length === 0)
  throw new RangeError(`--only: must be one of ${Object.keys(parts).join(', ')}, got ${only}`);

const rows = figures.map((figure) => ({
  ...figure,
  ...(figure.floor && { ratio: figure.measured / figure.floor.measured }),
  ok:
    figure.measured <= (figure.atMost ?? Number.POSITIVE_INFINITY) &&
    figure.measured >= (figure.atLeast ?? Number.NEGATIVE_INFINITY),
}));
if (asJson)
  process.stdout.write(
    `${JSON.stringify({ node: process.versions.node, runs, figures: rows }, null, 2)}\n`,
  );
else {
  const number = (value: number): string =>
    Number.isInteger(value) ? String(value) : value.toFixed(2);
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, measured, atMost, atLeast, unit, ok, floor, ratio } of rows) {
    const limit =
      atMost === undefined ? `at least ${number(atLeast ?? 0)}` : `at most ${number(atMost)}`;
    const bare =
      floor === undefined
        ? ''
        : `, ${(ratio ?? Number.NaN).toFixed(1)} times ${floor.what} (${number(floor.measured)} ${unit})`;
    process.stdout.write(
      `${ok ? 'ok  ' : 'MISS'} ${what.padEnd(width)} ${number(measured).padStart(9)} ${unit.padEnd(2)} (${limit}${bare})\n`,
    );
  }
}
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
