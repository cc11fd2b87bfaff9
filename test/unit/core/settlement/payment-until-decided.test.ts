import { describe, expect, test } from 'vitest';
import { replayPayment } from '../../../../main/core/settlement/apply.ts';
import { beginPayment } from '../../../../main/core/settlement/payment-decisions.ts';
import { outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import type { PaymentInput } from '../../../../main/core/settlement/payment.ts';
import { retryDelayMs } from '../../../../main/core/settlement/retry.ts';
import { epaymentCapabilities } from '../../../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import {
  acknowledged,
  capabilities,
  created,
  paymentId,
  polled,
  reserved,
  restarted,
  sale,
  stop,
  tell,
  unknown,
} from './support.ts';

const identify = (idempotencyKey = 'key-1') => ({ type: 'identify', idempotencyKey });
const notPaid = (reason: string) => ({ type: 'conclude', outcome: { paid: false, reason } });

describe('a sale that goes well', () => {
  test('the request is on disk in the same decision that sends it', () => {
    expect(beginPayment(sale)).toEqual({
      events: [{ type: 'saleRequested', sale }],
      effects: [{ type: 'create', idempotencyKey: 'key-1' }],
    });
  });

  test('is polled until it is reserved, then offered to the till with the intent to capture on disk, and not captured yet', () => {
    const result = tell(reserved);
    expect(result.payment.kind).toBe('offering');
    expect(result.events.at(-1)).toEqual({ type: 'captureIntended' });
    expect(result.effects).toEqual([{ type: 'offer' }]);
  });

  test('is captured when the till has acknowledged, and told "paid" with the acknowledgement on disk', () => {
    const result = tell(acknowledged);
    expect(result.events.at(-1)).toEqual({ type: 'tillAcknowledged' });
    expect(result.effects).toEqual([
      { type: 'conclude', outcome: { paid: true } },
      { type: 'capture', paymentId },
    ]);
  });

  test('ends as paid when the capture is confirmed', () => {
    const result = tell([...acknowledged, { type: 'captureAnswered', answer: { kind: 'done' } }]);
    expect(result.payment.kind).toBe('paid');
    expect(result.effects).toEqual([]);
  });

  describe('with a capture that the service has accepted without showing it', () => {
    const accepted = [
      ...acknowledged,
      { type: 'captureAnswered', answer: { kind: 'accepted' } },
    ] as const satisfies PaymentInput[];
    const confirming = (input: PaymentInput): PaymentInput =>
      ({ ...input, confirms: true }) as PaymentInput;

    test('is not called paid before a poll shows it', () => {
      const result = tell(accepted);
      expect(result.payment.kind).toBe('capturing');
      expect(result.effects).toEqual([{ type: 'poll', paymentId, confirms: true }]);
      expect(tell([...accepted, confirming(polled('captured'))]).payment.kind).toBe('paid');
    });

    test.each([
      ['shows it as reserved', polled('reserved')],
      ['does not know it', { type: 'pollNotFound' }],
      ['is not answered', { type: 'pollFailed', detail: 'no answer' }],
    ] as const)('is captured again after a longer pause each time, when the poll %s', (_, seen) => {
      const once = tell([...accepted, confirming(seen)]);
      expect(once.payment).toMatchObject({ kind: 'capturing', failedAttempts: 1 });
      expect(once.events.at(-1)).toMatchObject({
        type: 'attemptFailed',
        detail: expect.stringMatching(/^the service accepted the request, and then /),
      });
      expect(once.effects).toEqual([{ type: 'wait', delayMs: 500 }]);
      const again = [
        ...accepted,
        confirming(seen),
        { type: 'retryDue' },
        { type: 'captureAnswered', answer: { kind: 'accepted' } },
      ] as const;
      expect(tell(again.slice(0, -1)).effects).toEqual([{ type: 'capture', paymentId }]);
      expect(tell([...again, confirming(seen)]).effects).toEqual([
        { type: 'wait', delayMs: 1_000 },
      ]);
    });

    test('needs a person when the poll shows that it was cancelled', () => {
      expect(tell([...accepted, confirming(polled('expired'))]).payment).toMatchObject({
        kind: 'needsPerson',
        problem: 'captureLost',
      });
    });
  });

  test('in the prepare flow the amount is sent when the customer is found, and again at each poll until it has arrived', () => {
    const paired = tell([created, polled('prepared'), polled('paired')], { flow: 'prepare' });
    expect(paired.effects).toEqual([
      { type: 'ready', paymentId },
      { type: 'poll', paymentId },
    ]);
    const again = tell([created, polled('paired'), polled('paired')], { flow: 'prepare' });
    expect(again.effects[0]).toEqual({ type: 'ready', paymentId });
    const arrived = tell([created, polled('paired'), polled('issuedToUser')], { flow: 'prepare' });
    expect(arrived.effects).toEqual([{ type: 'poll', paymentId }]);
  });

  describe('in the prepare flow of a payment by hand', () => {
    const byHand = { flow: 'prepare', by: 'cashier' } as const;
    const found = [created, polled('prepared'), polled('paired')] as const;
    const agreed = (amountMinor: number): PaymentInput => ({ type: 'amountAgreed', amountMinor });

    test('nothing is sent when the customer is found, until the amount is agreed; and what is agreed is on disk by then', () => {
      const paired = tell([...found, polled('paired')], byHand);
      expect(paired.effects).toEqual([{ type: 'poll', paymentId }]);
      const result = tell([...found, agreed(1_000)], byHand);
      expect(result.events.at(-1)).toEqual({ type: 'amountAgreed', amountMinor: 1_000 });
      expect(result.effects).toEqual([{ type: 'ready', paymentId }]);
      expect(result.payment.sale).toMatchObject({ amountMinor: 1_000, typedMinor: 1_234 });
      const again = tell([...found, agreed(1_000), polled('paired')], byHand);
      expect(again.effects).toEqual([
        { type: 'ready', paymentId },
        { type: 'poll', paymentId },
      ]);
    });

    test('what is agreed is final, and only what is agreed is captured', () => {
      const { payment, events } = tell([...found, agreed(1_234), agreed(1_000)], byHand);
      expect(payment.sale.amountMinor).toBe(1_234);
      expect(events.filter(({ type }) => type === 'amountAgreed')).toHaveLength(1);
      const kept = tell([...found, agreed(1_000), polled('reserved', 1_000)], byHand);
      expect(kept.payment.kind).toBe('offering');
      const other = tell([...found, agreed(1_000), polled('reserved', 1_234)], byHand);
      expect(other.payment).toMatchObject({ kind: 'cancelling', reason: 'amountMismatch' });
      // No amount was sent from here, so whatever is reserved was not agreed.
      const unasked = tell([...found, polled('reserved')], byHand);
      expect(unasked.payment).toMatchObject({ kind: 'cancelling', reason: 'amountMismatch' });
    });

    test.each([
      ['before the customer is found', [created, polled('prepared')], byHand],
      [
        'once it is to be stopped',
        [...found, { type: 'stopRequested', reason: 'cancelledByCashier' }],
        byHand,
      ],
      [
        'once the amount is on the phone',
        [...found, agreed(1_234), polled('issuedToUser')],
        byHand,
      ],
      ['of a till', found, { flow: 'prepare', by: 'till' }],
      [
        'where the amount went out at once',
        [created, polled('paired')],
        { flow: 'initiate', by: 'cashier' },
      ],
    ] as const)('the amount cannot be changed %s', (_when, before, about) => {
      expect(tell([...before, agreed(1_000)], about)).toMatchObject({
        effects: [],
        payment: { sale: { amountMinor: 1_234 } },
      });
    });

    test('a restart in between decides against it', () => {
      for (const before of [found, [...found, agreed(1_000)]])
        expect(tell([...before, { type: 'restarted' }], byHand).payment).toMatchObject({
          kind: 'cancelling',
          reason: 'interrupted',
        });
    });
  });

  test('in the prepare flow a refusal of the amount ends the sale, but not one that says it has already arrived', () => {
    const refused = tell(
      [created, polled('paired'), { type: 'readyRefused', reason: 'other', detail: '' }],
      { flow: 'prepare' },
    );
    expect(refused.payment).toMatchObject({ kind: 'cancelling', reason: 'refusedByService' });
    const late = tell(
      [created, polled('paired'), { type: 'readyRefused', reason: 'wrongState', detail: '' }],
      { flow: 'prepare' },
    );
    expect(late.payment.kind).toBe('awaiting');
  });
});

describe('a capture that is not confirmed', () => {
  test('is repeated with growing pauses', () => {
    const result = tell([...acknowledged, { type: 'captureAnswered', answer: unknown }]);
    expect(result.payment).toMatchObject({ kind: 'capturing', failedAttempts: 1 });
    expect(result.effects).toEqual([{ type: 'wait', delayMs: retryDelayMs(1, capabilities) }]);
    expect(
      tell([...acknowledged, { type: 'captureAnswered', answer: unknown }, { type: 'retryDue' }])
        .effects,
    ).toEqual([{ type: 'capture', paymentId }]);
    expect([1, 2, 3, 30].map((failures) => retryDelayMs(failures, capabilities))).toEqual([
      500, 1000, 2000, 300_000,
    ]);
  });

  test('that the service refuses is looked at, never believed blindly', () => {
    const refused: PaymentInput = {
      type: 'captureAnswered',
      answer: { kind: 'refused', detail: '1307' },
    };
    expect(tell([...acknowledged, refused]).effects).toEqual([{ type: 'poll', paymentId }]);
    expect(tell([...acknowledged, refused, polled('captured')]).payment.kind).toBe('paid');
    expect(tell([...acknowledged, refused, polled('reserved')]).effects[0]?.type).toBe('wait');
    expect(tell([...acknowledged, refused, polled('expired')]).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'captureLost',
      toldDone: true,
    });
  });

  test('of which the service says that another amount was captured has a person at once, who is told how much it was', () => {
    const refused: PaymentInput = {
      type: 'captureAnswered',
      answer: { kind: 'refused', detail: '6170' },
    };
    const seen = (capturedMinor: number) =>
      ({ ...polled('captured'), capturedMinor }) as PaymentInput;
    for (const other of [1, sale.amountMinor + 1]) {
      const result = tell([...acknowledged, refused, seen(other)], {}, epaymentCapabilities);
      expect(result.payment).toMatchObject({
        kind: 'needsPerson',
        problem: 'otherAmountCaptured',
        movedMinor: other,
        toldDone: true,
      });
      expect(result.effects).toEqual([]);
    }
    expect(
      tell([...acknowledged, refused, seen(sale.amountMinor)], {}, epaymentCapabilities).payment
        .kind,
    ).toBe('paid');
  });

  test('and a payment that was decided against, of which a part was captured in the portal, tells that part', () => {
    const captured = { ...polled('captured'), capturedMinor: 5 } as PaymentInput;
    for (const before of [[created], [...reserved, restarted]])
      expect(tell([...before, captured], {}, epaymentCapabilities).payment).toMatchObject({
        problem: 'capturedUnasked',
        movedMinor: 5,
        toldDone: false,
      });
  });

  test.each([
    [
      'a refusal is kept under its key: the next attempt is another request',
      epaymentCapabilities,
      2,
    ],
    ['a refusal is not kept: the next attempt is the same request', capabilities, null],
  ] as const)('%s; after silence it always is the same', (_, can, refusals) => {
    const silence: PaymentInput = { type: 'captureAnswered', answer: unknown };
    const refused: PaymentInput = {
      type: 'captureAnswered',
      answer: { kind: 'refused', detail: '6260' },
    };
    const notFound: PaymentInput = { type: 'captureAnswered', answer: { kind: 'notFound' } };
    expect(tell([...acknowledged, silence, silence], {}, can).payment).not.toHaveProperty(
      'refusals',
    );
    const result = tell([...acknowledged, refused, silence, notFound], {}, can);
    expect(result.payment).toEqual(
      expect.objectContaining({
        kind: 'capturing',
        failedAttempts: 3,
        ...(refusals !== null && { refusals }),
      }),
    );
    if (refusals === null) expect(result.payment).not.toHaveProperty('refusals');
    expect(replayPayment(result.events)).toEqual(result.payment);
  });

  test('is sent again after a restart', () => {
    expect(tell([...acknowledged, restarted]).effects).toEqual([{ type: 'capture', paymentId }]);
  });
});

describe('a till that does not take the result', () => {
  test('is not charged: the reservation is cancelled and the till told so', () => {
    const result = tell([...reserved, { type: 'tillAnswered', acknowledged: false }]);
    expect(result.events.at(-1)).toEqual({ type: 'cancelIntended', reason: 'notDelivered' });
    expect(result.effects).toEqual([notPaid('notDelivered'), { type: 'cancel', paymentId }]);
  });

  test('after a restart before its acknowledgement: the reservation is cancelled, and what the service refuses is looked at', () => {
    const result = tell([...reserved, restarted]);
    expect(result.payment).toMatchObject({ kind: 'cancelling', reason: 'interrupted' });
    expect(result.effects).toContainEqual({ type: 'cancel', paymentId });
    const refused = {
      type: 'cancelAnswered',
      answer: { kind: 'refused', detail: '1300' },
    } as const;
    expect(tell([...reserved, restarted, refused]).effects).toEqual([{ type: 'poll', paymentId }]);
    expect(tell([...reserved, restarted, refused, polled('captured')]).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'capturedUnasked',
    });
  });

  test('an acknowledgement that comes after the decision to cancel changes nothing', () => {
    const result = tell([...reserved, restarted, { type: 'tillAnswered', acknowledged: true }]);
    expect(result.payment.kind).toBe('cancelling');
    expect(result.effects).toEqual([]);
  });
});

describe('somebody wants out', () => {
  test.each(['cancelledByTill', 'cancelledByCashier', 'timedOut'] as const)(
    '%s: the next poll decides, and a customer who was faster has paid',
    (reason) => {
      const waiting = tell([created, polled('issuedToUser'), stop(reason)]);
      expect(waiting.payment).toMatchObject({ kind: 'awaiting', stop: reason });
      expect(waiting.effects).toEqual([{ type: 'endWait', delayMs: 10_000 }]);
      expect(
        tell([created, polled('issuedToUser'), stop(reason), polled('reserved')]).payment.kind,
      ).toBe('offering');
      const cancelled = tell([
        created,
        polled('issuedToUser'),
        stop(reason),
        polled('issuedToUser'),
      ]);
      expect(cancelled.events.at(-1)).toEqual({ type: 'cancelIntended', reason });
      expect(cancelled.effects).toEqual([notPaid(reason), { type: 'cancel', paymentId }]);
    },
  );

  test('and no poll is answered in time: it is cancelled, for the reason that was given first', () => {
    const result = tell([
      created,
      polled('issuedToUser'),
      stop('cancelledByCashier'),
      stop('timedOut'),
    ]);
    expect(result.events.at(-1)).toEqual({ type: 'cancelIntended', reason: 'cancelledByCashier' });
    expect(result.effects).toEqual([notPaid('cancelledByCashier'), { type: 'cancel', paymentId }]);
    expect(
      tell([created, polled('issuedToUser'), stop('timedOut'), stop('timedOut')]).payment,
    ).toMatchObject({ kind: 'cancelling', reason: 'timedOut' });
  });

  test('a wait that ends when the customer was faster changes nothing', () => {
    expect(tell([created, stop('timedOut'), polled('reserved'), stop('timedOut')])).toMatchObject({
      payment: { kind: 'offering' },
      effects: [],
    });
  });

  test('and leaves it when the answer does not come: given up at once; not before somebody has wished to cancel', () => {
    expect(tell([created, polled('issuedToUser'), stop('leftByCashier')]).payment).toMatchObject({
      kind: 'awaiting',
      stop: null,
    });
    const left = tell([
      created,
      polled('issuedToUser'),
      stop('cancelledByCashier'),
      stop('leftByCashier'),
    ]);
    expect(left.events.at(-1)).toEqual({ type: 'cancelIntended', reason: 'leftByCashier' });
    expect(left.effects).toEqual([notPaid('leftByCashier'), { type: 'cancel', paymentId }]);
  });

  test('and the service does not answer: the sale is given up, the till need not wait', () => {
    const result = tell([created, stop('cancelledByTill'), { type: 'pollFailed', detail: '' }]);
    expect(result.effects).toEqual([notPaid('cancelledByTill'), { type: 'cancel', paymentId }]);
  });

  test.each(['tillGone', 'interrupted'] as const)(
    '%s: nobody is left to be told "paid", so it is cancelled at once',
    (reason) => {
      expect(tell([created, polled('issuedToUser'), stop(reason)]).effects).toEqual([
        notPaid(reason),
        { type: 'cancel', paymentId },
      ]);
    },
  );

  test('before the service has answered: what was created is cancelled as soon as it is known', () => {
    const result = tell([stop('cancelledByTill')]);
    expect(result.payment).toMatchObject({ kind: 'cancelling', paymentId: null });
    expect(result.effects).toEqual([notPaid('cancelledByTill')]);
    expect(tell([stop('cancelledByTill'), created]).effects).toEqual([
      { type: 'cancel', paymentId },
    ]);
    expect(
      tell([
        stop('cancelledByTill'),
        { type: 'createAnswered', answer: { kind: 'refused', reason: 'refusedByService' } },
      ]).payment,
    ).toMatchObject({
      kind: 'notPaid',
      reason: 'cancelledByTill',
    });
    expect(
      tell([stop('cancelledByTill'), { type: 'createAnswered', answer: unknown }]).effects,
    ).toEqual([identify()]);
  });

  test('once the till is being told "paid", no abort undoes it', () => {
    const result = tell([...reserved, stop('cancelledByTill')]);
    expect(result.payment.kind).toBe('offering');
    expect(result.effects).toEqual([]);
  });

  test('a second abort changes nothing', () => {
    expect(
      tell([created, stop('cancelledByTill'), stop('cancelledByCashier')]).payment,
    ).toMatchObject({ stop: 'cancelledByTill' });
  });
});

describe('the customer or the service ends it', () => {
  test.each([
    ['issuedToUser', 'cancelledByUser', 'declinedByCustomer'],
    ['paired', 'cancelledByUser', 'cancelledByCustomer'],
    ['issuedToUser', 'cancelledByService', 'cancelledByService'],
    ['initiated', 'cancelledByClient', 'cancelledByService'],
    ['issuedToUser', 'expired', 'expired'],
  ] as const)('from %s by %s: %s', (from, status, reason) => {
    const result = tell([created, polled(from), polled(status)]);
    expect(result.payment).toMatchObject({ kind: 'notPaid', reason });
    expect(result.effects).toEqual([notPaid(reason)]);
  });

  test.each([
    [true, 'declinedByCustomer'],
    [false, 'cancelledByCustomer'],
  ] as const)(
    'and the service says whether it was on the phone (%s), whatever was seen before',
    (declined, reason) => {
      for (const from of ['initiated', 'issuedToUser'] as const)
        expect(
          tell([
            created,
            polled(from),
            {
              type: 'polled',
              status: 'cancelledByUser',
              amountMinor: 1234,
              currency: 'DKK',
              declined,
            },
          ]).payment,
        ).toMatchObject({
          kind: 'notPaid',
          reason,
        });
    },
  );

  test('something else than was asked for is reserved: it is not taken', () => {
    expect(tell([created, polled('reserved', 1235)]).payment).toMatchObject({
      kind: 'cancelling',
      reason: 'amountMismatch',
    });
    expect(
      tell([created, { ...polled('reserved'), currency: 'EUR' } as PaymentInput]).payment,
    ).toMatchObject({ reason: 'amountMismatch' });
  });

  test('money that was taken although nobody here decided so needs a person', () => {
    const result = tell([created, polled('captured')]);
    expect(result.payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'capturedUnasked',
      toldDone: false,
    });
    expect(result.effects).toEqual([notPaid('unclear')]);
    expect(outcomeOf(result.payment)).toEqual({ paid: false, reason: 'unclear' });
  });

  test('a state that the documents do not name is polled on', () => {
    expect(tell([created, polled('unknown')]).effects).toEqual([{ type: 'poll', paymentId }]);
  });
});
