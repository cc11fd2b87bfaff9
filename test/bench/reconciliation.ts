/**
 * A year of a busy shop on a manager's screen: how long it takes to open, and how it scrolls. Real
 * daemon, real Chromium; the reports have been read before.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { eventLog } from '../../main/core/journal/event-log.ts';
import { refundsTable } from '../../main/core/journal/refunds-table.ts';
import { salesTable } from '../../main/core/journal/sales-table.ts';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import type { Sale } from '../../main/core/settlement/payment.ts';
import type { RefundRequest } from '../../main/core/settlement/refund.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { minorUnits } from '../../main/core/domain/money.ts';
import { dayMs, spanOf, transferDays } from '../../main/counter/manager/reconciliation/period.ts';
import { openStore } from '../../main/counter/manager/reconciliation/store.ts';
import type { ReportedTransaction } from '../../main/wallets/v10/reporting/reporting-schemas.ts';
import { launchChromium } from '../support/browser.ts';
import { makeFirstManager } from '../support/first-manager.ts';
import { type DaemonReady, Product } from '../support/processes.ts';

const storeId = '51070000-0000-4000-8000-000000000001';
const posName = 'Check-out 1';
const pin = '2468';
const year = new Date().getFullYear() - 1;
const period = { from: `${year}-01-01`, to: `${year}-12-31` };

export interface YearFigures {
  /**
   * Time of each run from the click to the first rows on the screen, each with a daemon that has
   * just started.
   */
  readonly openMs: readonly number[];
  /** Duration of each frame while the page scrolls. */
  readonly frameMs: readonly number[];
}

/** @param payments with one fee each, and one refund to a hundred */
export async function measureYear({
  payments,
  runs,
  say,
}: {
  payments: number;
  runs: number;
  say: (text: string) => void;
}): Promise<YearFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-year-'));
  const browser = await launchChromium();
  try {
    fill(folder, payments);
    await makeFirstManager(join(folder, 'data'), { name: 'Ana', pin });
    const openMs: number[] = [];
    let frameMs: number[] = [];
    // The first run only warms up the disk's cache.
    for (let run = 0; run <= runs; run += 1) {
      const daemon = startDaemon(folder);
      const page = await signIn(browser, (await daemon.ready<DaemonReady>()).screens);
      const ms = await openYear(page);
      if (run > 0) openMs.push(ms);
      if (run === runs) frameMs = await scroll(page);
      await page.context().close();
      await daemon.end();
    }
    say(
      `a year of ${payments} payments opened in ${openMs.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    );
    return { openMs, frameMs };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startDaemon(folder: string): Product {
  const pointOfSale = {
    merchantPosId: 'shop-1-lane-1',
    storeId,
    name: posName,
    beaconTypes: ['QR'],
    beaconId: null,
  };
  const till = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 };
  const settings = {
    wallet: { simulator: true },
    lanes: [{ id: '1', name: posName, currency: 'DKK', pointOfSale, till }],
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  return new Product('daemon', [
    '--settings',
    join(folder, 'settings.json'),
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
  ]);
}

/** Journal and reports of the year before this one, as if both had been written all along. */
function fill(folder: string, payments: number): void {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  openSqliteJournal(join(data, 'journal.sqlite'), systemClock).close();
  const journal = new DatabaseSync(join(data, 'journal.sqlite'));
  // One transaction instead of 400,000 durable ones: those are not what is measured.
  journal.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN');
  const log = eventLog(journal);
  const sales = salesTable(journal, log);
  const refunds = refundsTable(journal, log, sales);
  const store = openStore(join(data, 'reconciliation.sqlite'));
  const span = spanOf(period);
  const perDay = Math.ceil(payments / 365);
  for (let n = 0, day = 0; n < payments; day += 1) {
    const lines: ReportedTransaction[] = [];
    for (const end = Math.min(payments, n + perDay); n < end; n += 1) {
      const saleId = systemIds.uuid();
      const orderId = `1-${String(n).padStart(6, '0')}-${saleId.slice(0, 8)}`;
      const atMs =
        span.fromMs + day * dayMs + Math.round((8 + 12 * ((n % perDay) / perDay)) * 3_600_000);
      const amountMinor = 500 + ((n * 7_919) % 90_000);
      const paymentId = systemIds.uuid();
      const sale = saleOf({
        saleId,
        orderId,
        amountMinor,
        startedAtMs: atMs,
        receiptNumber: (n % 9_999) + 1,
        traceNumber: (n % 999_999) + 1,
      });
      sales.append('1', saleId, atMs, [
        { type: 'saleRequested', sale },
        { type: 'created', paymentId, status: 'initiated' },
        { type: 'captureIntended' },
        { type: 'tillAcknowledged' },
        { type: 'captured' },
      ])();
      // One in 5,000 is missing, one has another amount, one is the bank's alone.
      if (n % 5_000 !== 1)
        lines.push(
          line(
            'Payment',
            n % 5_000 === 2 ? amountMinor - 100 : amountMinor,
            atMs,
            n % 5_000 === 3 ? `other-${n}` : orderId,
          ),
        );
      lines.push(line('TransactionFee', -25, atMs, orderId));
      if (n % 100 !== 50) continue;
      const refundOrderId = systemIds.uuid();
      const request = refundOf({ refundOrderId, sale, paymentId, startedAtMs: atMs + 60_000 });
      refunds.append('1', refundOrderId, atMs + 60_000, [
        { type: 'refundRequested', request },
        { type: 'created', refundId: systemIds.uuid() },
        { type: 'captureIntended' },
        { type: 'captured' },
      ])();
      lines.push(line('Refund', -500, atMs + 60_000, refundOrderId));
    }
    keepTransfer(store, day, span.fromMs + (day + 1) * dayMs - 20 * 3_600_000, lines);
  }
  store.keepDays(storeId, transferDays(span), Date.now(), () => true);
  store.close();
  journal.exec('COMMIT');
  journal.close();
}

type SaleFacts = Pick<
  Sale,
  'saleId' | 'orderId' | 'amountMinor' | 'startedAtMs' | 'receiptNumber' | 'traceNumber'
>;

function saleOf(facts: SaleFacts): Sale {
  return {
    ...facts,
    laneId: '1',
    posId: storeId,
    flow: 'initiate',
    idempotencyKey: storeId,
    deadlineMs: 120_000,
    currency: 'DKK',
  };
}

type RefundFacts = Pick<RefundRequest, 'refundOrderId' | 'paymentId' | 'startedAtMs'> & {
  readonly sale: Sale;
};

function refundOf({ sale, ...facts }: RefundFacts): RefundRequest {
  const { saleId, receiptNumber, traceNumber, laneId, currency, idempotencyKey, deadlineMs } = sale;
  const by = { kind: 'manager', name: 'Ana' } as const;
  const numbers = {
    receiptNumber,
    traceNumber,
    originalReceiptNumber: receiptNumber,
    originalTraceNumber: traceNumber,
  };
  return {
    ...facts,
    ...numbers,
    saleId,
    laneId,
    currency,
    idempotencyKey,
    deadlineMs,
    by,
    note: 'returned',
    amountMinor: 500,
  };
}

function keepTransfer(
  store: ReturnType<typeof openStore>,
  day: number,
  atMs: number,
  lines: readonly ReportedTransaction[],
): void {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const id = systemIds.uuid();
  const date = new Date(atMs).toISOString();
  store.keepTransfers(storeId, [
    {
      id,
      reference: `01${String(day).padStart(18, '0')}`,
      date,
      totalTransferredAmount: minorUnits(total),
      currencyCode: 'DKK',
    },
  ]);
  const [transfer] = store.unreadTransfers(storeId, { fromMs: atMs, toMs: atMs + 1 }, false);
  if (transfer !== undefined) store.keepTransferLines(storeId, transfer, lines);
}

const line = (
  type: string,
  amountMinor: number,
  atMs: number,
  merchantReference: string,
): ReportedTransaction => ({
  type,
  amount: minorUnits(amountMinor),
  currencyCode: 'DKK',
  timestamp: new Date(atMs).toISOString(),
  merchantReference,
  posName,
});

async function signIn(browser: Browser, screens: string): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: { width: 1920, height: 1080 } })
  ).newPage();
  await page.goto(`${screens}/manager/?lang=en#reconciliation`);
  await page.getByTestId('pin').waitFor();
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
  await page.locator('[data-state="ready"]').waitFor();
  return page;
}

/** Measures in the page's own time, from the click until a frame with rows has been drawn. */
async function openYear(page: Page): Promise<number> {
  await page.getByTestId('reconciliation-period').selectOption('lastYear');
  await page.getByTestId('filter-all').click();
  return page.evaluate(async () => {
    const root = document
      .querySelector('tb-manager')
      ?.shadowRoot?.querySelector('tb-reconciliation-page')?.shadowRoot;
    if (root == null) throw new Error('there is no page');
    const beganMs = performance.now();
    root.querySelector<HTMLElement>('[data-testid="reconciliation-show"]')?.click();
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const isReady =
        root.querySelector('[data-state="ready"]') !== null &&
        root.querySelector('[data-testid="card-received"]') !== null;
      const row = root
        .querySelector('tb-table')
        ?.shadowRoot?.querySelector('.rows .row[aria-busy="false"]');
      if (isReady && row != null) break;
      if (performance.now() - beganMs > 120_000) throw new Error('the year does not open');
    }
    return performance.now() - beganMs;
  });
}

/** Down the whole year, faster than a hand: 300 frames, each by a screen and more. */
async function scroll(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const table = document
      .querySelector('tb-manager')
      ?.shadowRoot?.querySelector('tb-reconciliation-page')
      ?.shadowRoot?.querySelector('tb-table');
    const rows = table?.shadowRoot?.querySelector('.rows');
    if (rows == null) throw new Error('there is no table');
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const stepPx = (rows.scrollHeight - rows.clientHeight) / 300;
    const deltas: number[] = [];
    let before = await frame();
    for (let step = 1; step <= 300; step += 1) {
      rows.scrollTop = step * stepPx;
      const now = await frame();
      deltas.push(now - before);
      before = now;
    }
    return deltas;
  });
}
