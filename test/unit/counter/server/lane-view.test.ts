import { describe, expect, test } from 'vitest';
import { LaneState, LaneView, ScreenName, View } from '../../../../preload/contract.ts';
import type { LaneSnapshot, ResultOnScreen } from '../../../../main/core/lane/snapshot.ts';
import type { Refund } from '../../../../main/core/settlement/refund.ts';
import type { RefundOutcome } from '../../../../main/core/domain/sale.ts';
import { forCustomer, forScreen, laneView } from '../../../../main/counter/server/lane-view.ts';
import { acknowledged, created, polled, stop, tell } from '../../core/settlement/support.ts';

const snapshot = (about: Partial<LaneSnapshot> = {}): LaneSnapshot => ({
  laneId: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  condition: { kind: 'open' },
  current: null,
  result: null,
  recent: [],
  refund: null,
  beacons: ['QR'],
  qr: 'walletpos://pos?id=b&source=qr',
  checkIn: null,
  till: {
    state: 'connected',
    detail: null,
    heardAtMs: null,
    sinceMs: 0,
    address: 'serial:/dev/ttyUSB0',
  },
  unsettled: [],
  takesReservations: false,
  reservations: [],
  journalDamage: null,
  tried: null,
  ...about,
});
const current = (inputs: Parameters<typeof tell>[0]): Partial<LaneSnapshot> => ({
  current: {
    payment: tell(inputs).payment,
    code: null,
    customer: { loyaltyIds: null, receiptToken: null },
    remainingMs: 90_000,
    unansweredMs: null,
    mayLeaveInMs: null,
  },
});
const state = (about: Partial<LaneSnapshot>): LaneView['state'] => laneView(snapshot(about)).state;

describe('a lane on its screens', () => {
  test.each([
    ['contactingService', []],
    ['waitingForCustomer', [created]],
    ['customerFound', [created, polled('paired')]],
    ['approveInApp', [created, polled('issuedToUser')]],
    ['confirming', [created, polled('reserved')]],
    ['cancelling', [created, stop('cancelledByTill')]],
  ] as const)('%s', (kind, inputs) => {
    expect(state(current(inputs))).toMatchObject({
      kind,
      amountMinor: 1234,
      remainingMs: 90_000,
      canCancel: kind !== 'confirming' && kind !== 'cancelling',
    });
  });

  test('shows the code only while scanning it leads somewhere', () => {
    expect(state(current([created]))).toHaveProperty('qr', 'walletpos://pos?id=b&source=qr');
    expect(state(current([created, polled('issuedToUser')]))).toHaveProperty('qr', null);
    expect(state({ ...current([created]), qr: null })).toHaveProperty('qr', null);
  });

  test("shows a payment's own code in place of the counter's, and nothing to scan before it is there", () => {
    const code = { kind: 'text', text: 'https://codes.example/1' } as const;
    const withCode = (inputs: Parameters<typeof tell>[0], own: typeof code | 'awaited') => {
      const about = current(inputs);
      return state({
        current: { ...(about.current as NonNullable<LaneSnapshot['current']>), code: own },
      });
    };
    expect(withCode([created], code)).toMatchObject({
      kind: 'waitingForCustomer',
      ownCode: code,
      qr: null,
    });
    expect(withCode([created], 'awaited')).toMatchObject({ kind: 'contactingService', qr: null });
    expect(withCode([created, stop('cancelledByTill')], code)).not.toHaveProperty('ownCode');
    expect(withCode([created, polled('reserved')], code)).not.toHaveProperty('ownCode');
  });

  test('a sale under way comes before what happened last, and that before readiness', () => {
    const result = {
      saleId: tell([]).payment.sale.saleId,
      amountMinor: 1,
      currency: 'DKK',
      by: 'till',
      outcome: { paid: true },
      known: 'moving',
    } as const;
    const condition = { kind: 'notReady', reason: 'serviceUnreachable', detail: 'why' } as const;
    expect(state({ ...current([created]), result, condition }).kind).toBe('waitingForCustomer');
    expect(state({ result, condition }).kind).toBe('paid');
    expect(state({ condition })).toEqual(condition);
    expect(state({}).kind).toBe('idle');
  });

  test('a cancel says when the cashier may leave it; what the cashier takes by hand says so', () => {
    const cancelling = current([created, stop('cancelledByCashier')]).current;
    if (cancelling == null) throw new Error('none');
    expect(state({ current: { ...cancelling, mayLeaveInMs: 43_000 } })).toMatchObject({
      kind: 'cancelling',
      mayLeaveInMs: 43_000,
      by: 'till',
    });
    const byHand = {
      ...cancelling.payment,
      sale: { ...cancelling.payment.sale, by: 'cashier' },
    } as const;
    expect(state({ current: { ...cancelling, payment: byHand } })).toMatchObject({ by: 'cashier' });
    const ofSetup = { ...byHand, sale: { ...byHand.sale, isTest: true } } as const;
    const view = laneView(snapshot({ current: { ...cancelling, payment: ofSetup } }));
    expect(LaneView.parse(view).state).toMatchObject({ by: 'cashier', isTest: true });
    expect(forCustomer(view).state).not.toHaveProperty('isTest');
  });

  test('a reservation says that it is one while it runs, on every screen; a payment does not', () => {
    const about = current([created]).current;
    if (about == null) throw new Error('none');
    const plannedCaptureDelay = 'Minutes10080' as NonNullable<
      typeof about.payment.sale.plannedCaptureDelay
    >;
    const payment = { ...about.payment, sale: { ...about.payment.sale, plannedCaptureDelay } };
    const view = LaneView.parse(laneView(snapshot({ current: { ...about, payment } })));
    expect(view.state).toMatchObject({ kind: 'waitingForCustomer', isReservation: true });
    expect(forCustomer(view).state).toMatchObject({
      kind: 'waitingForCustomer',
      isReservation: true,
    });
    expect(state(current([created]))).not.toHaveProperty('isReservation');
  });

  test('the last payments, each with its reason unless it is paid', () => {
    const { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs } = tell([]).payment
      .sale;
    const sale = {
      saleId,
      orderId,
      amountMinor,
      currency,
      receiptNumber,
      startedAtMs,
      by: 'till',
      certainty: 'confirmed',
      refundedMinor: 0,
    } as const;
    const recent = [
      { ...sale, outcome: { paid: true } },
      { ...sale, outcome: { paid: false, reason: 'expired' } },
    ] as const;
    const view = LaneView.parse(laneView(snapshot({ recent })));
    expect(view.recent.map(({ reason }) => reason)).toEqual([null, 'expired']);
  });

  test('what is decided against and not confirmed says so', () => {
    const result = {
      saleId: tell([]).payment.sale.saleId,
      amountMinor: 1,
      currency: 'DKK',
      by: 'till',
      outcome: { paid: false, reason: 'timedOut' },
    } as const;
    const unsure = ['perhapsUnheard', 'perhapsApproved', 'releasing'] as const;
    const customer = (known: ResultOnScreen['known']) =>
      forCustomer(LaneView.parse(laneView(snapshot({ result: { ...result, known } })))).state;
    for (const known of unsure) {
      expect(state({ result: { ...result, known } })).toMatchObject({ kind: 'notPaid', known });
      expect(LaneState.parse(customer(known))).toMatchObject({
        kind: 'cancelling',
        amountMinor: 1,
      });
    }
    expect(state({ result: { ...result, known: 'notMoved' } })).toMatchObject({
      kind: 'notPaid',
      known: 'notMoved',
    });
    expect(customer('notMoved').kind).toBe('notPaid');
  });

  test('who was named at the counter is told by the end of a number alone, and to customers not at all', () => {
    const named = {
      customer: { kind: 'phone', number: '4520031801' },
      isSent: true,
      refused: 'codeRefused',
    } as const;
    const view = LaneView.parse(laneView(snapshot({ named })));
    expect(view.named).toEqual({
      isNamed: true,
      number: '•••• 1801',
      isSent: true,
      refused: 'codeRefused',
    });
    expect(JSON.stringify(view)).not.toContain('4520031801');
    expect(forCustomer(view).named).toEqual({
      isNamed: true,
      number: null,
      isSent: true,
      refused: null,
    });
    const byCode = laneView(
      snapshot({
        named: {
          ...named,
          customer: { kind: 'personalCode', text: 'https://qr.vipps.no/28/2/01/031/4520031801' },
        },
      }),
    );
    expect(JSON.stringify(byCode)).not.toContain('4520031801');
    expect(laneView(snapshot({ named: null })).named).toBeUndefined();
  });

  test('money that needs a person says so', () => {
    const facts = {
      kind: 'sale',
      saleId: tell(acknowledged).payment.sale.saleId,
      orderId: 'o',
      amountMinor: 5,
      currency: 'DKK',
      sinceMs: 1,
    } as const;
    const view = laneView(
      snapshot({
        unsettled: [
          { ...facts, intent: 'capture', known: 'lost', problem: 'captureLost' },
          { ...facts, intent: 'cancel', known: 'perhapsApproved', problem: null },
        ],
      }),
    );
    expect(view.unsettled.map(({ needsPerson }) => needsPerson)).toEqual([true, false]);
    expect(View.safeParse({ lanes: [], lane: view, demo: null }).success).toBe(true);
  });

  test('what somebody should mend at this computer is for nobody but the staff', () => {
    const view = LaneView.parse({
      ...laneView(snapshot({})),
      computer: { clockOffSeconds: -90, disk: 'low' },
    });
    expect(view.computer).toEqual({ clockOffSeconds: -90, disk: 'low' });
    expect(forCustomer(view).computer).toBeUndefined();
  });

  test.each([
    [
      'who has checked in',
      (loyaltyIds: string[]) => ({ checkIn: { code: null, isCheckedIn: true, loyaltyIds } }),
    ],
    [
      'of the payment under way, also a till’s',
      (loyaltyIds: string[]) => ({
        ...current([created, polled('paired')]),
        current: {
          ...(current([created, polled('paired')]).current as NonNullable<LaneSnapshot['current']>),
          customer: { loyaltyIds, receiptToken: 'r' },
        },
      }),
    ],
  ])(
    'shows the loyalty ids of the customer %s, cleaned and bounded, and to no customer',
    (_whose, about) => {
      const ids = [
        'LOYAL-4711',
        '5790001234567',
        '\u001b[31m12\u202e34\n',
        ' \u200b ',
        'x'.repeat(40_000),
        ...Array.from({ length: 90 }, (_, index) => `N-${index}`),
      ];
      const view = LaneView.parse(laneView(snapshot(about(ids))));
      expect(view.loyaltyIds).toEqual([
        'LOYAL-4711',
        '5790001234567',
        '12 34',
        `${'x'.repeat(59)}…`,
        'N-0',
        'N-1',
        'N-2',
        'N-3',
        'N-4',
      ]);
      expect(JSON.stringify(forCustomer(view))).not.toMatch(/LOYAL|loyal/);
      expect(
        laneView(snapshot({ checkIn: { code: null, isCheckedIn: false } })),
      ).not.toHaveProperty('loyaltyIds');
    },
  );

  test('no screen but the cashier’s gets a field that nobody has allowed, nor the loyalty ids', () => {
    const lane = {
      ...laneView(snapshot({})),
      loyaltyIds: ['LOYAL-4711'],
      computer: { clockOffSeconds: -90, disk: 'low' },
      staffOnly: true,
    } as LaneView;
    const seenBy = (field: string) =>
      ScreenName.options.filter((screen) => field in forScreen(screen, lane));
    expect(seenBy('staffOnly')).toEqual(['cashier']);
    expect(seenBy('loyaltyIds')).toEqual(['cashier']);
    expect(seenBy('computer')).toEqual(['cashier', 'demo', 'manager', 'setup']);
    for (const screen of ScreenName.options)
      expect(LaneView.parse(forScreen(screen, lane))).toMatchObject({ laneId: '1' });
  });

  test('shows customers no field that nobody has allowed', () => {
    const added = { staffOnly: 'for the cashier' };
    const view = LaneView.parse(
      laneView(snapshot({ named: { customer: null, isSent: false, refused: null } })),
    );
    const withMore = {
      ...view,
      ...added,
      till: { ...view.till, ...added },
      named: { ...view.named, ...added },
      customer: { ...view.customer, ...added },
    };
    const sale = {
      saleId: tell([]).payment.sale.saleId,
      amountMinor: 1,
      currency: 'DKK',
      by: 'till',
    } as const;
    const onItsWay = { ...sale, remainingMs: 1, qr: null, canCancel: true } as const;
    const states: readonly LaneState[] = [
      { kind: 'notReady', reason: 'serviceUnreachable', detail: null, sinceMs: 1 },
      { kind: 'idle' },
      { kind: 'waitingForCustomer', ...onItsWay },
      { kind: 'customerFound', ...onItsWay, toAgree: true },
      { kind: 'cancelling', ...onItsWay, canCancel: false, mayLeaveInMs: 1 },
      { kind: 'paid', ...sale },
      { kind: 'notPaid', ...sale, reason: 'expired', known: 'notMoved' },
      { kind: 'notPaid', ...sale, reason: 'expired', known: 'perhapsApproved' },
    ];
    for (const shown of states) {
      const seen = forCustomer({ ...withMore, state: { ...shown, ...added } } as LaneView);
      expect(JSON.stringify(seen)).not.toContain('staffOnly');
      expect(LaneView.parse(seen)).toEqual(forCustomer({ ...view, state: shown }));
    }
  });

  test('a journal that was found damaged is told to whoever stands at the counter', () => {
    expect(laneView(snapshot({})).journalDamage).toBeNull();
    const journalDamage = { repaired: true, lostSales: 2 };
    expect(LaneView.parse(laneView(snapshot({ journalDamage }))).journalDamage).toEqual(
      journalDamage,
    );
  });

  test('a refund is shown beside whatever the lane is doing, with how it ended', () => {
    const request = {
      ...tell([]).payment.sale,
      refundOrderId: '1-R000002-4ef00000',
    } as unknown as Refund['request'];
    const shown = (outcome: RefundOutcome | null) => {
      const lane = laneView(
        snapshot({
          refund: {
            refund: { kind: 'creating', request, idempotencyKey: 'key' },
            outcome,
            certainty: 'decided',
            remainingMs: 30_000,
          },
        }),
      );
      expect(View.safeParse({ lanes: [], lane, demo: null }).success).toBe(true);
      return lane.refund;
    };
    expect(shown(null)).toMatchObject({
      kind: 'refunding',
      amountMinor: 1234,
      refundOrderId: '1-R000002-4ef00000',
    });
    expect(shown({ refunded: true })).toMatchObject({ kind: 'refunded', isConfirmed: false });
    expect(shown({ refunded: false, reason: 'tooOld' })).toMatchObject({ refundDays: 90 });
    expect(shown({ refunded: false, reason: 'balanceTooLow' })).toMatchObject({
      kind: 'notRefunded',
      reason: 'balanceTooLow',
      isConfirmed: false,
    });
  });
});
