import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StickerRecords } from '../../../../main/counter/app/sticker-records.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import type { Notice } from '../../../../main/core/domain/notices.ts';
import {
  listCallbackQrs,
  putCallbackQr,
} from '../../../../main/wallets/epayment/qr/qr-operations.ts';
import { endSticker } from '../../../../main/wallets/epayment/point-of-sale/sticker.ts';
import { Folder } from '../../core/journal/support.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { openEpaymentBench } from '../../wallets/epayment/epayment-support.ts';

const minuteMs = 60_000;
const baseUrl = 'https://service.example';

let folder: Folder;
let clock: ManualClock;
let ended: string[];
let notices: string[];
/** Whether the service does not answer. */
let isAway: boolean;
/** The service answers only after this. */
let answersAfter: Promise<void>;
let logged: string[];
const log: Log = {
  ...silentLog,
  warn: (_fields, message) => void logged.push(message),
  error: (_fields, message) => void logged.push(message),
};
beforeEach(() => {
  [folder, clock, ended, notices, isAway, answersAfter, logged] = [
    new Folder(),
    new ManualClock(),
    [],
    [],
    false,
    Promise.resolve(),
    [],
  ];
});
afterEach(() => folder[Symbol.dispose]());

const unit = (msn: string, at = baseUrl) => ({
  msn,
  baseUrl: at,
  async end(merchantQrId: string) {
    await answersAfter;
    if (isAway) throw new Error('no route');
    ended.push(`${msn} ${merchantQrId}`);
  },
});
const board = {
  raise: ({ code, subject }: Notice) =>
    void (notices = [
      ...notices.filter((one) => one !== `${code} ${subject}`),
      `${code} ${subject}`,
    ]),
  settle: (code: string, subject: string) =>
    void (notices = notices.filter((one) => one !== `${code} ${subject}`)),
};
const path = () => join(folder.path, 'made-stickers.json');
/** Takes the stickers as a daemon does at each start, and with each change of the settings. */
function take(inUse: readonly string[], units = [unit('123456')]) {
  return new StickerRecords(path(), log).take({ inUse, units, notices: board, clock });
}
const storedRecords = () =>
  (
    JSON.parse(readFileSync(path(), 'utf8')) as { stickers: { merchantQrId: string }[] }
  ).stickers.map(({ merchantQrId }) => merchantQrId);

test('the sticker of a lane that was removed is ended, once; those of others stay', async () => {
  take(['K1', 'K2']);
  await settled();
  expect([ended, storedRecords()]).toEqual([[], ['K1', 'K2']]);
  take(['K2']);
  await settled();
  expect([ended, storedRecords(), notices]).toEqual([['123456 K1'], ['K2'], []]);
  take(['K2']);
  await settled();
  expect(ended).toHaveLength(1);
});

test('one that moves to another lane, or is written otherwise, stays', async () => {
  take(['K1', 'K2']);
  take(['K2', 'k1']);
  await settled();
  expect(ended).toEqual([]);
});

test('while the service does not answer, managers are notified and retries become rarer', async () => {
  take(['K1']);
  isAway = true;
  take([]);
  await settled();
  expect([notices, storedRecords()]).toEqual([['stickerLeft K1'], ['K1']]);
  await clock.pass(minuteMs);
  isAway = false;
  await clock.pass(minuteMs);
  expect(ended).toEqual([]);
  await clock.pass(minuteMs);
  expect([ended, notices, storedRecords()]).toEqual([['123456 K1'], [], []]);
});

test('a service that is away for days is retried each hour', async () => {
  take(['K1']);
  isAway = true;
  take([]);
  await clock.pass(48 * 60 * minuteMs);
  isAway = false;
  await clock.pass(60 * minuteMs);
  expect(ended).toEqual(['123456 K1']);
});

test('a daemon that ends before it is done goes on at its next start', async () => {
  take(['K1']);
  isAway = true;
  const stop = take([]);
  await settled();
  expect(clock.waiting).toBe(1);
  stop();
  expect(clock.waiting).toBe(0);
  isAway = false;
  await clock.pass(10 * minuteMs);
  expect(ended).toEqual([]);
  take([]);
  await settled();
  expect(ended).toEqual(['123456 K1']);
});

test.each([false, true])(
  'an answer that comes after the close changes nothing any more (the service is away: %s)',
  async (isGone) => {
    take(['K1']);
    let answer = (): void => {};
    answersAfter = new Promise((resolve) => (answer = resolve));
    const stop = take([]);
    stop();
    isAway = isGone;
    answer();
    await settled();
    // The list and the notices belong to the counter that was opened meanwhile.
    expect([storedRecords(), notices, clock.waiting]).toEqual([['K1'], [], 0]);
  },
);

test('the codes of another sales unit are ended with the keys of that unit only', async () => {
  take(['K1'], [unit('123456')]);
  take(['K1'], [unit('654321')]);
  await settled();
  expect([ended, storedRecords(), logged]).toEqual([
    [],
    ['K1', 'K1'],
    [expect.stringContaining('the settings have no keys of its sales unit')],
  ]);
  take(['K1'], [unit('654321'), unit('123456', 'https://test.service.example')]);
  await settled();
  expect([ended, storedRecords()]).toEqual([[], ['K1', 'K1']]);
  take(['K1'], [unit('654321'), unit('123456')]);
  await settled();
  expect([ended, storedRecords()]).toEqual([['123456 K1'], ['K1']]);
});

test('a list that cannot be read or written is logged, and keeps no lane from opening', async () => {
  take(['K1']);
  expect(logged).toEqual([]);
  const unreadable = 'the list of stickers at the service cannot be read';
  for (const content of [
    'nonsense',
    '{"version":1,"stickers":[{"merchantQrId":"K1"}]}',
    '{"version":2,"stickers":[]}',
  ]) {
    logged = [];
    writeFileSync(path(), content);
    take(['K1']);
    expect([logged, storedRecords()]).toEqual([[unreadable], ['K1']]);
  }
  logged = [];
  const nowhere = new StickerRecords(join(folder.path, 'missing', 'made-stickers.json'), log);
  nowhere.take({ inUse: ['K1'], units: [unit('123456')], notices: board, clock });
  expect(logged).toEqual(['the list of sticker codes could not be written']);
});

test('at the service the code is gone then; one that is gone already has ended', async () => {
  const bench = await openEpaymentBench();
  try {
    const codes = async () =>
      (await bench.transport.call(listCallbackQrs, { query: {} })).map(
        ({ merchantQrId }) => merchantQrId,
      );
    for (const merchantQrId of ['K1', 'K2'])
      await bench.transport.call(putCallbackQr, {
        merchantQrId,
        body: { locationDescription: 'Till' },
      });
    await endSticker(bench.transport, 'K1');
    expect(await codes()).toEqual(['K2']);
    await endSticker(bench.transport, 'K1');
  } finally {
    await bench.close();
  }
});
