import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MadeStickers } from '../../../main/app/made-stickers.ts';
import { silentLog } from '../../../main/domain/log.ts';
import type { Notice } from '../../../main/domain/notices.ts';
import { listCallbackQrs, putCallbackQr } from '../../../main/wallet/epayment/qr/operations.ts';
import { endSticker } from '../../../main/wallet/epayment/point-of-sale/sticker.ts';
import { Folder } from '../journal/support.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';
import { openEpaymentBench } from '../wallet/epayment-support.ts';

const minuteMs = 60_000;
const baseUrl = 'https://service.example';

let folder: Folder;
let clock: ManualClock;
let ended: string[];
let notices: string[];
/** The service does not answer. */
let isAway: boolean;
beforeEach(() => {
  [folder, clock, ended, notices, isAway] = [new Folder(), new ManualClock(), [], [], false];
});
afterEach(() => folder[Symbol.dispose]());

const unit = (msn: string) => ({
  msn,
  baseUrl,
  async end(merchantQrId: string) {
    if (isAway) throw new Error('no route');
    ended.push(`${msn} ${merchantQrId}`);
  },
});
const board = {
  raise: ({ code, subject }: Notice) => void (notices = [...notices.filter((one) => one !== `${code} ${subject}`), `${code} ${subject}`]),
  settle: (code: string, subject: string) => void (notices = notices.filter((one) => one !== `${code} ${subject}`)),
};
const path = () => join(folder.path, 'made-stickers.json');
/** As a daemon does at each start, and with each change of the settings. */
function take(inUse: readonly string[], units = [unit('123456')]) {
  return new MadeStickers(path(), silentLog).take({ inUse, units, notices: board, clock });
}
const kept = () => (JSON.parse(readFileSync(path(), 'utf8')) as { stickers: { merchantQrId: string }[] }).stickers.map(({ merchantQrId }) => merchantQrId);

test('the sticker of a lane that was removed is ended, once; those of others stay', async () => {
  take(['K1', 'K2']);
  await settled();
  expect([ended, kept()]).toEqual([[], ['K1', 'K2']]);
  take(['K2']);
  await settled();
  expect([ended, kept(), notices]).toEqual([['123456 K1'], ['K2'], []]);
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

test('while the service does not answer managers are told, and it is tried again, ever more seldom', async () => {
  take(['K1']);
  isAway = true;
  take([]);
  await settled();
  expect([notices, kept()]).toEqual([['stickerLeft K1'], ['K1']]);
  await clock.pass(minuteMs);
  isAway = false;
  await clock.pass(minuteMs);
  expect(ended).toEqual([]);
  await clock.pass(minuteMs);
  expect([ended, notices, kept()]).toEqual([['123456 K1'], [], []]);
});

test('a daemon that ends before it is done goes on at its next start', async () => {
  take(['K1']);
  isAway = true;
  const stop = take([]);
  await settled();
  stop();
  isAway = false;
  await clock.pass(10 * minuteMs);
  expect(ended).toEqual([]);
  take([]);
  await settled();
  expect(ended).toEqual(['123456 K1']);
});

test('what another sales unit has is ended with its keys alone', async () => {
  take(['K1'], [unit('123456')]);
  take(['K1'], [unit('654321')]);
  await settled();
  expect([ended, kept()]).toEqual([[], ['K1', 'K1']]);
  take(['K1'], [unit('654321'), unit('123456')]);
  await settled();
  expect([ended, kept()]).toEqual([['123456 K1'], ['K1']]);
});

test('a list that cannot be read or written keeps no lane from opening', async () => {
  writeFileSync(path(), 'nonsense');
  expect(() => take(['K1'])).not.toThrow();
  const nowhere = new MadeStickers(join(folder.path, 'missing', 'made-stickers.json'), silentLog);
  expect(() => nowhere.take({ inUse: ['K1'], units: [unit('123456')], notices: board, clock })).not.toThrow();
});

test('at the service the code is gone then; one that is gone already has ended', async () => {
  const bench = await openEpaymentBench();
  try {
    const codes = async () => (await bench.transport.call(listCallbackQrs, { query: {} })).map(({ merchantQrId }) => merchantQrId);
    for (const merchantQrId of ['K1', 'K2']) await bench.transport.call(putCallbackQr, { merchantQrId, body: { locationDescription: 'Till' } });
    await endSticker(bench.transport, 'K1');
    expect(await codes()).toEqual(['K2']);
    await endSticker(bench.transport, 'K1');
  } finally {
    await bench.close();
  }
});
