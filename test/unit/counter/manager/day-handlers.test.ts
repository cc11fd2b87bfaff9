import { describe, expect, test } from 'vitest';
import { DayColumn } from '../../../../preload/procedures/day.ts';
import type { InputOf } from '../../../../preload/procedures.ts';
import { money, reserved } from '../../core/lane/support.ts';
import {
  ask,
  dayMs,
  loseTime,
  openManagerWorld,
  pay,
  refund,
  refunded,
  refuse,
  shop,
  value,
  world,
} from './manager-world.ts';

openManagerWorld();

describe('a day', () => {
  test('has its totals by lane and hour, and what is open', async () => {
    await refunded();
    await refuse();
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    const open = await pay(5_000);
    const day = await value('day', { day: null, laneId: null });
    const totals = {
      laneId: '1',
      currency: 'DKK',
      payments: { count: 2, sumMinor: 6_234 },
      refunds: { count: 1, sumMinor: 234 },
    };
    expect(day).toMatchObject({
      lanes: [{ ...totals, name: 'Check-out 1' }],
      hours: [totals],
      open: [{ saleId: open, kind: 'sale', intent: 'capture', needsPerson: false }],
      newestClosing: 0,
      lastClosing: null,
    });
    expect(day.day).toBe(day.today);
    expect(day.toMs - day.fromMs).toBe(dayMs);
    expect(await value('day', { day: '2026-11-20', laneId: null })).toMatchObject({
      lanes: [],
      hours: [],
    });
    expect(await value('day', { day: null, laneId: '2' })).toMatchObject({
      lanes: [],
      hours: [],
      open: [],
    });
    expect(await ask('day', { day: '2026-02-30', laneId: null })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'day',
    });
  });

  test('says of what only a person can settle, which way it was decided', async () => {
    world.settleAnswer = { kind: 'refused', reason: 'other', code: null, detail: 'not reserved' };
    world.pollAnswers = [reserved, { ...reserved, status: 'cancelledByClient' }];
    world.commands.requestSale(money);
    await world.clock.pass(60_000);
    expect((await value('day', { day: null, laneId: null })).open).toMatchObject([
      { kind: 'sale', intent: 'capture', needsPerson: true },
    ]);
  });

  test('closes with a number; the next closing begins where this one ended, and nothing is in two of them', async () => {
    const first = await value('closeDay', { laneId: null });
    expect(first).toMatchObject({
      number: 1,
      by: 'Anna',
      fromMs: 0,
      shop,
      lanes: [{ payments: { count: 1, sumMinor: 1_234 } }],
    });
    await world.clock.pass(1);
    await pay(700);
    const second = await value('closeDay', { laneId: null });
    expect(second).toMatchObject({
      number: 2,
      fromMs: first.toMs,
      lanes: [{ payments: { count: 1, sumMinor: 700 } }],
    });
    expect(await value('closing', { number: 1 })).toEqual(first);
    expect(
      (await value('closings', { before: null })).closings.map(({ number }) => number),
    ).toEqual([2, 1]);
    expect((await value('closings', { before: 2 })).closings.map(({ number }) => number)).toEqual([
      1,
    ]);
    expect(await ask('closing', { number: 3 })).toMatchObject({ ok: false, code: 'notFound' });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      newestClosing: 2,
      lastClosing: { number: 2, toMs: second.toMs },
    });
  });

  test('saves a day and a closing report as files for a spreadsheet, with a row for each lane', async () => {
    await value('closeDay', { laneId: '1' });
    const { number } = await value('closeDay', { laneId: null });
    const columns = Object.fromEntries(
      DayColumn.options.map((column) => [column, `<${column}>`]),
    ) as Record<DayColumn, string>;
    const words = { name: 'Dag', columns };
    const csv = { separator: ';', decimal: ',' } as const;
    const lines = async (of: InputOf<'dayExport'>['of']) => {
      const { fileId, ...offer } = await value('dayExport', { of, csv, words });
      const { base64 } = await value('filePart', { fileId, part: 0 });
      return { offer, lines: Buffer.from(base64, 'base64').toString('utf8').split('\r\n') };
    };
    const { offer, lines: ofReport } = await lines({ number });
    expect(offer).toMatchObject({ name: 'Dag 2.csv', type: 'text/csv' });
    expect(ofReport[0]).toBe(
      `\uFEFF${DayColumn.options.map((column) => `"<${column}>"`).join(';')}`,
    );
    expect(ofReport[1]).toMatch(
      /^"2";;"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d";"Check-out 1";"DKK";"1";12,34;"0";0,00;12,34;;;;"1"$/,
    );
    expect(ofReport.slice(2)).toEqual(['']);
    const ofDay = await lines({ day: null, laneId: null });
    expect(ofDay.offer.name).toMatch(/^Dag \d{4}-\d\d-\d\d\.csv$/);
    expect(ofDay.lines[1]).toMatch(
      /^;"[^"]+";"[^"]+";"Check-out 1";"DKK";"1";12,34;"0";0,00;12,34;;;;$/,
    );
    expect(await ask('dayExport', { of: { number: 99 }, csv, words })).toMatchObject({
      ok: false,
      code: 'notFound',
    });
  });

  test('says which earlier reports, of a lane by itself or of all together, have some of its money', async () => {
    const ofLane = await value('closeDay', { laneId: '1' });
    const lane = { laneId: '1', payments: { count: 1, sumMinor: 1_234 } };
    const overlap = { number: 1, laneId: '1', atMs: ofLane.atMs, lanes: [lane] };
    expect(ofLane.overlaps).toEqual([]);
    expect((await value('day', { day: null, laneId: null })).overlaps).toMatchObject([overlap]);
    expect((await value('day', { day: null, laneId: '1' })).overlaps).toEqual([]);
    const ofAll = await value('closeDay', { laneId: null });
    expect(ofAll.overlaps).toMatchObject([overlap]);
    expect((await value('closing', { number: 1 })).overlaps).toEqual([]);
    expect(
      (await value('closings', { before: null })).closings.map(({ overlaps }) =>
        overlaps.map(({ number }) => number),
      ),
    ).toEqual([[1], []]);
    await world.clock.pass(1);
    expect((await value('day', { day: null, laneId: null })).overlaps).toEqual([]);
    expect((await value('day', { day: null, laneId: '2' })).overlaps).toMatchObject([
      { number: 2, laneId: null, lanes: [] },
    ]);
  });

  test('of an earlier version has no shop on its closing, and opens', async () => {
    world.journal.keepClosing({
      manager: 'Anna',
      laneId: null,
      fromMs: 0,
      toMs: 1,
      report: { lanes: [], hours: [], open: [], counted: { sale: 0, refund: 0, capture: 0 } },
    });
    expect(await value('closing', { number: 1 })).toMatchObject({
      number: 1,
      shop: { name: null, address: null, vat: null },
    });
  });

  test('whose clock was set back after a closing loses no payment and no refund of it', async () => {
    const { clock } = world;
    await value('closeDay', { laneId: null });
    const wallMs = clock.wallMs.bind(clock);
    clock.wallMs = () => wallMs() - 60_000;
    const sold = await pay(700);
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    await refund({ saleId: sold, amountMinor: 100 });
    await clock.pass(1_000);
    clock.wallMs = wallMs;
    await clock.pass(1_000);
    const { lanes } = await value('closeDay', { laneId: null });
    expect(lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 700 }, refunds: { count: 1, sumMinor: 100 } },
    ]);
    await clock.pass(1);
    expect((await value('closeDay', { laneId: null })).lanes).toEqual([]);
  });

  test('is not closed over an undecided payment or refund, nor before the last closing', async () => {
    world.pollAnswers = [{ ...reserved, status: 'cancelledByUser' }];
    world.commands.requestSale(money);
    await world.clock.pass(0);
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'paymentUnderWay',
    });
    expect(await ask('closeDay', { laneId: '2' })).toMatchObject({
      ok: false,
      code: 'notFound',
      field: 'laneId',
    });
    await world.clock.pass(1_000);
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    await refund();
    await world.clock.pass(0);
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'paymentUnderWay',
    });
    await world.clock.pass(1_000);
    await value('closeDay', { laneId: null });
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'clockBehind',
    });
    await world.clock.pass(1);
    loseTime();
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'clockBehind',
    });
    expect((await value('closings', { before: null })).closings).toHaveLength(1);
  });
});
