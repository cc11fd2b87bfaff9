import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import readExcel from 'read-excel-file/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent, Sale } from '../../main/core/settlement/payment.ts';
import { type Clock, systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { integratorAccess } from '../../main/wallets/v10/v10-access.ts';
import { fetchHttp } from '../../main/wallets/http/http.ts';
import { createPointOfSaleClient } from '../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { clockWith } from '../support/clock-with.ts';

const dayMs = 86_400_000;
const day = (daysFromNow: number): string => {
  const at = new Date(Date.now() + daysFromNow * dayMs);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
};

let browser: Browser;
let counter: Counter;
let page: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  counter = await Counter.open({ transport: 'tcp', reporting: true });
  await world();
});
afterEach(async () => {
  await page?.context().close();
  await counter.close();
  expect(mistakes.splice(0)).toEqual([]);
});

/**
 * One payment on which all agree; one that the bank alone has; one that we alone have; and one with
 * two amounts. Then the bank transfers.
 */
async function world(): Promise<void> {
  const paid = counter.till.pay(12_345, 'DKK');
  await counter.customerPays();
  await paid;
  await counter.serviceSays('Captured');
  await payAtService('bank-only-1', 700);
  await payAtService('differs-1', 900);

  await counter.daemon.end('SIGKILL');
  await counter.till.close();
  plant({ orderId: 'differs-1', amountMinor: 1_000, daysAgo: 0 });
  plant({ orderId: 'ours-only-1', amountMinor: 4_200, daysAgo: 5 });
  await counter.startDaemon();
  await fetch(`${counter.credentials.baseUrl}/simulator/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceMs: dayMs }),
  });
}

/** Takes a payment at the same point of sale without this daemon. */
async function payAtService(orderId: string, amountMinor: number): Promise<void> {
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } = counter.credentials;
  const network = { profile: profileNamed('generic'), send: fetchHttp, clock: systemClock };
  const access = integratorAccess({
    ...network,
    authUrl,
    credentials: { clientId, clientSecret, merchantVat },
    clientVersion: '1.0.0',
  });
  const transport = new Transport({ ...network, baseUrl, access, log: silentLog });
  const pointOfSale = (
    counter.settings as {
      lanes: { pointOfSale: Parameters<typeof createPointOfSaleClient>[0]['settings'] }[];
    }
  ).lanes[0]?.pointOfSale;
  if (pointOfSale === undefined || storeIds.length === 0) throw new Error('no point of sale');
  const settings = { ...pointOfSale, requirePaymentBeforeCheckin: false };
  const wallet = createPointOfSaleClient({
    transport,
    profile: network.profile,
    settings,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
  });
  await wallet.open();
  const money = { amountMinor, currency: 'DKK' } as const;
  const created = await wallet.create({
    flow: 'initiate',
    orderId,
    idempotencyKey: systemIds.uuid(),
    ...money,
  });
  if (created.kind !== 'created') throw new Error(JSON.stringify(created));
  await counter.customerPays();
  expect(await wallet.capture(created.paymentId, money)).toEqual({ kind: 'accepted' });
}

/** Into the journal of a daemon that does not run. */
function plant({
  orderId,
  amountMinor,
  daysAgo,
}: {
  orderId: string;
  amountMinor: number;
  daysAgo: number;
}): void {
  const clock: Clock = clockWith({ wallMs: () => Date.now() - daysAgo * dayMs });
  const journal = openSqliteJournal(join(counter.folder, 'data', 'journal.sqlite'), clock);
  const { receiptNumber, traceNumber } = journal.nextNumbers('1');
  const sale: Sale = {
    saleId: systemIds.uuid(),
    orderId,
    laneId: '1',
    posId: systemIds.uuid(),
    flow: 'initiate',
    idempotencyKey: systemIds.uuid(),
    deadlineMs: 120_000,
    startedAtMs: clock.wallMs(),
    amountMinor,
    currency: 'DKK',
    receiptNumber,
    traceNumber,
  };
  const events: PaymentEvent[] = [
    { type: 'saleRequested', sale },
    { type: 'created', paymentId: systemIds.uuid(), status: 'initiated' },
    { type: 'captureIntended' },
    { type: 'tillAcknowledged' },
    { type: 'captured' },
  ];
  journal.append('1', sale.saleId, events);
  journal.close();
}

async function openPage(viewport = { width: 1024, height: 768 }): Promise<void> {
  const context = await browser.newContext({ viewport, acceptDownloads: true });
  page = await context.newPage();
  page.on('pageerror', (error) => mistakes.push(error.message));
  page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()));
  await page.goto(`${counter.started.screens}/manager/?lang=en#reconciliation`);
  await page.getByTestId('code').fill(counter.firstManagerCode);
  await page.keyboard.press('Enter');
  await page.getByTestId('manager-name').fill('Ana');
  await page.keyboard.press('Enter');
  for (let round = 0; round < 2; round += 1) {
    await page.getByTestId('pin').waitFor();
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
  }
  await page
    .locator('[data-state="ready"] tb-table, [data-state="ready"] .empty')
    .first()
    .waitFor();
}

/** Own dates around all that there is. */
async function showPeriod(press: (testId: string) => Promise<void>): Promise<void> {
  await page.getByTestId('reconciliation-period').selectOption('own');
  await page.getByTestId('reconciliation-from').fill(day(-7));
  await page.getByTestId('reconciliation-to').fill(day(3));
  await press('reconciliation-show');
  await page
    .getByText('4,200', { exact: false })
    .or(page.getByText('ours-only-1'))
    .first()
    .waitFor();
}

const rows = (): Promise<string[]> => page.locator('tb-table .rows .row').allInnerTexts();
const figure = (card: string): Promise<string> =>
  page.getByTestId(`card-${card}`).locator('.figure').innerText();

test('a manager sees by touch what the bank and the journal have, leaves a note, and takes it home as CSV and Excel', async () => {
  await openPage();
  await showPeriod((testId) => page.getByTestId(testId).click());

  expect(await figure('look-at')).toBe('3');
  expect(await figure('matched')).toBe('1');
  // 123.45 + 7 + 9, less three times 0.25 and 0.5 %.
  expect(await figure('received')).toMatch(/138\.00/);
  expect(await figure('fees')).toMatch(/1\.45/);
  const shown = (await rows()).map((row) => row.trim().split('\n')[0]);
  expect(new Set(shown)).toEqual(new Set(['Amount differs', 'Missing', 'Only at bank']));
  expect(shown).toHaveLength(3);

  await page.locator('tb-table .row', { hasText: 'bank-only-1' }).click();
  await page.getByText('The bank has this').waitFor();
  await page.getByText('The journal of this counter has no record of it.').waitFor();
  await page.getByTestId('save-note').click();
  await page.getByText('Write what there is to know.').waitFor();
  await page.getByTestId('reconciliation-note').fill('=asked the provider; waits');
  await page.getByTestId('save-note').click();
  await page.getByTestId('notes').getByText('Ana').waitFor();
  await page.getByTestId('close-story').click();

  await page.locator('tb-table .row', { hasText: 'ours-only-1' }).click();
  await page.getByTestId('journal-story').getByText('Confirmed by the service').waitFor();
  await page.getByText('The bank has no record of it.').waitFor();
  await page.getByTestId('close-story').click();

  await page.getByTestId('reconciliation-filter').selectOption('all');
  await page.locator('tb-table .row', { hasText: 'Fee' }).first().waitFor();
  const csv = await download('export-csv');
  const lines = csv.content.toString('utf8').split('\r\n');
  expect(csv.name).toBe(`Reconciliation ${day(-7)} – ${day(3)}.csv`);
  const titles = [
    'Status',
    'Kind',
    'Time',
    'Order id',
    'Lane',
    'Journal',
    'Bank',
    'Fee',
    'Difference',
    'Currency',
    'Transfer',
    'Transferred',
    'Test payment',
    'Notes',
  ];
  expect(lines[0]).toBe(`\uFEFF${titles.map((title) => `"${title}"`).join(',')}`);
  expect(lines.filter((line) => line.startsWith('"Only at bank","Payment",'))).toEqual([
    expect.stringMatching(
      /,"bank-only-1","Check-out 1",,7\.00,-0\.25,7\.00,"DKK","\d+","[^,]+",,"Ana: =asked the provider; waits"$/,
    ),
  ]);
  expect(lines.filter((line) => line.startsWith('"Amount differs",'))).toEqual([
    expect.stringContaining(',10.00,9.00,-0.25,-1.00,"DKK",'),
  ]);

  const excel = await download('export-xlsx');
  const [sheet] = await readExcel(excel.content);
  expect(sheet?.data[0]).toEqual(titles);
  expect(sheet?.data).toHaveLength(lines.length - 1);
  expect(sheet?.data.find((row) => row[3] === 'ours-only-1')).toMatchObject([
    'Missing',
    'Payment',
    expect.any(Date),
    'ours-only-1',
    'Check-out 1',
    42,
    null,
    null,
    -42,
    'DKK',
    null,
    null,
    null,
    null,
  ]);
});

async function download(button: string): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId(button).click(),
  ]);
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

test('the same by keyboard alone: period, filter, row, note', async () => {
  await openPage();
  await showPeriod(async (testId) => {
    await page.getByTestId(testId).focus();
    await page.keyboard.press('Enter');
  });
  await page.getByTestId('reconciliation-filter').focus();
  // Chosen by its first letters, as lists allow.
  await page.keyboard.type('Amount');
  await page.locator('tb-table .row', { hasText: 'differs-1' }).waitFor();
  await page.locator('tb-table').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByText('The bank has another amount than the journal.').waitFor();
  await page.getByTestId('reconciliation-note').focus();
  await page.keyboard.type('asked');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByTestId('notes').getByText('asked').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('tb-reconciliation-story').waitFor({ state: 'detached' });
});
