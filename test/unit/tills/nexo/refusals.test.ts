import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { HttpLane } from '../../../../main/tills/http/lane.ts';
import type { Place } from '../../../../main/tills/nexo/names.ts';
import { maxRefusals, maxReversals, Refusals } from '../../../../main/tills/nexo/refusals.ts';

let folder: string;
let nowMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-refusals-'));
  nowMs = Date.UTC(2026, 10, 1);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lane: Place = { poiId: 'Tillbeacon-1', lane: { id: '1' } as HttpLane };
const otherLane: Place = { poiId: 'Tillbeacon-2', lane: { id: '2' } as HttpLane };
const named = { saleId: 'POS-1', serviceId: 'R1' };
const hours = 3_600_000;
const body = (text: string): object => ({
  Response: { Result: 'Failure', AdditionalResponse: text },
});
const path = (): string => join(folder, 'nexo-refusals.sqlite');
const open = (): Refusals =>
  new Refusals({ path: path(), clock: { wallMs: () => nowMs } as never, log: silentLog });
const reversal = (
  serviceId: string,
  paymentId = 'p',
  sale: { TransactionID: string; TimeStamp: string } | null = null,
) => ({
  saleId: 'POS-1',
  serviceId,
  paymentId,
  sale,
});

test('a file of the version before is opened with what it has', () => {
  const db = new DatabaseSync(path());
  db.exec(
    'CREATE TABLE refusals (name TEXT NOT NULL UNIQUE, body TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT',
  );
  db.prepare('INSERT INTO refusals VALUES (?, ?, ?)').run(
    JSON.stringify(['refund', '1', 'POS-1', 'R1']),
    JSON.stringify(body('busy')),
    nowMs,
  );
  db.close();
  const refusals = open();
  expect(refusals.before('refund', lane, named)).toEqual(body('busy'));
  expect(refusals.hasForgotten(lane, nowMs)).toBe(false);
  refusals.keepReversal(lane, reversal('R1'), body('later'));
  refusals.close();
  const again = open();
  expect(again.before('refund', lane, named)).toEqual(body('busy'));
  expect(again.reversalBefore(lane, reversal('R1'))).toEqual(body('later'));
  again.close();
});

test('a name is free after 48 hours; the reversal of one payment is known under it for good, and no other', () => {
  const refusals = open();
  refusals.keep('refund', lane, named, body('busy'));
  refusals.keepReversal(lane, reversal('R1'), body('busy'));
  nowMs += 364 * 24 * hours;
  expect(refusals.before('refund', lane, named)).toBeNull();
  expect(refusals.reversalBefore(lane, reversal('R1'))).toEqual(body('busy'));
  const sale = { TransactionID: '1', TimeStamp: '2026-11-01T00:00:00Z' };
  for (const other of [reversal('R1', 'q'), reversal('R2'), reversal('R1', 'p', sale)])
    expect(refusals.reversalBefore(lane, other)).toBeNull();
  expect(refusals.reversalBefore(otherLane, reversal('R1'))).toBeNull();
  refusals.close();
});

test('refusals are kept up to a number; of payments that began before the first one dropped it is said that they may be forgotten, also after a restart', () => {
  const opened = open();
  opened.close();
  const db = new DatabaseSync(path());
  const insert = db.prepare('INSERT INTO reversals (name, body, at_ms) VALUES (?, ?, ?)');
  db.exec('BEGIN');
  const name = (n: number) =>
    JSON.stringify([
      '\u0000poi',
      'Tillbeacon-1',
      'POS-1',
      `R${n}`.padEnd(30, '0'),
      crypto.randomUUID(),
      null,
    ]);
  for (let n = 0; n < maxReversals; n += 1)
    insert.run(name(n), JSON.stringify(body('x'.repeat(250))), nowMs + n);
  db.exec('COMMIT');
  db.close();
  let refusals = open();
  expect(refusals.hasForgotten(lane, 0)).toBe(false);
  refusals.keepReversal(lane, reversal('T1'), body('busy'));
  const size = statSync(path()).size;
  for (let n = 2; n <= 20; n += 1) refusals.keepReversal(lane, reversal(`T${n}`), body('busy'));
  for (let n = 1; n <= 20; n += 1) refusals.keepReversal(lane, reversal('T20'), body('busy'));
  expect(statSync(path()).size).toBeLessThan(size + 100_000);
  const reader = new DatabaseSync(path(), { readOnly: true });
  expect(reader.prepare('SELECT count(*) AS rows FROM reversals').get()).toEqual({
    rows: maxReversals,
  });
  reader.close();
  const twoDays = 48 * hours;
  for (let turn = 0; turn < 2; turn += 1) {
    // A payment that had not begun when its reversal came may have begun within two days.
    expect(refusals.hasForgotten(lane, nowMs + 19 + twoDays)).toBe(true);
    expect(refusals.hasForgotten(lane, nowMs + 20 + twoDays)).toBe(false);
    expect(refusals.reversalBefore(lane, reversal('T20'))).toEqual(body('busy'));
    refusals.close();
    refusals = open();
  }
  refusals.close();
});

test('many refused payments drop no refused reversal', () => {
  const refusals = new Refusals({
    path: join(folder, 'missing', 'x.sqlite'),
    clock: { wallMs: () => nowMs } as never,
    log: silentLog,
  });
  refusals.keepReversal(lane, reversal('R1'), body('busy'));
  for (let n = 0; n < 6_000; n += 1)
    refusals.keep('payment', lane, { saleId: 'POS-1', serviceId: `P${n}` }, body('busy'));
  expect(refusals.before('payment', lane, { saleId: 'POS-1', serviceId: 'P0' })).toBeNull();
  expect(refusals.reversalBefore(lane, reversal('R1'))).toEqual(body('busy'));
  expect(refusals.hasForgotten(lane, 0)).toBe(false);
});

test('refusals of one terminal push no other terminal’s out, nor its reversals, also after a restart', () => {
  const first = open();
  const own = { saleId: 'POS-1', serviceId: 'own' };
  first.keep('payment', otherLane, own, body('busy'), nowMs);
  first.keepReversal(otherLane, reversal('own'), body('busy'));
  first.close();
  const db = new DatabaseSync(path());
  db.exec('BEGIN');
  const insert = (table: string) =>
    db.prepare(`INSERT INTO ${table} (name, body, at_ms) VALUES (?, '{}', ?)`);
  const [refused, reversed] = [insert('refusals'), insert('reversals')];
  for (let n = 0; n < maxReversals; n += 1) {
    if (n < maxRefusals)
      refused.run(
        JSON.stringify(['\u0000poi', 'Tillbeacon-1', 'payment', 'POS-1', `P${n}`]),
        nowMs,
      );
    reversed.run(JSON.stringify(['\u0000poi', 'Tillbeacon-1', 'POS-1', `R${n}`, 'p', null]), nowMs);
  }
  db.exec('COMMIT');
  db.close();
  let refusals = open();
  for (let n = 0; n < 6; n += 1) {
    refusals.keep(
      'payment',
      lane,
      { saleId: 'POS-1', serviceId: `more ${n}` },
      body('busy'),
      nowMs,
    );
    refusals.keepReversal(lane, reversal(`more ${n}`), body('busy'));
  }
  for (let turn = 0; turn < 2; turn += 1) {
    expect(refusals.before('payment', otherLane, own)).toEqual(body('busy'));
    expect(refusals.reversalBefore(otherLane, reversal('own'))).toEqual(body('busy'));
    expect(refusals.mayHaveForgotten('payment', otherLane, nowMs)).toBe(false);
    expect(refusals.hasForgotten(otherLane, 0)).toBe(false);
    expect(refusals.hasForgotten(lane, 0)).toBe(true);
    // What of its own was dropped is told by the time that it said.
    expect(refusals.before('payment', lane, { saleId: 'POS-1', serviceId: 'P0' })).toBeNull();
    expect(refusals.mayHaveForgotten('payment', lane, nowMs)).toBe(true);
    expect(refusals.mayHaveForgotten('payment', lane, nowMs + 1)).toBe(false);
    expect(refusals.mayHaveForgotten('refund', lane, nowMs)).toBe(false);
    refusals.close();
    refusals = open();
  }
  refusals.close();
});

test('a name of one terminal is none of another that has its lane’s id', () => {
  const refusals = open();
  refusals.keep('payment', { ...lane, poiId: '2' }, named, body('busy'));
  expect(
    refusals.before('payment', { poiId: 'x', lane: { id: '2' } as HttpLane }, named),
  ).toBeNull();
  expect(refusals.before('payment', { poiId: '2', lane: { id: '9' } as HttpLane }, named)).toEqual(
    body('busy'),
  );
  refusals.close();
});
