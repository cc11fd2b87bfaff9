import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openSqliteReader,
  type WantedRecords,
} from '../../../../../main/wallets/callbacks/sqlite-reader.ts';
import { StoredCallbacks } from './forwarding-support.ts';

let callbacks: StoredCallbacks;
beforeEach(() => {
  callbacks = new StoredCallbacks();
});
afterEach(() => callbacks.close());

const all: WantedRecords = {
  kind: null,
  status: null,
  fromMs: null,
  toMs: null,
  agreementId: null,
  paymentId: null,
};
const seqs = (wanted: Partial<WantedRecords>, limit = 100): number[] =>
  callbacks.reader.latest({ ...all, ...wanted }, limit).map(({ seq }) => seq);

describe('the latest word about each thing', () => {
  beforeEach(() => {
    callbacks.addAt(1_000, { kind: 'agreement', subjectId: 'a1', status: 'accepted' });
    callbacks.addAt(2_000, { subjectId: 'p1', status: 'pending', agreementId: 'a1' });
    callbacks.addAt(3_000, { subjectId: 'p1', status: 'executed', agreementId: 'a1' });
    callbacks.addAt(4_000, {
      kind: 'refund',
      subjectId: 'r1',
      status: 'issued',
      agreementId: 'a1',
      paymentId: 'p1',
    });
    callbacks.addAt(5_000, { kind: 'checkin', subjectId: 'pos', status: 'checkedin' });
    callbacks.addAt(6_000, { kind: 'checkin', subjectId: 'pos', status: 'checkedin' });
    callbacks.addAt(7_000, { subjectId: 'p2', status: 'pending', agreementId: 'a2' });
  });

  test.each<[string, Partial<WantedRecords>, number[]]>([
    ['without a filter', {}, [1, 3, 4, 5, 6, 7]],
    ['by state, and not by one that was left', { status: 'pending' }, [7]],
    ['by kind', { kind: 'checkin' }, [5, 6]],
    ['by time, whose end is exclusive', { fromMs: 3_000, toMs: 5_000 }, [3, 4]],
    ['by agreement, in any case of letters', { agreementId: 'A1' }, [1, 3, 4]],
    ['by payment', { paymentId: 'p1' }, [3, 4]],
    ['by several at once', { agreementId: 'a1', status: 'executed' }, [3]],
  ])('%s', (_how, wanted, expected) => {
    expect(seqs(wanted)).toEqual(expected);
  });

  test('the newest ones, when there are more than the limit', () => {
    expect(seqs({}, 2)).toEqual([6, 7]);
  });

  test('is not a late record that told of something older', () => {
    callbacks.addAt(8_000, { subjectId: 'p1', status: 'pending', code: 'late', agreementId: 'a1' });
    expect(seqs({ paymentId: 'p1', kind: 'payment' })).toEqual([3]);
    expect(callbacks.reader.story('p1').map(({ seq }) => seq)).toEqual([2, 3, 8]);
  });
});

test('the story of a thing is found by either name', () => {
  callbacks.add(
    { subjectId: 'p1', externalId: 'Order-7' },
    { subjectId: 'p2', externalId: 'order-7' },
  );
  expect(callbacks.reader.story('Order-7').map(({ seq }) => seq)).toEqual([1]);
  expect(callbacks.reader.story('P2').map(({ seq }) => seq)).toEqual([2]);
  expect(callbacks.reader.story('p%')).toEqual([]);
});

test('what was rejected is read with its reason', () => {
  callbacks.reject('refund_id must be a string', '{"a":1}', 1_000);
  callbacks.reject('the record must be an object', '[]', 2_000);
  expect(callbacks.reader.rejected({ fromMs: 2_000, toMs: null }, 10)).toEqual([
    {
      number: 2,
      receivedAtMs: 2_000,
      endpoint: '/callbacks/refunds',
      reason: 'the record must be an object',
      raw: '[]',
    },
  ]);
  expect(callbacks.reader.rejectedRecord(1)?.raw).toBe('{"a":1}');
  expect(callbacks.reader.rejectedRecord(3)).toBeNull();
});

test('nothing can be written through it', () => {
  const before = callbacks.store.health();
  expect(Object.keys(callbacks.reader)).not.toContain('add');
  const db = new DatabaseSync(callbacks.path, { readOnly: true });
  expect(() => db.exec('DELETE FROM records')).toThrow(/readonly/);
  db.close();
  expect(callbacks.store.health()).toEqual(before);
});

test('a file that was exchanged is noticed', () => {
  expect(callbacks.reader.isReplaced()).toBe(false);
  renameSync(callbacks.path, `${callbacks.path}.old`);
  expect(callbacks.reader.isReplaced()).toBe(true);
  writeFileSync(callbacks.path, '');
  expect(callbacks.reader.isReplaced()).toBe(true);
});

test.each<[string, (path: string) => void, RegExp]>([
  ['is not there', () => {}, /cannot be used: there is no such file: the receiver creates it/],
  [
    'is of a newer version',
    (path) => new DatabaseSync(path).exec('PRAGMA user_version = 2'),
    /its layout is version 2, and this Tillbeacon reads version 1/,
  ],
  [
    'is no database',
    (path) => writeFileSync(path, 'no database'.repeat(1_000)),
    /cannot be used: file is not a database/,
  ],
])('a file that %s is refused in words', (_what, make, says) => {
  const path = join(callbacks.folder, 'other.db');
  rmSync(path, { force: true });
  make(path);
  expect(() => openSqliteReader(path)).toThrow(says);
});
