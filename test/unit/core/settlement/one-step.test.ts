/** A refund at a service that cannot reserve one (interface document 5, section 8.7). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyToRefund, replayRefund } from '../../../../main/core/settlement/apply.ts';
import { beginRefund, decideRefund } from '../../../../main/core/settlement/refund-decisions.ts';
import {
  certaintyOf,
  isFinal,
  isWaitedFor,
  moneyKnownOf,
  refundOutcomeOf,
} from '../../../../main/core/settlement/outcome.ts';
import type {
  Refund,
  RefundDecision,
  RefundEvent,
  RefundInput,
} from '../../../../main/core/settlement/refund.ts';
import { epaymentCapabilities as capabilities } from '../../../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import { refundRequest as request } from './support.ts';

const refundId = 'key-1';
const identify = { type: 'identify', idempotencyKey: 'key-1' };
const poll = { type: 'poll', refundId };

const created: RefundInput = { type: 'createAnswered', answer: { kind: 'created', refundId } };
const silence: RefundInput = {
  type: 'createAnswered',
  answer: { kind: 'unknown', detail: 'silence' },
};
const polled = (status: Extract<RefundInput, { type: 'polled' }>['status']): RefundInput => ({
  type: 'polled',
  status,
});
const stop: RefundInput = { type: 'stopRequested', reason: 'timedOut' };
const restarted: RefundInput = { type: 'restarted' };

function tell(...inputs: readonly RefundInput[]): {
  refund: Refund;
  events: readonly RefundEvent[];
  effects: RefundDecision['effects'];
} {
  let { events, effects }: RefundDecision = beginRefund(request);
  let refund = replayRefund(events);
  const all = [...events];
  for (const input of inputs) {
    ({ events, effects } = decideRefund(refund, input, capabilities));
    refund = events.reduce<Refund>((state, event) => applyToRefund(state, event), refund);
    all.push(...events);
  }
  return { refund, events: all, effects };
}

describe('a refund in one step', () => {
  test('is told as refunded once the service shows it as paid out, and not before; the till is offered nothing', () => {
    expect(tell(created).effects).toEqual([poll]);
    expect(refundOutcomeOf(tell(created, polled('initiated')).refund)).toBeNull();
    const result = tell(created, polled('captured'));
    expect(result.refund).toMatchObject({ kind: 'refunded', refundId });
    expect(result.events.map(({ type }) => type)).toEqual([
      'refundRequested',
      'created',
      'captured',
    ]);
    expect(result.effects).toEqual([{ type: 'conclude' }]);
  });

  test.each([
    ['before the service has answered', []],
    ['while the service is asked', [silence]],
    ['while it is open there', [created]],
  ])('is not stopped %s: nothing takes it back', (_, story) => {
    const before = tell(...story);
    const after = decideRefund(before.refund, stop, capabilities);
    expect(after).toEqual({ events: [], effects: [] });
  });

  test('whose answer was lost is asked about with its key until the service tells, and goes on where it is found', () => {
    expect(tell(silence).effects).toEqual([identify]);
    expect(tell(silence, { type: 'lookUpFailed', detail: '' }).effects).toEqual([
      { type: 'wait', delayMs: 4_000 },
    ]);
    expect(
      tell(silence, { type: 'lookUpFailed', detail: '' }, { type: 'retryDue' }).effects,
    ).toEqual([identify]);
    expect(tell(silence, { type: 'lookedUp', found: { refundId } }).effects).toEqual([poll]);
    expect(tell(silence, { type: 'lookedUp', found: null }).refund).toMatchObject({
      kind: 'notRefunded',
      reason: 'refusedByService',
    });
  });

  test('goes on after a restart, where a reserved one would be cancelled', () => {
    expect(tell(restarted).effects).toEqual([identify]);
    expect(tell(silence, restarted).effects).toEqual([identify]);
    expect(tell(created, restarted).effects).toEqual([poll]);
  });

  test('that the service refuses moves no money', () => {
    const result = tell({
      type: 'createAnswered',
      answer: { kind: 'refused', reason: 'amountTooHigh' },
    });
    expect(result.refund).toMatchObject({ kind: 'notRefunded', reason: 'amountTooHigh' });
    expect(result.effects).toEqual([{ type: 'conclude' }]);
  });

  describe('that the service took and does not show', () => {
    const unseenInputs = [created, polled('missing')] as const;
    const wait = { type: 'wait', delayMs: 3_600_000 };

    test('is for a person, told as neither refunded nor not refunded, and looked for on', () => {
      const result = tell(...unseenInputs);
      expect(result.refund).toMatchObject({
        kind: 'needsPerson',
        problem: 'refundUnseen',
        toldDone: false,
      });
      expect(result.effects).toEqual([{ type: 'conclude' }, wait]);
      expect([
        refundOutcomeOf(result.refund),
        moneyKnownOf(result.refund),
        certaintyOf(result.refund),
      ]).toEqual([{ refunded: false, reason: 'unclear' }, 'unseen', 'contested']);
      expect([isFinal(result.refund), isWaitedFor(result.refund)]).toEqual([false, false]);
      for (const input of [{ type: 'retryDue' } as const, restarted])
        expect(tell(...unseenInputs, input).effects).toEqual([poll]);
      for (const input of [
        polled('missing'),
        polled('initiated'),
        { type: 'pollFailed', detail: '' } as const,
        { type: 'pollNotFound' } as const,
      ])
        expect(decideRefund(result.refund, input, capabilities)).toEqual({
          events: [],
          effects: [wait],
        });
      expect(decideRefund(result.refund, stop, capabilities)).toEqual({ events: [], effects: [] });
    });

    test('is refunded once it shows after all', () => {
      expect(tell(...unseenInputs, restarted, polled('captured')).refund).toMatchObject({
        kind: 'refunded',
        refundId,
      });
    });

    test.each([
      [true, { kind: 'refunded' }],
      [false, { kind: 'notRefunded', reason: 'cancelledByService' }],
    ])('is what a manager finds in the portal (%s), for good', (refunded, becomes) => {
      const result = tell(...unseenInputs, { type: 'foundInPortal', refunded, by: 'Ms Moeller' });
      expect(result.events.at(-1)).toEqual({ type: 'foundInPortal', refunded, by: 'Ms Moeller' });
      expect(result.refund).toMatchObject({ refundId, ...becomes });
      expect(decideRefund(result.refund, polled('captured'), capabilities).events).toEqual([]);
    });

    test('is nothing that a manager can say of any other', () => {
      for (const story of [[], [created], [created, polled('captured')]])
        expect(
          tell(...story, { type: 'foundInPortal', refunded: true, by: 'Ms Moeller' }).events.map(
            ({ type }) => type,
          ),
        ).not.toContain('foundInPortal');
    });
  });

  test('until it has ended, whatever happens: nothing is captured, cancelled or offered, and "refunded" is told of money that went back alone', () => {
    const inputs: readonly RefundInput[] = [
      created,
      silence,
      ...(
        ['initiated', 'missing', 'reserved', 'captured', 'cancelledByService', 'unknown'] as const
      ).map(polled),
      { type: 'createAnswered', answer: { kind: 'refused', reason: 'tooOld' } },
      { type: 'lookedUp', found: null },
      { type: 'lookedUp', found: { refundId } },
      { type: 'lookUpFailed', detail: '' },
      { type: 'pollNotFound' },
      { type: 'pollFailed', detail: '' },
      { type: 'retryDue' },
      { type: 'tillAnswered', acknowledged: false },
      stop,
      restarted,
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...inputs), { maxLength: 20 }), (story) => {
        let refund = replayRefund(beginRefund(request).events);
        let told = 0;
        for (const input of story) {
          if (isFinal(refund)) break;
          const { events, effects } = decideRefund(refund, input, capabilities);
          refund = events.reduce<Refund>((state, event) => applyToRefund(state, event), refund);
          for (const { type } of effects)
            expect(['capture', 'offer', 'cancel']).not.toContain(type);
          told += effects.filter(({ type }) => type === 'conclude').length;
          if (refundOutcomeOf(refund)?.refunded === true) expect(input).toEqual(polled('captured'));
        }
        expect(told).toBe(refundOutcomeOf(refund) === null ? 0 : 1);
      }),
    );
  });
});
