/**
 * What the service and those around it can do wrong to a payment: a real lane, the client and the
 * simulated service over real HTTP. Each time what the cashier reads, in each language, and what it
 * means for the money.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import type { NotPaidReason, NotRefundedReason } from '../../../../main/core/domain/reasons.ts';
import { laneView } from '../../../../main/counter/server/lane-view.ts';
import '../../../support/every-text.ts';
import { screenTexts } from '../../../../renderer/locales/screens.ts';
import { isLong } from '../../../support/long.ts';
import { type EpaymentLane, money, openEpaymentLane, until } from './epayment-lane-support.ts';

const speed = 60;

let opened: EpaymentLane;
beforeEach(async () => {
  opened = await openEpaymentLane({}, speed);
  await opened.lane.start();
});
afterEach(() => opened.close());

const unit = (about: object) => opened.bench.act('set-sales-unit', { msn: '123456', ...about });
const fault = (...faults: Parameters<EpaymentLane['bench']['simulator']['faults']['add']>) =>
  opened.bench.simulator.faults.add(...faults);
const requests = (operation: string) =>
  opened.bench.simulator.requests().filter((one) => one.operation === operation);
const state = () => laneView(opened.lane.snapshot()).state;
const kind = (saleId: string) => opened.journal.story(saleId).at(-1)?.event.type;

/**
 * Checks that each language has a text of its own for this reason, which says that nothing was
 * taken.
 */
async function isNotPaid(reason: NotPaidReason): Promise<void> {
  await until(() => expect(opened.till.outcomes).toEqual([{ paid: false, reason }]));
  for (const language of languages) {
    const { notPaid } = screenTexts[language];
    expect(Object.values(notPaid).filter(({ what }) => what === notPaid[reason].what)).toHaveLength(
      1,
    );
  }
}
async function isNotRefunded(reason: NotRefundedReason): Promise<void> {
  await until(() => expect(opened.till.refundOutcomes).toEqual([{ refunded: false, reason }]));
  for (const language of languages) {
    const { notRefunded } = screenTexts[language];
    expect(
      Object.values(notRefunded).filter(({ what }) => what === notRefunded[reason].what),
    ).toHaveLength(1);
  }
}
const refund = (receiptNumber: number) =>
  opened.commands.requestRefund({ receiptNumber, amountMinor: null, currency: 'DKK' });

describe('keys', () => {
  test('of the other environment, or revoked before a payment: the cashier is told that the keys are the matter, nothing was created, and the lane says so', async () => {
    await unit({ areKeysRevoked: true });
    opened.begin();
    await isNotPaid('credentialsRefused');
    expect(await opened.bench.payments()).toEqual([]);
    await until(() =>
      expect(opened.lane.condition).toMatchObject({
        kind: 'notReady',
        reason: 'credentialsRefused',
      }),
    );
    await unit({ areKeysRevoked: false });
    await until(() => expect(opened.lane.condition).toEqual({ kind: 'open' }));
  });

  test('a token that ends in the middle of a payment is renewed: paid', async () => {
    fault(
      { operation: 'getEpayment', kind: 'status401' },
      { operation: 'captureEpayment', kind: 'status401' },
    );
    const { saleId } = await opened.pay();
    expect(opened.till.outcomes).toEqual([{ paid: true }]);
    await until(() => expect(kind(saleId)).toBe('captured'));
    expect(requests('getAccessToken')).toHaveLength(3);
  });

  test('revoked while the customer is asked: ended within seconds, and what the customer approves meanwhile is released once the keys are mended', async () => {
    opened.begin();
    const { reference } = await opened.isThere();
    await unit({ areKeysRevoked: true });
    await opened.bench.act('approve', { reference });
    await isNotPaid('credentialsRefused');
    expect(opened.lane.snapshot().result).toMatchObject({ known: 'perhapsApproved' });
    await unit({ areKeysRevoked: false });
    await until(async () =>
      expect(await opened.bench.payment()).toMatchObject({
        captured: 0,
        cancelled: money.amountMinor,
      }),
    );
  });

  test('revoked before the capture: it stays paid, unconfirmed, and is captured once the keys are mended', async () => {
    const { saleId } = opened.begin();
    const { reference } = await opened.isThere();
    fault({ operation: 'captureEpayment', kind: 'status401', times: 6 });
    await opened.bench.act('approve', { reference });
    await until(() => expect(opened.till.outcomes).toEqual([{ paid: true }]));
    await until(() =>
      expect(opened.lane.snapshot().unsettled).toMatchObject([{ saleId, known: 'moving' }]),
    );
    await until(() => expect(kind(saleId)).toBe('captured'));
    expect(await opened.bench.payment()).toMatchObject({ captured: money.amountMinor });
    expect(
      new Set(requests('captureEpayment').map(({ idempotencyKey }) => idempotencyKey)).size,
    ).toBe(1);
  });

  test('revoked before a refund: nothing was asked for, and it is told as not refunded, because of the keys', async () => {
    const { receiptNumber } = await opened.pay();
    await unit({ areKeysRevoked: true });
    expect(refund(receiptNumber)).toMatchObject({ accepted: true });
    await isNotRefunded('credentialsRefused');
    await unit({ areKeysRevoked: false });
    expect(await opened.bench.payment()).toMatchObject({ refunded: 0 });
    expect(refund(receiptNumber)).toMatchObject({ accepted: true });
    await until(() => expect(opened.till.refundOutcomes).toHaveLength(2));
    expect(await opened.bench.payment()).toMatchObject({ refunded: money.amountMinor });
  });
});

test.each([
  ['its product is not active (403)', { isActive: false }],
  ['its payout account is not verified (5060)', { isVerified: false }],
])(
  'a sales unit without approval, because %s: not activated, nothing was created',
  async (_why, about) => {
    await unit(about);
    opened.begin();
    await isNotPaid('notOnboarded');
    expect(await opened.bench.payments()).toEqual([]);
  },
);

test('a sales unit that may not refund (5100): told so, and nothing went back', async () => {
  const { receiptNumber } = await opened.pay();
  await unit({ mayRefund: false });
  expect(refund(receiptNumber)).toMatchObject({ accepted: true });
  await isNotRefunded('notOnboarded');
  expect(await opened.bench.payment()).toMatchObject({ refunded: 0 });
});

test('a payment that is locked (423) when it is captured: paid, and captured once by the same request', async () => {
  const { saleId } = opened.begin();
  const { reference } = await opened.isThere();
  await opened.bench.act('trouble', { reference, locks: 2 });
  await opened.bench.act('approve', { reference });
  await until(() => expect(kind(saleId)).toBe('captured'));
  expect(opened.till.outcomes).toEqual([{ paid: true }]);
  const captures = requests('captureEpayment');
  expect(captures.map(({ status }) => status)).toEqual([423, 423, 200]);
  expect(new Set(captures.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(
    (await opened.bench.payment()).events.filter(({ name }) => name === 'CAPTURED'),
  ).toHaveLength(1);
});

test.each([
  ['says for how long', 7],
  ['does not say for how long', null],
])(
  'a service that takes no more requests (429) when a payment is to be made, and %s: busy, nothing was created',
  async (_what, retryAfterSeconds) => {
    fault({ operation: 'createEpayment', kind: 'status429', retryAfterSeconds });
    opened.begin();
    await isNotPaid('serviceBusy');
    expect(await opened.bench.payments()).toEqual([]);
    expect(requests('createEpayment')).toHaveLength(1);
  },
);

test.each([
  ['that it names', 6, 6_000],
  ...(isLong ? [['of a minute, where it names none', null, 60_000] as const] : []),
] as const)(
  'a service that takes no more requests (429) when a payment is captured: paid, and captured after the time %s',
  async (_what, retryAfterSeconds, minMs) => {
    fault({ operation: 'captureEpayment', kind: 'status429', retryAfterSeconds });
    const { saleId } = await opened.pay();
    await until(() => expect(kind(saleId)).toBe('captured'));
    const [first, second] = requests('captureEpayment').map(({ atMs }) => atMs);
    expect(((second ?? 0) - (first ?? 0)) * speed).toBeGreaterThanOrEqual(minMs - 1_000);
    expect(requests('captureEpayment')).toHaveLength(2);
  },
);

test('a payment that nobody has heard of (404) just after it was created: not believed, and paid', async () => {
  fault({ operation: 'getEpayment', kind: 'status404', code: '5090', times: 4 });
  await opened.pay();
  expect(opened.till.outcomes).toEqual([{ paid: true }]);
  expect(
    requests('getEpayment').filter(({ status }) => status === 404).length,
  ).toBeGreaterThanOrEqual(4);
});

test.each(['noImage', 'silent'] as const)(
  'a code whose picture cannot be shown (%s): fetched again, and the payment ends before its time is over',
  async (codePictures) => {
    await unit({ codePictures });
    opened.begin();
    await until(() =>
      expect(state()).toMatchObject({ kind: 'contactingService', isFetchingCode: true }),
    );
    await isNotPaid('codeNotShown');
    await until(async () =>
      expect(await opened.bench.payment()).toMatchObject({ state: 'TERMINATED', captured: 0 }),
    );
  },
);

test('a code whose picture comes after a while is shown, and paid', async () => {
  await opened.close();
  opened = await openEpaymentLane({ deadlineMs: 300_000 }, speed);
  await opened.lane.start();
  await unit({ codePictures: 'silent' });
  opened.begin();
  await until(() =>
    expect(state()).toMatchObject({ kind: 'contactingService', isFetchingCode: true }),
  );
  await unit({ codePictures: 'shown' });
  await until(() =>
    expect(state()).toMatchObject({ kind: 'waitingForCustomer', ownCode: { kind: 'picture' } }),
  );
  const { reference } = await opened.isThere();
  await opened.bench.act('approve', { reference });
  await until(() => expect(opened.till.outcomes).toEqual([{ paid: true }]));
});
