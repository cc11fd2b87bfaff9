import { expect, test } from 'vitest';
import {
  byWhom,
  isRefundedWhole,
  refundedWords,
  requesterIn,
} from '../../../../../renderer/manager/refunds/requested-by.ts';
import { storyOf } from '../../../../pictures/states/manager-refunds.ts';

const from = '192.168.1.40:50122';
const [byTill, byManager, older] = (['till', 'Anna', null] as const).map((by, index) => ({
  refundOrderId: `r-${index}`,
  laneId: '1',
  atMs: 0,
  amountMinor: 100,
  currency: 'DKK' as const,
  state: 'refunded' as const,
  reason: null,
  receiptNumber: 1,
  by: by === 'Anna' ? by : null,
  from: by === 'till' ? from : null,
  note: null,
  canCancel: false,
}));
const refunds = [byTill, byManager, older].filter((refund) => refund !== undefined);
const line = (event: string, refundOrderId: string | null = null) => ({
  atMs: 0,
  refundOrderId,
  event,
  reason: null,
  detail: null,
});

test('a refund is told as that of the till, with its address where it is known, or of the manager', () => {
  expect(refunds.map((refund) => byWhom('en', refund))).toEqual([
    `requested at the till (${from})`,
    'by Anna',
    'requested at the till',
  ]);
});

test('a story names who asked, where its words do not', () => {
  const story = storyOf({ from, refunds });
  expect(requesterIn('en', story, line('saleRequested'))).toBe(from);
  expect(requesterIn('en', storyOf({ from: null }), line('saleRequested'))).toBeNull();
  expect(
    refunds.map(({ refundOrderId }) =>
      requesterIn('en', story, line('refundRequested', refundOrderId)),
    ),
  ).toEqual([`requested at the till (${from})`, 'Anna', 'requested at the till']);
  expect(requesterIn('en', story, line('captured', 'r-0'))).toBeNull();
});

test.each([
  [0, 'DKK 12.50 refunded'],
  [1_250, 'DKK 12.50 refunded at the till'],
  [250, 'DKK 12.50 refunded, DKK 2.50 of it at the till'],
])(
  'a list says of what was given back how much it was at a till: %i',
  (refundedAtTillMinor, words) => {
    const { sale } = storyOf({});
    expect(
      refundedWords('en', { ...sale, refundedMinor: 1_250, refundedAtTillMinor }).replaceAll(
        '\u00a0',
        ' ',
      ),
    ).toBe(words);
  },
);

test.each([
  ['whole', { refundedMinor: 1_000 }, true],
  ['in part', { refundedMinor: 999 }, false],
  ['whole, of which a part was captured', { capturedMinor: 400, refundedMinor: 400 }, true],
  ['whole, before the capture is confirmed', { state: 'capturing', refundedMinor: 1_000 }, false],
  ['not at all', {}, false],
] as const)('a payment that is refunded %s is told so in its tag', (_what, about, isWhole) => {
  const { sale } = storyOf({});
  expect(
    isRefundedWhole({
      ...sale,
      state: 'paid',
      amountMinor: 1_000,
      capturedMinor: 1_000,
      refundedMinor: 0,
      ...about,
    }),
  ).toBe(isWhole);
});
