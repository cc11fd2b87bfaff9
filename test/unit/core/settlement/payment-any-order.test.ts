import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyToPayment,
  ImpossibleEventError,
  replayPayment,
} from '../../../../main/core/settlement/apply.ts';
import { beginPayment, decidePayment } from '../../../../main/core/settlement/payment-decisions.ts';
import { isFinal, mayArriveLate, outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import type {
  Payment,
  PaymentEvent,
  PaymentInput,
} from '../../../../main/core/settlement/payment.ts';
import { epaymentCapabilities } from '../../../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import {
  acknowledged,
  capabilities,
  paymentId,
  polled,
  restarted,
  sale,
  stop,
  tell,
  unknown,
} from './support.ts';

const statuses = [
  'prepared',
  'initiated',
  'paired',
  'issuedToUser',
  'reserved',
  'captured',
  'cancelledByUser',
  'cancelledByClient',
  'cancelledByService',
  'expired',
  'unknown',
] as const;
const settle = fc.constantFrom(
  { kind: 'done' } as const,
  { kind: 'accepted' } as const,
  { kind: 'refused', detail: '' } as const,
  { kind: 'notFound' } as const,
  unknown,
);
const anyInput: fc.Arbitrary<PaymentInput> = fc.oneof(
  fc.record({
    type: fc.constant('createAnswered' as const),
    answer: fc.constantFrom(
      { kind: 'created', paymentId } as const,
      { kind: 'blocked' } as const,
      { kind: 'refused', reason: 'refusedByService' } as const,
      unknown,
    ),
  }),
  fc.record({
    type: fc.constant('lookedUp' as const),
    found: fc.constantFrom(null, { paymentId }),
  }),
  fc.constantFrom<PaymentInput>(
    { type: 'lookUpFailed', detail: '' },
    { type: 'cleared', newIdempotencyKey: 'key-2' },
    { type: 'clearFailed', detail: '' },
  ),
  fc.constantFrom(...statuses).map((status) => polled(status)),
  fc
    .constantFrom(...statuses)
    .map((status): PaymentInput => ({ ...polled(status), confirms: true }) as PaymentInput),
  fc.constantFrom<PaymentInput>(
    { type: 'pollNotFound' },
    { type: 'pollNotFound', confirms: true },
    { type: 'pollFailed', detail: '' },
    { type: 'readyRefused', reason: 'other', detail: '' },
  ),
  fc
    .constantFrom(
      'cancelledByTill',
      'cancelledByCashier',
      'leftByCashier',
      'timedOut',
      'tillGone',
      'interrupted',
    )
    .map((reason) => stop(reason as 'timedOut')),
  fc
    .constantFrom(1_234, 1_000)
    .map((amountMinor): PaymentInput => ({ type: 'amountAgreed', amountMinor })),
  fc.boolean().map((acknowledged): PaymentInput => ({ type: 'tillAnswered', acknowledged })),
  settle.map((answer): PaymentInput => ({ type: 'captureAnswered', answer })),
  settle.map((answer): PaymentInput => ({ type: 'cancelAnswered', answer })),
  settle.map((answer): PaymentInput => ({ type: 'cancelUnapprovedAnswered', answer })),
  fc.constantFrom<PaymentInput>(
    { type: 'retryDue' },
    { type: 'codeMissing', detail: '' },
    restarted,
  ),
);
/** The capabilities of both services. */
const anyCapabilities = fc.constantFrom(capabilities, epaymentCapabilities);

describe('whatever happens, in whatever order', () => {
  test('no event is impossible, a decision is never taken back, and the till is told once', () => {
    fc.assert(
      fc.property(
        fc.array(anyInput, { maxLength: 40 }),
        fc.constantFrom('initiate', 'prepare'),
        fc.constantFrom('till', 'cashier'),
        anyCapabilities,
        (inputs, flow, by, can) => {
          const about = { ...sale, flow, by };
          let payment = beginPayment(about).events.reduce<Payment | null>(
            (state, event) => applyToPayment(state, event),
            null,
          ) as Payment;
          let concluded = 0;
          let acknowledgedByTill = false;
          let cancelDecided = false;
          for (const input of inputs) {
            const before = outcomeOf(payment);
            const { events, effects } = decidePayment(payment, input, can);
            if (
              isFinal(payment) &&
              !(mayArriveLate(payment) && input.type === 'lookedUp' && input.found !== null)
            )
              expect(events).toEqual([]);
            for (const event of events) payment = applyToPayment(payment, event);
            acknowledgedByTill ||= events.some(({ type }) => type === 'tillAcknowledged');
            cancelDecided ||= events.some(
              ({ type }) => type === 'cancelIntended' || type === 'foundLate',
            );
            for (const effect of effects) {
              if (effect.type === 'conclude') concluded += 1;
              if (effect.type === 'capture')
                expect(acknowledgedByTill && !cancelDecided).toBe(true);
              // A request that is repeated by its key may create the payment.
              if (effect.type === 'identify') expect(cancelDecided).toBe(true);
              if (effect.type === 'cancel') expect(cancelDecided && !acknowledgedByTill).toBe(true);
              // Its answer takes the place of the decision, so the request is sent before any.
              if (effect.type === 'cancelUnapproved')
                expect(
                  can.cancelTellsWhoWasFirst &&
                    outcomeOf(payment) === null &&
                    payment.kind === 'awaiting',
                ).toBe(true);
            }
            if (before !== null) expect(outcomeOf(payment)?.paid).toBe(before.paid);
          }
          expect(concluded).toBe(outcomeOf(payment) === null ? 0 : 1);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('what the journal holds leads to the same state', () => {
    fc.assert(
      fc.property(
        fc.array(anyInput, { maxLength: 30 }),
        fc.constantFrom({}, { flow: 'prepare', by: 'cashier' } as const),
        anyCapabilities,
        (inputs, about, can) => {
          const result = tell(inputs, about, can);
          expect(
            replayPayment(JSON.parse(JSON.stringify(result.events)) as PaymentEvent[]),
          ).toEqual(result.payment);
        },
      ),
    );
  });
});

test('an event that cannot follow is refused: a journal that tells it is damaged', () => {
  const paid = tell([
    ...acknowledged,
    { type: 'captureAnswered', answer: { kind: 'done' } },
  ]).payment;
  expect(() => applyToPayment(paid, { type: 'cancelIntended', reason: 'timedOut' })).toThrow(
    ImpossibleEventError,
  );
  expect(() => applyToPayment(null, { type: 'captured' })).toThrow(ImpossibleEventError);
});
