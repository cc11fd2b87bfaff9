/**
 * Scans of a sticker, all the way: the simulated service, its signed webhook, the receiver, the
 * counter that follows it, and a real lane with its journal on disk.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { laneView } from '../../../../main/counter/server/lane-view.ts';
import { openIntake } from '../../../../main/wallets/callbacks/intake.ts';
import { followScans } from '../../../../main/wallets/callbacks/scan-link.ts';
import { CallbackReceiver } from '../../../../main/wallets/callbacks/callback-server.ts';
import { openSqliteStore } from '../../../../main/wallets/callbacks/sqlite-store.ts';
import { putCallbackQr } from '../../../../main/wallets/epayment/qr/qr-operations.ts';
import { registerWebhook } from '../../../../main/wallets/epayment/webhooks/webhooks-operations.ts';
import { fetchHttp } from '../../../../main/wallets/http/http.ts';
import { type EpaymentLane, openEpaymentLane, until } from './epayment-lane-support.ts';

const merchantQrId = 'tillbeacon-K1';
const token = 'the-token-of-this-counter-0123456789';

let opened: EpaymentLane;
let bench: EpaymentLane['bench'];
let lane: EpaymentLane['lane'];
let ends: (() => unknown)[];
let failures: (string | null)[];

async function open({
  needsPayment = false,
  secret,
}: {
  needsPayment?: boolean;
  secret?: string;
} = {}): Promise<void> {
  const sticker = { merchantQrId, isBeacon: false, description: 'Till K1' };
  opened = await openEpaymentLane(
    { flow: 'prepare', deadlineMs: 300_000, checkInFirst: true, sticker: { needsPayment } },
    undefined,
    { sticker },
  );
  const { clock, folder } = opened;
  ({ bench, lane } = opened);
  failures = [];
  await bench.act('set-sales-unit', { msn: '123456', mayPush: true });

  // The receiver listens before it is registered, and is told the secret afterwards: as in a shop,
  // at the address that was registered.
  const store = openSqliteStore(join(folder, 'callbacks.db'));
  const webhook = { url: 'http://127.0.0.1:1/', secret: '' };
  const receiverSettings = {
    listen: { host: '127.0.0.1', port: 0 },
    profile: 'generic' as const,
    checkin: true,
    epayment: [webhook],
    followers: [{ token, stickers: [merchantQrId] }],
  };
  const system = { settings: receiverSettings, clock, ids: systemIds, log: silentLog };
  const records = {
    since: (seq: number, limit?: number) => store.since(seq, limit),
    lastSeq: () => store.health().lastSeq,
  };
  const receiver = new CallbackReceiver({
    ...system,
    records,
    intake: openIntake({ ...system, store }),
  });
  const { url } = await receiver.start({ host: '127.0.0.1', port: 0 });
  webhook.url = `${url}/callbacks/epayment`;
  webhook.secret =
    secret ??
    (
      await bench.transport.call(registerWebhook, {
        body: { url: webhook.url, events: ['user.checked-in.v1'] },
      })
    ).secret;
  if (secret !== undefined)
    await bench.transport.call(registerWebhook, {
      body: { url: webhook.url, events: ['user.checked-in.v1'] },
    });
  const stop = followScans({
    url,
    token,
    send: fetchHttp,
    clock,
    log: silentLog,
    scanned: (scan) => lane.naming.bySticker(scan.customerToken, scan.atMs),
    failed: (detail) => void failures.push(detail),
  });
  ends = [stop, () => receiver.stop(), () => store.close()];
  await lane.start();
  await until(() => expect(lane.snapshot().sticker?.code).toMatchObject({ kind: 'picture' }));
  await until(() => expect(failures).toEqual([null]));
}

afterEach(async () => {
  await opened.lane.close();
  for (const end of ends) await end();
  await opened.close();
});

const begin = () => opened.begin();
const waits = () =>
  until(() => expect(lane.snapshot().current?.payment).toMatchObject({ status: 'prepared' }));
const scan = (about: object = {}) => bench.act('check-in', { merchantQrId, ...about });
const named = () => lane.snapshot().named?.customer;
/** Resolves when everything on its way has arrived. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

async function approved(): Promise<void> {
  const { reference } = await until(() => bench.payment());
  await bench.act('approve', { reference });
  await until(() => expect(opened.till.outcomes).toMatchObject([{ paid: true }]));
}

describe('a customer who scans the sticker', () => {
  beforeEach(() => open());

  test('after the amount gets the request on their phone, by the token alone', async () => {
    begin();
    await waits();
    expect(laneView(lane.snapshot())).toMatchObject({
      state: { kind: 'waitingForCustomer', ownCode: { kind: 'picture' } },
      named: { sticker: 'there' },
    });
    const { customerToken } = await scan();
    await approved();
    const [body] = bench.sent
      .filter(({ url }) => url.endsWith('/payments'))
      .map(({ body: text }) => JSON.parse(text ?? ''));
    expect(body).toMatchObject({ userFlow: 'PUSH_MESSAGE', customer: { customerToken } });
    expect(
      JSON.stringify(opened.journal.story(lane.snapshot().recent[0]?.saleId ?? '')),
    ).not.toContain(customerToken);
  });

  test('before it is the one the next sale begins with, and of no sale after that', async () => {
    expect(lane.snapshot().checkIn).toMatchObject({
      code: { kind: 'picture' },
      isCheckedIn: false,
    });
    await scan();
    await until(() => expect(lane.snapshot().checkIn).toMatchObject({ isCheckedIn: true }));
    expect(laneView(lane.snapshot()).named).toMatchObject({
      isNamed: true,
      number: null,
      sticker: 'scanned',
    });
    begin();
    await approved();
    begin();
    await waits();
    expect(await bench.payments()).toHaveLength(1);
  });

  test('twice, or a message that comes again: one request, and none for the sale after it', async () => {
    begin();
    await waits();
    const { customerToken } = await scan();
    await approved();
    opened.till.outcomes.length = 0;
    begin();
    await waits();
    await scan({ customerToken });
    await settled();
    expect([named(), (await bench.payments()).length]).toEqual([null, 1]);
  });

  test('while the request is on another phone is not asked, and not for the next sale either', async () => {
    begin();
    await scan();
    await until(() => expect(lane.snapshot().named).toMatchObject({ isSent: true }));
    await scan({ phoneNumber: '+4520031802' });
    await settled();
    await approved();
    expect([named(), (await bench.payments()).length]).toEqual([null, 1]);
  });

  test('in the queue does not take the place of whom the cashier named; a later one of another scan does', async () => {
    lane.naming.byCashier({ phoneNumber: '20031801' });
    await scan({ phoneNumber: '+4520031802' });
    await settled();
    expect(named()).toEqual({ kind: 'phone', number: '4520031801' });
    lane.naming.byCashier(null);
    const { customerToken: first } = await scan();
    await until(() => expect(named()).toMatchObject({ token: first }));
    const { customerToken: second } = await scan({ phoneNumber: '+4520031802' });
    await until(() => expect(named()).toMatchObject({ token: second }));
  });

  test('earlier than one who was heard already, in a message that was held up, is not asked', async () => {
    const nowMs = Date.now();
    lane.naming.bySticker('newer', nowMs);
    lane.naming.bySticker('older', nowMs - 1);
    expect(named()).toMatchObject({ token: 'newer' });
    lane.naming.byCashier(null);
    lane.naming.bySticker('newer', nowMs);
    expect(named()).toBeNull();
  });

  test('of another till is not asked at this one', async () => {
    await bench.transport.call(putCallbackQr, {
      merchantQrId: 'tillbeacon-K2',
      body: { locationDescription: 'Till K2' },
    });
    await scan({ merchantQrId: 'tillbeacon-K2' });
    await settled();
    expect(named()).toBeNull();
  });

  test('whose token the service does not take any more: the cashier is told, and the next scan is asked', async () => {
    begin();
    await waits();
    lane.naming.bySticker('bm8gc3VjaCB0b2tlbg==', 0);
    await until(() =>
      expect(lane.snapshot().named).toEqual({
        customer: null,
        isSent: false,
        refused: 'codeRefused',
      }),
    );
    await scan();
    await approved();
  });
});

test('a sticker that needs a payment first names nobody before it', async () => {
  await open({ needsPayment: true });
  await scan();
  await settled();
  expect(named()).toBeNull();
  begin();
  await waits();
  expect(named()).toBeNull();
  await scan();
  await approved();
});

test('a webhook that is signed with another secret names nobody and moves nothing', async () => {
  await open({ secret: 'the secret of somebody else' });
  begin();
  await waits();
  await scan();
  await settled();
  expect([named(), await bench.payments()]).toEqual([null, []]);
});
