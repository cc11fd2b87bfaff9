import { describe, expect, test } from 'vitest';
import {
  endsInWords,
  isSomebodyWaiting,
  underWay,
} from '../../../../main/host/desktop/under-way.ts';

type TestLane = Parameters<typeof underWay>[0][number];
const lane: TestLane = {
  name: 'Check-out 1',
  currency: 'DKK',
  state: { kind: 'idle' },
  refund: null,
  unsettled: [],
};
const onItsWay = {
  saleId: '',
  amountMinor: 1234,
  currency: 'DKK',
  remainingMs: 1,
  qr: null,
  canCancel: true,
  by: 'till',
} as never;
const in1 = (state: object): TestLane => ({
  ...lane,
  state: { ...(onItsWay as object), ...state } as TestLane['state'],
});
const money = (more: object): TestLane => ({
  ...lane,
  unsettled: [
    {
      amountMinor: 500,
      currency: 'DKK',
      needsPerson: false,
      kind: 'sale',
      intent: 'capture',
      ...more,
    } as never,
  ],
});
const refund = (kind: string): TestLane => ({
  ...lane,
  refund: { kind, amountMinor: 900, currency: 'DKK' } as never,
});

describe('what would be interrupted', () => {
  test.each([
    ['contactingService', 'undecided'],
    ['waitingForCustomer', 'undecided'],
    ['customerFound', 'undecided'],
    ['approveInApp', 'undecided'],
    ['confirming', 'confirming'],
    ['cancelling', 'cancelling'],
  ])('a payment that is %s ends as %s', (kind, ends) => {
    expect(underWay([in1({ kind })])).toEqual([
      { laneName: 'Check-out 1', amountMinor: 1234, currency: 'DKK', ends },
    ]);
  });

  test.each([
    ['a refund', refund('refunding'), 'refunding'],
    ['a capture that is not confirmed', money({}), 'unsettledCapture'],
    ['a refund that is not confirmed', money({ kind: 'refund' }), 'unsettledRefund'],
    ['a cancel that is not confirmed', money({ intent: 'cancel' }), 'unsettledCancel'],
  ])('%s', (_what, shown, ends) => {
    expect(underWay([shown]).map((one) => one.ends)).toEqual([ends]);
  });

  test('is nothing of what has ended, or waits for a person anyway', () => {
    expect(
      underWay([
        lane,
        in1({ kind: 'paid' }),
        in1({ kind: 'notPaid' }),
        refund('refunded'),
        money({ needsPerson: true }),
      ]),
    ).toEqual([]);
  });

  test('keeps somebody waiting while a payment or refund is not decided; unsettled money waits for nobody', () => {
    const waiting = [
      in1({ kind: 'waitingForCustomer' }),
      in1({ kind: 'confirming' }),
      in1({ kind: 'cancelling' }),
      refund('refunding'),
    ];
    for (const one of waiting) expect(isSomebodyWaiting([lane, one])).toBe(true);
    for (const one of [
      lane,
      money({}),
      money({ intent: 'cancel' }),
      refund('refunded'),
      in1({ kind: 'paid' }),
    ])
      expect(isSomebodyWaiting([one])).toBe(false);
  });

  test('is told for each lane, in the shop’s language', () => {
    const words = endsInWords(
      'da',
      underWay([
        in1({ kind: 'approveInApp' }),
        { ...in1({ kind: 'confirming' }), name: 'Kasse 2' },
      ]),
    );
    expect(
      words.split('\n\n').map((line) => [line.includes('12,34'), line.includes('Kasse 2')]),
    ).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});
