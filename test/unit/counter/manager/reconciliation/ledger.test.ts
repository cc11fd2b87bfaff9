/**
 * The report of a sales unit's ledger beside a journal on disk. The service is made up, request by
 * request.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import type { Sale } from '../../../../../main/core/settlement/payment.ts';
import { openSqliteJournal } from '../../../../../main/core/journal/sqlite-journal.ts';
import { ledgerReader } from '../../../../../main/counter/manager/reconciliation/read-ledger.ts';
import { Reconciliation } from '../../../../../main/counter/manager/reconciliation/reconciliation.ts';
import type { LedgerEntry } from '../../../../../main/wallets/epayment/report/report-operations.ts';
import { epaymentProfile } from '../../../../../main/wallets/epayment/epayment-profile.ts';
import type { HttpAnswer, HttpSend } from '../../../../../main/wallets/http/http.ts';
import { Transport } from '../../../../../main/wallets/http/transport.ts';
import {
  asked,
  Folder,
  noReserve,
  refundNumbered,
  saleNumbered,
} from '../../../core/journal/support.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { all, newest } from './reconciliation-support.ts';

const period = { from: '2026-11-16', to: '2026-11-21' };
const msn = '123456';
const ledgerId = '302321';
const day = '2026-11-18';

let folder: Folder;
let clock: ManualClock;
let journal: ReturnType<typeof openSqliteJournal>;
let reconciliation: Reconciliation;
let funds: LedgerEntry[];
let fees: LedgerEntry[];
/** The events by reference. */
let events: Map<string, { pspReference: string; idempotencyKey: string | null }[]>;
let openDays: Set<string>;
let requested: string[];
let pageLength: number;

beforeEach(() => {
  folder = new Folder();
  clock = new ManualClock();
  journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  [funds, fees, events, openDays, requested, pageLength] = [
    [],
    [],
    new Map(),
    new Set(),
    [],
    1_000,
  ];
  const access = { about: {}, headers: async () => ({}), refused: () => false };
  const transport = new Transport({
    baseUrl: 'https://service.example',
    access,
    profile: epaymentProfile,
    send,
    clock,
    log: silentLog,
  });
  reconciliation = new Reconciliation({
    storePath: join(folder.path, 'reconciliation.sqlite'),
    journalPath: folder.journal,
    reports: ledgerReader({ transport, msn, clock }),
    posNames: ['1'],
    clock,
    log: silentLog,
  });
});
afterEach(async () => {
  await reconciliation.close();
  journal.close();
  folder[Symbol.dispose]();
});

const httpAnswer = (body: unknown, status = 200): HttpAnswer => ({
  status,
  retryAfterMs: null,
  body: JSON.stringify(body),
});

const send: HttpSend = async ({ url }) => {
  const { pathname, searchParams } = new URL(url);
  requested.push(pathname);
  if (pathname === '/settlement/v1/ledgers')
    return httpAnswer({
      items: [
        { ledgerId, currency: 'DKK', settlesForRecipientHandles: [`api:${msn}`] },
        { ledgerId: 'other', currency: 'DKK', settlesForRecipientHandles: ['api:9'] },
      ],
    });
  const ofPayment = /payments\/([^/]+)\/events$/.exec(pathname);
  if (ofPayment !== null) {
    const log = events.get(ofPayment[1] ?? '');
    const common = {
      reference: ofPayment[1],
      name: 'REFUNDED',
      amount: { currency: 'DKK', value: 1 },
      timestamp: '',
      success: true,
    };
    return log === undefined
      ? httpAnswer({ extraDetails: [{ name: 'ErrorCode', reason: '5090' }] }, 404)
      : httpAnswer(log.map((event) => ({ ...common, ...event })));
  }
  const [, topic, date = ''] = /ledgers\/302321\/(funds|fees)\/dates\/(.*)$/.exec(pathname) ?? [];
  const ofDay = (topic === 'funds' ? funds : fees).filter(({ ledgerDate }) => ledgerDate === date);
  const from = Number(searchParams.get('cursor') ?? 0);
  const items = ofDay.slice(from, from + pageLength);
  // As from the service, there is always a cursor, and the last page may be empty.
  return httpAnswer({
    items,
    cursor: String(from + items.length),
    hasMore: items.length === pageLength,
    tryLater: openDays.has(date),
  });
};

function entry(entryType: string, amount: number, about: Partial<LedgerEntry> = {}): LedgerEntry {
  const ledgerDate = about.ledgerDate ?? day;
  const balanceBefore = funds.at(-1)?.balanceAfter ?? 0;
  return {
    pspReference: null,
    time: `${ledgerDate}T12:00:00Z`,
    ledgerDate,
    entryType,
    reference: null,
    currency: 'DKK',
    amount,
    balanceBefore,
    balanceAfter: balanceBefore + amount,
    ...about,
  };
}
const fund = (...told: Parameters<typeof entry>): void => void funds.push(entry(...told));
const payOut = (amount: number, ledgerDate = day, number = 1): void =>
  fund('payout-scheduled', -amount, {
    ledgerDate,
    pspReference: `${ledgerId}-${number}`,
    reference: `0212345600120261119`,
    time: `${ledgerDate}T23:59:59Z`,
  });

/** A payment of ePayment, whose id is its reference. */
function paid(n: number, amountMinor: number, orderId = `1-00000${n}-5a1e0000`): Sale {
  const sale = { ...saleNumbered(n, { amountMinor, startedAtMs: clock.wallMs() }), orderId };
  const paymentId = orderId.replaceAll(' ', '-');
  journal.append('1', sale.saleId, [
    asked(sale),
    { type: 'created', paymentId, status: 'initiated' },
    { type: 'captureIntended' },
    { type: 'tillAcknowledged' },
    { type: 'captured' },
  ]);
  return sale;
}
function refunded(n: number, of: Sale, amountMinor: number, key: string): string {
  const refund = refundNumbered(n, of, { amountMinor, paymentId: of.orderId });
  const refundId = `${of.orderId}/${key}`;
  journal.appendRefund('1', refund.refundOrderId, [
    { type: 'refundRequested', request: refund },
    { type: 'created', refundId },
    { type: 'captured' },
  ]);
  return refund.refundOrderId;
}

async function open(again = false) {
  const state = await reconciliation.open(period, again, 60_000);
  if (state.kind !== 'ready') throw new Error(JSON.stringify(state));
  return state;
}
const rows = () =>
  (reconciliation.rows(period, all, newest, 0, 500)?.rows ?? []).map(
    ({ category, kind, orderId, oursMinor, bankMinor, feeMinor }) => [
      category,
      kind,
      orderId,
      oursMinor,
      bankMinor,
      feeMinor,
    ],
  );
const transfers = () =>
  reconciliation
    .transfers(period, 0, 10)
    ?.transfers.map(({ totalMinor, transactions, addsUp, feesMinor }) => ({
      totalMinor,
      transactions,
      addsUp,
      feesMinor,
    }));

describe('a payout', () => {
  test('adds up to what was captured, refunded and kept back since the one before, and all of it is matched', async () => {
    const sale = paid(1, 12_550);
    const refundOrderId = refunded(1, sale, 550, 'key-1');
    const free = paid(2, 1_000, '1 000002 5a1e0000');
    fund('capture', 12_550, { reference: sale.orderId, pspReference: 'c1' });
    fund('capture', 1_000, { reference: '1-000002-5a1e0000', pspReference: 'c2' });
    fund('refund', -550, { reference: sale.orderId, pspReference: 'r1' });
    events.set(sale.orderId, [{ pspReference: 'r1', idempotencyKey: 'key-1' }]);
    fees.push(entry('capture-fee', 100, { pspReference: 'c1' }));
    fund('fees-retained', -130);
    payOut(12_870);
    await open();
    expect(transfers()).toEqual([
      { totalMinor: 12_870, transactions: 4, addsUp: true, feesMinor: -130 },
    ]);
    expect(rows()).toEqual(
      expect.arrayContaining([
        ['matched', 'payment', sale.orderId, 12_550, 12_550, -100],
        // Matched by the id of the payment, because the order text is not its reference.
        ['matched', 'payment', '1-000002-5a1e0000', free.amountMinor, 1_000, 0],
        ['matched', 'refund', refundOrderId, -550, -550, 0],
        ['fee', 'serviceFee', null, null, -30, 0],
      ]),
    );
    expect(rows()).toHaveLength(4);
  });

  test('holds what earlier days carried over, and nothing of the payout before', async () => {
    const sale = paid(1, 1_000);
    payOut(700, '2026-11-13', 1);
    fund('capture', 300, {
      ledgerDate: '2026-11-14',
      reference: '2-000009-5a1e0000',
      pspReference: 'c0',
    });
    fund('capture', 1_000, { reference: sale.orderId, pspReference: 'c1' });
    payOut(1_300, day, 2);
    await open();
    expect(transfers()).toEqual([
      { totalMinor: 1_300, transactions: 2, addsUp: true, feesMinor: 0 },
    ]);
    // A payment of another lane, which this counter does not have.
    expect(rows()).toContainEqual(['elsewhere', 'payment', '2-000009-5a1e0000', null, 300, 0]);
  });

  test('fees that were invoiced are in no payout', async () => {
    const sale = paid(1, 1_000);
    fund('capture', 1_000, { reference: sale.orderId, pspReference: 'c1' });
    fees.push(entry('capture-fee', 100, { pspReference: 'c1' }), entry('fees-invoiced', -100));
    payOut(1_000);
    await open();
    expect(transfers()).toEqual([
      { totalMinor: 1_000, transactions: 1, addsUp: true, feesMinor: 0 },
    ]);
  });

  test('that came back, and whatever nobody has heard of, is carried on to a person', async () => {
    fund('payout-aborted', 500);
    fund('retained-disputed-capture', -200);
    fund('from-the-future', 40);
    payOut(340);
    await open();
    expect(transfers()).toMatchObject([{ addsUp: true }]);
    expect(rows().map(([category, kind]) => [category, kind])).toEqual([
      ['bankOnly', 'adjustment'],
      ['bankOnly', 'returned'],
      ['bankOnly', 'other'],
    ]);
  });
});

test('two refunds of one payment are told apart by their keys; one of the portal is the bank’s alone', async () => {
  const sale = paid(1, 3_000);
  const first = refunded(1, sale, 500, 'key-1');
  const second = refunded(2, sale, 500, 'key-2');
  fund('capture', 3_000, { reference: sale.orderId, pspReference: 'c1' });
  for (const pspReference of ['r2', 'r3', 'r1'])
    fund('refund', -500, { reference: sale.orderId, pspReference });
  events.set(sale.orderId, [
    { pspReference: 'r1', idempotencyKey: 'key-1' },
    { pspReference: 'r2', idempotencyKey: 'key-2' },
    { pspReference: 'r3', idempotencyKey: null },
  ]);
  await open();
  expect(rows().filter(([, kind]) => kind === 'refund')).toEqual(
    expect.arrayContaining([
      ['waiting', 'refund', first, -500, -500, 0],
      ['waiting', 'refund', second, -500, -500, 0],
      ['bankOnly', 'refund', null, null, -500, 0],
    ]),
  );
  // After the transfer they are the same two.
  payOut(1_500);
  await open(true);
  expect(
    rows()
      .filter(([, kind]) => kind === 'refund')
      .map(([category]) => String(category))
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['bankOnly', 'matched', 'matched']);
});

test('a day that the service still adds to is read again; one that is finished is not', async () => {
  const sale = paid(1, 1_000);
  openDays.add(day);
  await open();
  // Only the journal has it.
  expect(rows()).toMatchObject([
    [expect.stringMatching(/waiting|missing/), 'payment', sale.orderId, 1_000, null, 0],
  ]);
  fund('capture', 1_000, { reference: sale.orderId, pspReference: 'c1' });
  payOut(1_000);
  openDays.clear();
  requested = [];
  await open();
  expect(rows()).toEqual([['matched', 'payment', sale.orderId, 1_000, 1_000, 0]]);
  expect(requested).not.toContain(`/report/v2/ledgers/${ledgerId}/funds/dates/2026-11-16`);
  await open();
  expect(rows()).toHaveLength(1);
});

test('pages are followed as long as there are more, also behind a full one', async () => {
  pageLength = 2;
  for (const n of [1, 2, 3, 4])
    fund('capture', 100, { reference: `1-00000${n}-5a1e0000`, pspReference: `c${n}` });
  await open();
  expect(rows()).toHaveLength(4);
});
