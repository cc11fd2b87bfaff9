import { describe, expect, test } from 'vitest';
import type { HourTotals, LaneTotals, OpenMoney } from '../../../../../preload/procedures/day.ts';
import {
  busyHoursOf,
  byCurrency,
  hoursOf,
  netMinor,
  shiftedDay,
} from '../../../../../renderer/manager/day/day-figures.ts';
import { testsTexts } from '../../../../../renderer/manager/day/day-totals.ts';
import { openMoneyText } from '../../../../../renderer/manager/open-money-text.ts';

const hourMs = 3_600_000;
const fromMs = new Date(2026, 10, 21).getTime();
const day = { fromMs, toMs: fromMs + 24 * hourMs };
const sum = (count: number, sumMinor: number) => ({ count, sumMinor });
const hour = (at: number, sumMinor: number, about: Partial<HourTotals> = {}): HourTotals => ({
  laneId: '1',
  hourMs: fromMs + at * hourMs,
  currency: 'DKK',
  payments: sum(1, sumMinor),
  refunds: sum(0, 0),
  ...about,
});

describe('a day’s figures', () => {
  test('are added up by lane, and never over two currencies', () => {
    const lane = (
      laneId: string,
      currency: LaneTotals['currency'],
      paid: number,
      back: number,
    ): LaneTotals => ({
      laneId,
      name: laneId,
      currency,
      payments: sum(2, paid),
      refunds: sum(1, back),
    });
    const [dkk, eur, ...none] = byCurrency([
      lane('1', 'DKK', 1_000, 100),
      lane('2', 'EUR', 500, 0),
      lane('3', 'DKK', 50, 200),
    ]);
    expect(none).toEqual([]);
    expect(dkk).toMatchObject({ currency: 'DKK', payments: sum(4, 1_050), refunds: sum(2, 300) });
    expect(dkk?.lanes.map(({ laneId }) => laneId)).toEqual(['1', '3']);
    expect(eur).toMatchObject({ currency: 'EUR', payments: sum(2, 500), refunds: sum(1, 0) });
    expect(netMinor(lane('1', 'DKK', 100, 300))).toBe(-200);
  });

  test('say how many test payments they contain, and how much, in all lanes; nothing where there are none', () => {
    const lane = (laneId: string, tests?: LaneTotals['tests']): LaneTotals => ({
      laneId,
      name: laneId,
      currency: 'DKK',
      payments: sum(9, 9_000),
      refunds: sum(3, 300),
      ...(tests && { tests }),
    });
    const texts = (...lanes: LaneTotals[]) =>
      byCurrency(lanes).flatMap((figures) => testsTexts('en', figures));
    expect(texts(lane('1'))).toEqual([]);
    expect(texts(lane('1', { payments: sum(1, 100), refunds: sum(0, 0) }))).toEqual([
      'Includes 1 test payment from setup: DKK\u00a01.00',
    ]);
    const both = texts(
      lane('1', { payments: sum(1, 100), refunds: sum(1, 50) }),
      lane('2', { payments: sum(2, 200), refunds: sum(1, 100) }),
      lane('3'),
    );
    expect(both).toEqual([
      'Includes 3 test payments from setup: DKK\u00a03.00',
      'Includes 2 refunds of test payments: DKK\u00a01.50',
    ]);
  });

  test('have a bar for each hour between the first and the last payment, also for the quiet ones', () => {
    const hours = [
      hour(9, 100),
      hour(9, 50, { laneId: '2' }),
      hour(18, 7),
      hour(12, 1, { currency: 'EUR' }),
    ];
    const bars = hoursOf('DKK', hours, day);
    expect(bars.map(({ payments }) => payments.sumMinor)).toEqual([150, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    expect(bars[0]?.payments.count).toBe(2);
    expect(hoursOf('SEK' as never, hours, day)).toEqual([]);
  });

  test('never are one fat bar: a quiet day has eight hours, and none of another day', () => {
    const at = (bars: readonly { hourMs: number }[]): number[] =>
      bars.map((bar) => (bar.hourMs - fromMs) / hourMs);
    expect(at(hoursOf('DKK', [hour(11, 1)], day))).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
    expect(at(hoursOf('DKK', [hour(21, 1)], day))).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
  });

  test('in a report have only the hours in which money moved, in their order', () => {
    const hours = [hour(40, 5), hour(9, 100), hour(9, 50, { laneId: '2' })];
    expect(
      busyHoursOf('DKK', hours).map(({ hourMs: at, payments }) => [
        (at - fromMs) / hourMs,
        payments.sumMinor,
      ]),
    ).toEqual([
      [9, 150],
      [40, 5],
    ]);
  });
});

test('a day earlier or later is one of the calendar', () => {
  expect(shiftedDay('2026-03-01', -1)).toBe('2026-02-28');
  expect(shiftedDay('2026-03-29', 1)).toBe('2026-03-30');
  expect(shiftedDay('2026-12-31', 1)).toBe('2027-01-01');
});

test('what is open says what is the matter and what to do, in the cashier’s words', () => {
  const money: OpenMoney = {
    kind: 'refund',
    saleId: '5a1e0000-0000-4000-8000-000000000001',
    orderId: 'r-1',
    laneId: '1',
    atMs: 0,
    amountMinor: 250,
    currency: 'DKK',
    intent: 'capture',
    needsPerson: false,
    byTill: false,
  };
  expect(openMoneyText('en', money)).toBe(
    'Refund · DKK\u00a02.50 is being refunded; the service has not confirmed it yet. Tillbeacon keeps trying.',
  );
  expect(openMoneyText('en', { ...money, byTill: true })).toMatch(/^Refund at the till · DKK/);
  expect(openMoneyText('en', { ...money, needsPerson: true })).toMatch(
    /call support and quote refund r-1\. Correlation id: 5a1e0000-0000-4000-8000-000000000001\.$/,
  );
  expect(openMoneyText('en', { ...money, needsPerson: true, problem: 'refundUnseen' })).toContain(
    'the service does not show it',
  );
  expect(
    openMoneyText('en', {
      ...money,
      kind: 'sale',
      needsPerson: true,
      problem: 'otherAmountCaptured',
      movedMinor: 100,
    }),
  ).toContain('only DKK\u00a01.00 of it');
  expect(openMoneyText('en', { ...money, kind: 'sale', intent: null })).toBe(
    'Payment · DKK\u00a02.50 is still under way.',
  );
});
