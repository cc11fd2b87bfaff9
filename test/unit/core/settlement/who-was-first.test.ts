/**
 * A service whose cancel tells whether the customer was faster, with a code for each payment
 * (interface document 5, sections 8.2 and 8.5).
 */
import { describe, expect, test } from 'vitest';
import { epaymentCapabilities } from '../../../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import type { PaymentInput } from '../../../../main/core/settlement/payment.ts';
import type { SettleAnswer } from '../../../../main/core/settlement/settlement.ts';
import {
  acknowledged,
  created,
  paymentId,
  polled,
  restarted,
  stop,
  tell as tellOn,
  unknown,
} from './support.ts';

const tell = (...inputs: readonly PaymentInput[]) =>
  tellOn([created, ...inputs], {}, epaymentCapabilities);
const answered = (answer: SettleAnswer): PaymentInput => ({
  type: 'cancelUnapprovedAnswered',
  answer,
});
const approved = answered({ kind: 'refused', detail: '6060' });
const waited = stop('timedOut');

describe.each(['cancelledByTill', 'cancelledByCashier', 'timedOut'] as const)('%s', (reason) => {
  test('the cancel with its condition leaves before the decision, and nobody waits longer than five seconds for it', () => {
    const { payment, events, effects } = tell(stop(reason));
    expect(payment).toMatchObject({ kind: 'awaiting', stop: reason });
    expect(events.at(-1)).toEqual({ type: 'stopRequested', reason });
    expect(effects).toEqual([
      { type: 'cancelUnapproved', paymentId },
      { type: 'endWait', delayMs: 5_000 },
    ]);
  });

  test('done: it is over, and nothing is left to cancel', () => {
    const { payment, effects } = tell(stop(reason), answered({ kind: 'done' }));
    expect(payment).toMatchObject({ kind: 'notPaid', reason });
    expect(effects).toEqual([{ type: 'conclude', outcome: { paid: false, reason } }]);
  });

  test('the customer was faster: it goes on as paid, once the service shows what is reserved', () => {
    expect(tell(stop(reason), approved).effects).toEqual([{ type: 'poll', paymentId }]);
    expect(tell(stop(reason), approved, polled('reserved'))).toMatchObject({
      payment: { kind: 'offering' },
      effects: [{ type: 'offer' }],
    });
    expect(tell(stop(reason), approved, polled('reserved', 1)).payment).toMatchObject({
      kind: 'cancelling',
      reason: 'amountMismatch',
    });
  });

  test.each([
    ['approved', approved] as const,
    ['silence', answered(unknown)] as const,
    ['not found', answered({ kind: 'notFound' })] as const,
  ])(
    '%s, and no poll tells in time: decided for good, and cancelled whatever it is by now',
    (_, answer) => {
      const waiting = tell(stop(reason), answer, polled('initiated'), {
        type: 'pollFailed',
        detail: '',
      });
      expect(waiting).toMatchObject({
        payment: { kind: 'awaiting' },
        effects: [{ type: 'poll', paymentId }],
      });
      const { events, effects } = tell(stop(reason), answer, polled('initiated'), waited);
      expect(events.at(-1)).toEqual({ type: 'cancelIntended', reason });
      expect(effects).toEqual([
        { type: 'conclude', outcome: { paid: false, reason } },
        { type: 'cancel', paymentId },
      ]);
    },
  );

  test('an answer that comes after the decision changes nothing', () => {
    for (const answer of [answered({ kind: 'done' }), approved, answered(unknown)])
      expect(tell(stop(reason), waited, answer)).toMatchObject({
        payment: { kind: 'cancelling', failedAttempts: 0 },
        effects: [],
      });
    expect(tell(stop(reason), polled('reserved'), answered({ kind: 'done' }))).toMatchObject({
      payment: { kind: 'offering' },
      effects: [],
    });
  });
});

test.each(['tillGone', 'interrupted'] as const)(
  '%s: nobody is left to be told, so that it is decided at once',
  (reason) => {
    expect(tell(stop(reason)).effects).toContainEqual({ type: 'cancel', paymentId });
  },
);

test('after a restart the cancel without a condition follows the decision', () => {
  const { payment, effects } = tell(stop('cancelledByTill'), restarted);
  expect(payment).toMatchObject({ kind: 'cancelling', reason: 'interrupted' });
  expect(effects).toContainEqual({ type: 'cancel', paymentId });
});

describe('its own code', () => {
  const missing: PaymentInput = { type: 'codeMissing', detail: 'no answer' };

  test('is shown once it is created, or found', () => {
    const shown = [
      { type: 'poll', paymentId },
      { type: 'showCode', paymentId },
    ];
    expect(tell().effects).toEqual(shown);
    const found = tellOn(
      [
        { type: 'createAnswered', answer: unknown },
        { type: 'lookedUp', found: { paymentId } },
      ],
      {},
      epaymentCapabilities,
    );
    expect(found.effects).toEqual(shown);
  });

  test('cannot be shown: nobody can approve it, so it is cancelled', () => {
    const { payment, effects } = tell(missing);
    expect(payment).toMatchObject({ kind: 'cancelling', reason: 'codeNotShown' });
    expect(effects).toContainEqual({ type: 'cancel', paymentId });
    expect(tell(polled('reserved'), missing).payment.kind).toBe('offering');
  });
});

describe('a capture that is refused while the payment is reserved', () => {
  const refused = (times: number): PaymentInput[] =>
    Array.from({ length: times }, () => [
      {
        type: 'captureAnswered',
        answer: { kind: 'refused', reason: 'wrongState', code: '6260', detail: '' },
      } as const,
      polled('reserved'),
      { type: 'retryDue' } as const,
    ]).flat();
  const told = (times: number) =>
    tellOn([...acknowledged, ...refused(times)], {}, epaymentCapabilities);

  test('is tried again for a day, and then a person has to see to it', () => {
    expect(told(287)).toMatchObject({
      payment: { kind: 'capturing', refusals: 287 },
      effects: [{ type: 'capture', paymentId }],
    });
    expect(told(288)).toMatchObject({ payment: { kind: 'needsPerson', problem: 'captureLost' } });
  });

  test('is paid as soon as the service shows it as captured', () => {
    const inputs = [
      ...acknowledged,
      ...refused(287),
      refused(1)[0] as PaymentInput,
      polled('captured'),
    ];
    expect(tellOn(inputs, {}, epaymentCapabilities).payment).toMatchObject({ kind: 'paid' });
  });
});
