/** Latencies of payments beside their floors, and the times of start and stop. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { type ServiceName } from '../../main/core/domain/sale.ts';
import type { Page } from 'playwright';
import { launchChromium } from '../support/browser.ts';
import { Floors, type FloorSample, measureBareProcess } from './floors.ts';
import { type Sample, Shop } from './shop.ts';

/** The lower bound of a latency on this machine. */
interface Floor {
  readonly what: string;
  readonly measured: number;
}

export interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly unit: string;
  readonly floor?: Floor;
}

export const runs = 5;
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] as number;
}
export const median = (values: readonly number[]): number => percentile(values, 0.5);
const p99 = <Key extends string>(
  samples: readonly Readonly<Record<Key, number>>[],
  of: Key,
): number =>
  percentile(
    samples.map((sample) => sample[of]),
    0.99,
  );

type FloorPart = keyof FloorSample | 'picture';

export const latencies = ['toAccepted', 'toQr', 'toStatusInformation'] as const;
export const names = {
  toAccepted: 'last byte of the authorisation → 80 00 00, p99',
  toQr: 'last byte → QR at a connected screen, p99',
  toStatusInformation: 'Reserved delivered to a poll → status information, p99',
} as const;
/** On ePayment the QR is a picture of its own for each payment, fetched after it is created. */
export const limits = {
  v10: { toAccepted: 5, toQr: 20, toStatusInformation: 10 },
  epayment: { toAccepted: 5, toQr: 300, toStatusInformation: 10 },
} as const;
/**
 * The service limits the number: an ePayment is polled once a second and changed five times a
 * minute, so a payment takes at least a second.
 */
export const paymentsOf = { v10: 200, epayment: 20 } as const;
/**
 * For 64 lanes. On ePayment there are few, because the simulator draws a picture for each and would
 * otherwise be what is measured.
 */
export const crowdOf = {
  v10: { payments: 15, customerMs: [200, 1_000] },
  epayment: { payments: 5, customerMs: [1_000, 3_000] },
} as const;
/**
 * The parts that no implementation can avoid: the intent is on disk before anything is sent, and
 * the till and the service are asked over a socket.
 */
const floorParts = {
  toAccepted: ['echo', 'commit'],
  toQr: ['echo', 'commit', 'http'],
  toStatusInformation: ['echo', 'commit'],
} as const satisfies Record<keyof Sample, readonly FloorPart[]>;
export const floorNames = {
  echo: 'an echo over TCP',
  http: 'an empty HTTP request',
  commit: 'a commit of SQLite',
  picture: 'the picture from the simulator',
} as const satisfies Record<FloorPart, string>;
export const floorSamples = 200;
/**
 * No till asks for a payment in the millisecond in which the one before ended, while its end is
 * still being written down.
 */
const betweenMs = 20;

interface Latency {
  readonly ms: Record<keyof Sample, number>;
  readonly floor: Record<FloorPart, number>;
}

export function floorOf({ floor }: Latency, of: keyof Sample): Floor {
  const parts: readonly FloorPart[] =
    of === 'toQr' && floor.picture > 0 ? [...floorParts[of], 'picture'] : floorParts[of];
  return {
    what: parts.map((part) => floorNames[part]).join(' + '),
    measured: parts.reduce((sum, part) => sum + floor[part], 0),
  };
}

/**
 * Each run a fresh daemon; the first payments warm it up. The floor is measured beside the idle
 * daemon.
 */
export async function measureLatency(
  service: ServiceName,
  lanes: number,
  paymentsPerLane: number,
  customerMs: () => number,
): Promise<Latency> {
  const perRun: Record<keyof Sample, number>[] = [];
  const floorPerRun: Record<FloorPart, number>[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const shop = await new Shop({ lanes, pollDelayInMs: 100, service }).open();
    await shop.startDaemon();
    await shop.openCounters();
    const floors = await Floors.open();
    const bare = await floors.measure(floorSamples);
    await floors.close();
    const samples: Sample[] = [];
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let payment = -2; payment < paymentsPerLane; payment += 1) {
          await new Promise((resolve) => setTimeout(resolve, betweenMs));
          const sample = await shop.pay(lane, customerMs());
          if (payment >= 0) samples.push(sample);
        }
      }),
    );
    await shop.stopDaemon();
    await shop.close();
    const picture = shop.pictureMs.length === 0 ? 0 : percentile(shop.pictureMs, 0.99);
    floorPerRun.push({
      echo: p99(bare, 'echo'),
      http: p99(bare, 'http'),
      commit: p99(bare, 'commit'),
      picture,
    });
    perRun.push({
      toAccepted: p99(samples, 'toAccepted'),
      toQr: p99(samples, 'toQr'),
      toStatusInformation: p99(samples, 'toStatusInformation'),
    });
    say(
      `${service}, ${lanes} lane${lanes === 1 ? '' : 's'}, run ${run}: ${latencies.map((of) => perRun.at(-1)?.[of].toFixed(2)).join(' / ')} ms`,
    );
  }
  const medianOf = (of: keyof Sample): number => median(perRun.map((figures) => figures[of]));
  const floorIn = (of: FloorPart): number => median(floorPerRun.map((figures) => figures[of]));
  return {
    ms: {
      toAccepted: medianOf('toAccepted'),
      toQr: medianOf('toQr'),
      toStatusInformation: medianOf('toStatusInformation'),
    },
    floor: {
      echo: floorIn('echo'),
      http: floorIn('http'),
      commit: floorIn('commit'),
      picture: floorIn('picture'),
    },
  };
}

export async function measureStart(payments: number): Promise<{ measured: number; floor: Floor }> {
  const shop = await new Shop({ lanes: 1, pollDelayInMs: 100 }).open();
  if (payments > 0) fillJournal(shop.dataFolder, payments);
  const startMs: number[] = [];
  const bareMs: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    bareMs.push((await measureBareProcess()).startMs);
    const ms = await shop.startDaemon();
    if (run > 0) startMs.push(ms); // the first creates the point of sale and fills the disk's cache
    await shop.stopDaemon();
  }
  await shop.close();
  say(`start with ${payments} payments: ${startMs.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  return {
    measured: median(startMs),
    floor: { what: 'a bare process of Node', measured: median(bareMs) },
  };
}

function fillJournal(folder: string, payments: number): void {
  mkdirSync(folder, { recursive: true });
  const journal = openSqliteJournal(join(folder, 'journal.sqlite'), systemClock);
  for (let n = 1; n <= payments; n += 1) {
    const saleId = systemIds.uuid();
    const paymentId = systemIds.uuid();
    const orderId = `1-${String(n).padStart(6, '0')}-${saleId.slice(0, 8)}`;
    const numbers = { receiptNumber: ((n - 1) % 9_999) + 1, traceNumber: ((n - 1) % 999_999) + 1 };
    const sale = {
      saleId,
      orderId,
      laneId: '1',
      posId: paymentId,
      flow: 'initiate',
      idempotencyKey: systemIds.uuid(),
      deadlineMs: 120_000,
      startedAtMs: n,
      amountMinor: n,
      currency: 'DKK',
      ...numbers,
    } as const;
    journal.append('1', saleId, [
      { type: 'saleRequested', sale },
      { type: 'created', paymentId, status: 'initiated' },
      { type: 'statusSeen', status: 'issuedToUser' },
      { type: 'captureIntended' },
      { type: 'tillAcknowledged' },
      { type: 'captured' },
    ]);
  }
  journal.close();
}

/**
 * Stops the daemon with a payment under way, and measures the first paint of the screens in
 * browsers that have never seen them.
 */
export async function measureStopAndPaint(): Promise<Figure[]> {
  const stopMs: number[] = [];
  const paintMs: number[] = [];
  const bareStopMs: number[] = [];
  const emptyPaintMs: number[] = [];
  const firstPaint = (page: Page): Promise<number> =>
    page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
  const floors = await Floors.open();
  const browser = await launchChromium();
  for (let run = 1; run <= runs; run += 1) {
    const shop = await new Shop({ lanes: 1, pollDelayInMs: 1_000 }).open();
    await shop.startDaemon();
    const empty = await (await browser.newContext()).newPage();
    await empty.goto(floors.emptyPage);
    await empty.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    emptyPaintMs.push(await firstPaint(empty));
    await empty.context().close();
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${shop.screensUrl}/cashier/`);
    await page.locator('[data-state="idle"]').waitFor();
    paintMs.push(await firstPaint(page));
    await page.context().close();
    await shop.openCounters();
    await shop.beginPayment(0);
    const startMs = performance.now();
    await shop.stopDaemon();
    stopMs.push(performance.now() - startMs);
    bareStopMs.push((await measureBareProcess()).stopMs);
    await shop.close();
  }
  await browser.close();
  await floors.close();
  const stopFloor = { what: 'a bare process of Node', measured: median(bareStopMs) };
  const paintFloor = { what: 'an empty page', measured: median(emptyPaintMs) };
  return [
    {
      what: 'SIGTERM with a payment in flight → ended',
      measured: median(stopMs),
      atMost: 2_000,
      unit: 'ms',
      floor: stopFloor,
    },
    {
      what: 'first paint of the cashier’s screen',
      measured: median(paintMs),
      atMost: 1_000,
      unit: 'ms',
      floor: paintFloor,
    },
  ];
}
