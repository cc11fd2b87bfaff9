import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  deadLetterForPrograms,
  deadLetterLine,
  rawText,
  recordForPrograms,
  recordLine,
  rejectedForPrograms,
  rejectedLine,
} from '../../../../../main/wallets/callbacks/forwarding/forwarded-record.ts';
import { jsonLine } from '../../../../../main/support/json-line.ts';
import type { StoredRecord } from '../../../../../main/wallets/callbacks/callback-record.ts';
import { StoredCallbacks } from './forwarding-support.ts';

let callbacks: StoredCallbacks;
beforeEach(() => {
  callbacks = new StoredCallbacks();
});
afterEach(() => callbacks.close());

const told = (): StoredRecord => callbacks.reader.since(0)[0] as StoredRecord;

/**
 * Clears a terminal, sets its title, ends a line, overwrites one, turns the writing direction,
 * hides, C1, and a separator that ends lines in JavaScript.
 */
const hostile = 'a\u001b[2J\u001b]0;title\u0007b\r\nc\u202ed\u200be\u009b31mf\u2028g\u0000h';
const visibleAlone = /^[\n -~…]*$/;

describe('what a hostile sender wrote', () => {
  beforeEach(() => {
    callbacks.add({
      statusText: hostile,
      externalId: hostile,
      code: hostile,
      currency: hostile,
      amountMinor: null,
      raw: JSON.stringify({ text: hostile }),
    });
    callbacks.reject(`a ${hostile}`, JSON.stringify(hostile));
  });

  test('is a line of plain characters on a terminal', () => {
    const rejected = callbacks.reader.rejected({ fromMs: null, toMs: null }, 1)[0];
    if (rejected === undefined) throw new Error('nothing was rejected');
    for (const line of [recordLine(told()), rejectedLine(rejected)]) {
      expect(line).toMatch(visibleAlone);
      expect(line).not.toContain('\n');
    }
    for (const text of [rawText(told().record.raw), rawText(rejected.raw), rawText(hostile)])
      expect(text).toMatch(visibleAlone);
  });

  test('is one line of JSON that says the same, without characters that control a terminal', () => {
    const line = jsonLine(recordForPrograms(told()));
    expect(line).toMatch(/^[ -~\u200b]*$/);
    expect(JSON.parse(line)).toMatchObject({ statusText: hostile, raw: { text: hostile } });
    const rejected = callbacks.reader
      .rejected({ fromMs: null, toMs: null }, 1)
      .map((one) => jsonLine(rejectedForPrograms(one)));
    expect(rejected.join('')).toMatch(/^[ -~\u200b]*$/);
  });

  test('of a megabyte is cut on a terminal', () => {
    callbacks.add({
      subjectId: 'p2',
      statusText: 'x'.repeat(1_000_000),
      raw: `"${'x'.repeat(1_000_000)}"`,
    });
    const [, long] = callbacks.reader.since(0);
    if (long === undefined) throw new Error('nothing was stored');
    expect(recordLine(long).length).toBeLessThan(1_000);
    expect(rawText(long.record.raw).length).toBeLessThan(101_000);
  });
});

test('a line says what was asked for, and what is nothing new', () => {
  callbacks.add({ subjectId: 'p1' }, { subjectId: 'p2' });
  const [first, second] = callbacks.reader.since(0);
  if (first === undefined || second === undefined) throw new Error('nothing was stored');
  expect(recordLine(first)).not.toMatch(/\((asked|nothing new)\)/);
  expect(recordLine({ ...second, origin: 'read', changed: false })).toMatch(
    / {2}\(asked\) {2}\(nothing new\)$/,
  );
});

test('a dead letter is to be resent once somebody has asked, and not before', () => {
  const letter = {
    number: 1,
    url: 'https://a.example/',
    seq: 1,
    id: 'id',
    body: '{}',
    reason: 'status 500',
    attempts: 20,
    setAsideAtMs: 0,
  };
  expect(deadLetterForPrograms({ ...letter, resend: 0 })).toMatchObject({ toBeResent: false });
  expect(deadLetterForPrograms({ ...letter, resend: 1 })).toMatchObject({ toBeResent: true });
  expect(deadLetterLine({ ...letter, resend: 0 })).not.toContain('sent again');
  expect(deadLetterLine({ ...letter, resend: 1 })).toContain('(to be sent again)');
});

test('the address of a dead letter is shown without what may be a secret', () => {
  const letter = {
    number: 1,
    url: 'https://me:s3cret@a.example/in?token=s3cret',
    seq: 1,
    id: 'id',
    body: '{}',
    reason: 'status 500',
    attempts: 20,
    setAsideAtMs: 0,
    resend: 0,
  };
  for (const shown of [deadLetterLine(letter), JSON.stringify(deadLetterForPrograms(letter))]) {
    expect(shown).toContain('a.example/in?***');
    expect(shown).not.toContain('s3cret');
  }
});

test('a record is told to programs with every field', () => {
  callbacks.add({
    externalId: 'order-1',
    amountMinor: null,
    atMs: Date.UTC(2026, 10, 21, 8),
    agreementId: 'a1',
    raw: '{"payment_id":"p1"}',
  });
  expect(recordForPrograms(told())).toEqual({
    seq: 1,
    receivedAt: '2026-11-21T09:00:00.000Z',
    origin: 'callback',
    changed: true,
    kind: 'payment',
    id: 'p1',
    status: 'executed',
    statusText: null,
    code: null,
    externalId: 'order-1',
    amountMinor: null,
    currency: null,
    at: '2026-11-21T08:00:00.000Z',
    sequence: null,
    agreementId: 'a1',
    paymentId: null,
    raw: { payment_id: 'p1' },
  });
});
