import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { type Explored, explore } from './explore.ts';
import { reachableRefundPairs } from './reachable-refunds.ts';
import { reachablePaymentPairs } from './reachable.ts';

type Door = 'shut' | 'opening' | 'open';
type Input = 'knock' | 'creak' | 'restarted';
type Fact = 'new' | 'old';

/**
 * A small machine: a door that opens once a knock was written down, and is then no longer watched.
 */
const door: Explored<Door, Input, Fact> = {
  first: [{ state: 'shut', effects: [], around: ['visitor'], fact: 'new' }],
  next(state, input) {
    if (state === 'shut' && input === 'knock')
      return { state: 'opening', isWritten: true, effects: ['push'] };
    if (state === 'opening' && input === 'creak')
      return { state: 'open', isWritten: true, effects: [] };
    return { state, isWritten: false, effects: [] };
  },
  coming(source, _state, _sources, fact) {
    if (source === 'push') return [{ input: 'creak', ends: [source] }];
    return fact === 'new'
      ? [{ input: 'knock', fact: 'old' }]
      : [{ input: 'knock', ends: [source] }];
  },
  replaced: () => [],
  restarted: 'restarted',
  aroundAfterRestart: [],
  keyOf: (state) => state,
  isFinal: (state) => state === 'open',
  aroundFinal: () => [],
  pair: (state, input) => `${state} × ${input}`,
};

describe('what can reach a machine', () => {
  test('is what may come of all that is under way, also again, and a restart; nothing reaches what has ended', () => {
    expect([...explore(door)].toSorted()).toEqual([
      'opening × creak',
      'opening × knock',
      'opening × restarted',
      'shut × knock',
      'shut × restarted',
    ]);
  });

  test('is also what the disk refused, taken in again later', () => {
    const knockedAt = (visitors: readonly string[]) =>
      explore<Door, Input, Fact>({
        ...door,
        first: [{ state: 'shut', effects: [], around: visitors, fact: 'new' }],
        coming: (source, state) =>
          source === 'push'
            ? [{ input: 'creak', ends: [source] }]
            : state === 'shut'
              ? [{ input: 'knock', ends: [source] }]
              : [],
      });
    expect(knockedAt(['visitor'])).not.toContain('opening × knock');
    expect(knockedAt(['visitor', 'neighbour'])).toContain('opening × knock');
  });

  test('is told from what lane, run, till and service can do', () => {
    const payments = reachablePaymentPairs('v10');
    // The disk refused "the daemon stops", meanwhile the till took the sale over, and then the
    // event was written.
    expect(payments).toContain('capturing × stopRequested interrupted');
    // A till that is gone takes over no sale.
    expect(payments).not.toContain('capturing × stopRequested tillGone');
    // A reserved payment does not become initiated again (document 4, section 1.3).
    expect(payments).not.toContain('capturing again × polled initiated');
    // An amount that the disk refused was not agreed, and is not agreed later.
    expect([...payments].filter((pair) => pair.endsWith('amountAgreed'))).toEqual([
      'awaiting × amountAgreed',
    ]);
    expect([...payments].filter((pair) => /^(paid|notPaid|needsPerson) /.test(pair))).toEqual([
      'notPaid × lookedUp found',
    ]);
    // A 204 shows nothing: a poll confirms it, and no other answer does.
    expect(payments).toContain('capturing × captureAnswered accepted');
    expect(payments).toContain('capturing × polled reserved');
    expect([...payments].filter((pair) => pair.endsWith('Answered done'))).toEqual([]);
    const refunds = reachableRefundPairs('v10');
    expect(refunds).not.toContain('offering (manager) × tillAnswered yes');
    expect(refunds).toContain('needsPerson (manager) × stopRequested interrupted');
  });

  test.runIf(isLong)('is another matter on a service that tells who was first', () => {
    const payments = reachablePaymentPairs('epayment');
    expect(payments).toContain('awaiting, to be stopped × cancelUnapprovedAnswered refused');
    // The answer came after a poll, or the end of the wait, had told the same.
    expect(payments).toContain('offering × cancelUnapprovedAnswered done');
    expect(
      [...payments].filter((pair) => /clear|blocked|ready|prepared|paired|issuedToUser/.test(pair)),
    ).toEqual([]);
  });

  test('is little of a refund in one step: nothing is offered, captured or cancelled', () => {
    const refunds = reachableRefundPairs('epayment');
    expect(
      [...refunds].filter((pair) => /^(offering|capturing|cancelling|held)/.test(pair)),
    ).toEqual([]);
  });
});
