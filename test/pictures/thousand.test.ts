import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LaneState, LaneView } from '../../preload/contract.ts';
import { launchChromium } from '../support/browser.ts';
import { isLong } from '../support/long.ts';
import { nowMs, openPage, Stage } from './stage.ts';
import { quietLane } from '../support/quiet-lane.ts';

/** The same for the customer's page is in test/counter/customer-screen.test.ts. */
const payments = isLong ? 1_000 : 300;
/** After so many payments everything is loaded. */
const warmedUp = 100;
/** Growth that caches and the engine itself cause. */
const noiseBytes = 1_000_000;

let browser: Browser;
let stage: Stage;
beforeAll(async () => {
  [browser, stage] = await Promise.all([launchChromium(), Stage.open()]);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** One payment from the till's key to its place among the last ten. */
function* payment(number: number, recent: LaneView['recent']): Generator<LaneView> {
  const money = {
    saleId: randomUUID(),
    amountMinor: 100 + number,
    currency: 'DKK',
    by: 'till',
  } as const;
  const onItsWay = { ...money, remainingMs: 87_000, qr: null, canCancel: true } as const;
  const states: readonly LaneState[] = [
    { kind: 'contactingService', ...onItsWay },
    { kind: 'waitingForCustomer', ...onItsWay, qr: `walletpos://pos?id=${money.saleId}&source=qr` },
    { kind: 'approveInApp', ...onItsWay },
    { kind: 'confirming', ...onItsWay },
  ];
  for (const state of states) yield { ...quietLane, state, recent };
  const ended = {
    ...money,
    orderId: `1-${number}`,
    receiptNumber: (number % 9_999) + 1,
    startedAtMs: nowMs,
    reason: null,
    certainty: 'confirmed' as const,
    refundedMinor: 0,
  };
  yield {
    ...quietLane,
    state: { kind: 'paid', ...money },
    recent: [ended, ...recent].slice(0, 10),
  };
}

async function used(debug: CDPSession): Promise<{ bytes: number; nodes: number }> {
  // Twice: what the first one frees may hold more.
  for (let round = 0; round < 2; round += 1) await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  const { nodes } = await debug.send('Memory.getDOMCounters');
  return { bytes: usedSize, nodes };
}

test(`${payments} payments leave the memory of the cashier’s page as it was`, async () => {
  const page = await openPage(browser);
  await page.goto(`${stage.url}/cashier/?lang=da`);
  const debug = await page.context().newCDPSession(page);
  let recent: LaneView['recent'] = [];
  const take = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number += 1) {
      for (const lane of payment(number, recent)) {
        stage.play({ lanes: [lane] });
        recent = lane.recent;
        await setImmediate();
      }
      // No faster than the page follows.
      if (number % 20 === 19) await stage.seenBy(page, 'cashier');
    }
  };
  await take(0, warmedUp);
  const before = await used(debug);
  await take(warmedUp, payments);
  const after = await used(debug);
  process.stdout.write(
    `the cashier’s page: ${Math.round((after.bytes - before.bytes) / 1000)} kB more after ${payments} payments\n`,
  );
  expect(after.bytes - before.bytes).toBeLessThan(noiseBytes);
  expect(after.nodes - before.nodes).toBeLessThan(200);
});
