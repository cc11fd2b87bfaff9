import { expect, test } from 'vitest';
import { captureWarning } from '../../../../../renderer/manager/reservations/capture-form.ts';

test('only a capture of a part says that the rest is released', () => {
  expect(captureWarning('en', { howMuch: 'part', amount: '' })).toBe(
    'This can be done once. What is not captured is released to the customer.',
  );
  expect(captureWarning('en', { howMuch: 'all', amount: '' })).toBe('This can be done once.');
});
