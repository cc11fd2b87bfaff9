import { expect, test } from 'vitest';
import type { StoryLine } from '../../../../../preload/procedures/refunds.ts';
import { mergedLines } from '../../../../../renderer/manager/refunds/merged-lines.ts';

const line = (atMs: number, about: Partial<StoryLine> = {}): StoryLine => ({
  atMs,
  event: 'attemptFailed',
  refundOrderId: null,
  reason: null,
  detail: 'status 500',
  ...about,
});

test('what is repeated in a row is one line that says how often and until when; what differs in anything stands alone', () => {
  const story = [
    line(1, { event: 'captureIntended' }),
    line(2),
    line(3),
    line(4),
    line(5, { detail: 'no answer' }),
    line(6),
    line(7, { refundOrderId: 'r' }),
  ];
  expect(mergedLines(story).map(({ atMs, count, lastMs }) => [atMs, count, lastMs])).toEqual([
    [1, 1, 1],
    [2, 3, 4],
    [5, 1, 5],
    [6, 1, 6],
    [7, 1, 7],
  ]);
});
