import { describe, expect, test } from 'vitest';
import { applyToPayment, ImpossibleEventError } from '../../../../main/core/settlement/apply.ts';
import { decidePayment } from '../../../../main/core/settlement/payment-decisions.ts';
import type { PaymentInput } from '../../../../main/core/settlement/payment.ts';
import {
  capabilities,
  created,
  paymentId,
  polled,
  restarted,
  stop,
  tell,
  unknown,
} from './support.ts';

const identify = (idempotencyKey = 'key-1') => ({ type: 'identify', idempotencyKey });
const notPaid = (reason: string) => ({ type: 'conclude', outcome: { paid: false, reason } });

describe('a create request without a usable answer', () => {
  const lost: PaymentInput = { type: 'createAnswered', answer: unknown };

  test('is asked about, and goes on where it is found', () => {
    expect(tell([lost]).effects).toEqual([{ type: 'lookUp' }]);
    expect(tell([lost, { type: 'lookedUp', found: { paymentId } }]).effects).toEqual([
      { type: 'poll', paymentId },
    ]);
  });

  test('tells the till at once where the service has none, and looks again for minutes: the request may still be on its way', () => {
    const none: PaymentInput = { type: 'lookedUp', found: null };
    const result = tell([lost, none]);
    expect(result.payment).toMatchObject({
      kind: 'cancelling',
      paymentId: null,
      reason: 'serviceUnreachable',
    });
    expect(result.effects).toEqual([notPaid('serviceUnreachable'), { type: 'wait', delayMs: 500 }]);
    const inputs: PaymentInput[] = [lost, none];
    let waitedMs = 0;
    while (tell(inputs).payment.kind === 'cancelling') {
      const [effect] = tell(inputs).effects.filter(({ type }) => type === 'wait');
      waitedMs += effect?.type === 'wait' ? effect.delayMs : Number.NaN;
      inputs.push({ type: 'retryDue' }, none);
    }
    expect(waitedMs).toBeGreaterThan(120_000);
    expect(tell(inputs).payment).toMatchObject({ kind: 'notPaid', reason: 'serviceUnreachable' });
  });

  test('that turns up late is cancelled by the intent that is on disk', () => {
    const none: PaymentInput = { type: 'lookedUp', found: null };
    expect(
      tell([
        lost,
        none,
        { type: 'retryDue' },
        none,
        { type: 'retryDue' },
        { type: 'lookedUp', found: { paymentId } },
      ]).effects,
    ).toEqual([{ type: 'cancel', paymentId }]);
  });

  test('that turns up when it is believed to be nowhere is cancelled, and nobody is told again', () => {
    const ended = tell([
      lost,
      stop('tillGone'),
      ...Array.from({ length: 9 }, (): PaymentInput => ({ type: 'lookedUp', found: null })),
    ]).payment;
    expect(ended).toMatchObject({ kind: 'notPaid', paymentId: null, reason: 'tillGone' });
    expect(decidePayment(ended, { type: 'lookedUp', found: null }, capabilities)).toEqual({
      events: [],
      effects: [],
    });
    const { events, effects } = decidePayment(
      ended,
      { type: 'lookedUp', found: { paymentId } },
      capabilities,
    );
    expect(events).toEqual([{ type: 'foundLate', paymentId }]);
    expect(effects).toEqual([{ type: 'cancel', paymentId }]);
    const cancelling = applyToPayment(ended, { type: 'foundLate', paymentId });
    expect(cancelling).toEqual({
      kind: 'cancelling',
      sale: ended.sale,
      paymentId,
      idempotencyKey: 'key-1',
      reason: 'tillGone',
      failedAttempts: 0,
    });
    const again = applyToPayment(cancelling, { type: 'ended', reason: 'tillGone' });
    expect(decidePayment(again, { type: 'lookedUp', found: { paymentId } }, capabilities)).toEqual({
      events: [],
      effects: [],
    });
    expect(() => applyToPayment(again, { type: 'foundLate', paymentId })).toThrow(
      ImpossibleEventError,
    );
    expect(() => applyToPayment(cancelling, { type: 'foundLate', paymentId })).toThrow(
      ImpossibleEventError,
    );
  });

  test('tells the till soon when the service stays silent, and keeps asking until what was created is cancelled', () => {
    const silent: PaymentInput = { type: 'lookUpFailed', detail: '' };
    const result = tell([lost, silent]);
    expect(result.payment).toMatchObject({
      kind: 'cancelling',
      paymentId: null,
      reason: 'serviceUnreachable',
    });
    expect(result.effects).toEqual([notPaid('serviceUnreachable'), { type: 'wait', delayMs: 500 }]);
    expect(tell([lost, silent, { type: 'retryDue' }]).effects).toEqual([identify()]);
    expect(
      tell([lost, silent, { type: 'retryDue' }, { type: 'lookedUp', found: { paymentId } }])
        .effects,
    ).toEqual([{ type: 'cancel', paymentId }]);
  });

  test('after a restart is decided against before anybody asks what became of it, with the key that it left with', () => {
    expect(tell([restarted]).events.at(-1)).toEqual({
      type: 'cancelIntended',
      reason: 'interrupted',
    });
    expect(tell([restarted]).effects).toEqual([notPaid('interrupted'), identify()]);
    expect(tell([lost, restarted]).effects).toEqual([notPaid('interrupted'), identify()]);
    const blocked: PaymentInput = { type: 'createAnswered', answer: { kind: 'blocked' } };
    const again = [blocked, { type: 'cleared', newIdempotencyKey: 'key-2' }, restarted] as const;
    expect(tell(again).effects).toEqual([notPaid('interrupted'), identify('key-2')]);
    expect(tell([...again, restarted]).effects).toEqual([identify('key-2')]);
  });
});

describe('a point of sale that is blocked by another payment', () => {
  const blocked: PaymentInput = { type: 'createAnswered', answer: { kind: 'blocked' } };

  test('is cleared once, then the sale is created again with a new key', () => {
    expect(tell([blocked]).effects).toEqual([{ type: 'clearPointOfSale' }]);
    expect(tell([blocked, { type: 'cleared', newIdempotencyKey: 'key-2' }]).effects).toEqual([
      { type: 'create', idempotencyKey: 'key-2' },
    ]);
    expect(
      tell([blocked, { type: 'cleared', newIdempotencyKey: 'key-2' }, blocked]).payment,
    ).toMatchObject({ kind: 'notPaid', reason: 'refusedByService' });
  });

  test('and an abort meanwhile ends it: nothing was created', () => {
    expect(tell([blocked, stop('cancelledByTill')]).payment).toMatchObject({
      kind: 'notPaid',
      reason: 'cancelledByTill',
    });
  });
});

describe('a cancellation', () => {
  const given = [created, stop('tillGone')];

  test('is repeated until the service confirms it', () => {
    expect(
      tell([...given, { type: 'cancelAnswered', answer: { kind: 'done' } }]).payment.kind,
    ).toBe('notPaid');
    expect(tell([...given, { type: 'cancelAnswered', answer: unknown }]).effects).toEqual([
      { type: 'wait', delayMs: 500 },
    ]);
    expect(
      tell([...given, { type: 'cancelAnswered', answer: unknown }, { type: 'retryDue' }]).effects,
    ).toEqual([{ type: 'cancel', paymentId }]);
  });

  test('of a payment that the service no longer knows is done', () => {
    expect(
      tell([...given, { type: 'cancelAnswered', answer: { kind: 'notFound' } }]).payment.kind,
    ).toBe('notPaid');
  });

  test('that the service has accepted is over only when a poll shows it', () => {
    const accepted = [...given, { type: 'cancelAnswered', answer: { kind: 'accepted' } }] as const;
    expect(tell(accepted)).toMatchObject({
      payment: { kind: 'cancelling' },
      effects: [{ type: 'poll', paymentId, confirms: true }],
    });
    const shown = (seen: PaymentInput) =>
      tell([...accepted, { ...seen, confirms: true } as PaymentInput]);
    expect(shown(polled('cancelledByClient')).payment.kind).toBe('notPaid');
    for (const seen of [
      polled('reserved'),
      { type: 'pollNotFound' },
      { type: 'pollFailed', detail: '' },
    ] as const)
      expect(shown(seen)).toMatchObject({
        payment: { kind: 'cancelling', failedAttempts: 1 },
        effects: [{ type: 'wait', delayMs: 500 }],
      });
    expect(shown(polled('captured')).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'capturedUnasked',
    });
  });

  test('that is refused is decided by the state: ended by the other side is ended', () => {
    const refused: PaymentInput = {
      type: 'cancelAnswered',
      answer: { kind: 'refused', detail: '1300' },
    };
    expect(tell([...given, refused]).effects).toEqual([{ type: 'poll', paymentId }]);
    expect(tell([...given, refused, polled('cancelledByUser')]).payment.kind).toBe('notPaid');
    expect(tell([...given, refused, polled('reserved')]).effects[0]?.type).toBe('wait');
    expect(tell([...given, refused, polled('captured')]).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'capturedUnasked',
    });
  });
});
