import { expect, test } from 'vitest';
import { readAwake } from '../../../renderer/manager/this-pc/awake-form.ts';
import { managerTexts } from '../../../renderer/locales/manager.ts';
import { loadTexts } from '../../../renderer/locales/catalogue.ts';

await loadTexts('en');
const { awake } = managerTexts.en.thisPc;

test('displays stay on from one time until another, also over midnight', () => {
  expect(readAwake({ from: '06:00', until: '23:30' }, awake)).toEqual({
    fromMinute: 360,
    untilMinute: 1410,
  });
  expect(readAwake({ from: '16.00', until: ' 2:05' }, awake)).toEqual({
    fromMinute: 960,
    untilMinute: 125,
  });
});

test.each([
  [{ from: '', until: '23:00' }, 'from', '“Stay on from” must be a time such as 06:00.'],
  [{ from: '06:00', until: '24:00' }, 'until', '“Stay on until” must be a time such as 06:00.'],
  [
    { from: '06:00', until: '06:00' },
    'until',
    '“Stay on from” and “Stay on until” must be different times. For displays that never sleep, tick “Displays never sleep”.',
  ],
])('%o names the field and its rule', (typed, at, problem) => {
  expect(readAwake(typed, awake)).toEqual({ at, problem });
});
