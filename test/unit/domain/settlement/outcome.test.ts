import { expect, test } from 'vitest';
import { certaintyOf, outcomeOf } from '../../../../main/domain/settlement/outcome.ts';
import { acknowledged, created, polled, stop, tell } from './support.ts';

test('an outcome is ours alone until the service confirms it, and contested once the service says otherwise', () => {
  const certainty = (...inputs: Parameters<typeof tell>[0]) => {
    const { payment } = tell(inputs);
    return outcomeOf(payment) === null ? null : certaintyOf(payment);
  };
  expect(certainty(created)).toBeNull();
  expect(certainty(created, stop('tillGone'))).toBe('decided');
  expect(certainty(created, stop('tillGone'), { type: 'cancelAnswered', answer: { kind: 'done' } })).toBe('confirmed');
  expect(certainty(...acknowledged)).toBe('decided');
  expect(certainty(...acknowledged, { type: 'captureAnswered', answer: { kind: 'done' } })).toBe('confirmed');
  expect(certainty(created, polled('captured'))).toBe('contested');
});
