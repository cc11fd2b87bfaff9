import { expect, onTestFinished, test, vi } from 'vitest';
import { watchLoopDelay } from '../../../../main/counter/monitoring/monitoring.ts';

test('whichever tick the event loop is late for, the report of its second says by how much', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let nowMs = 5_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const reports: number[] = [];
  const end = watchLoopDelay((seconds) => reports.push(seconds));
  for (let second = 0; second < 10; second += 1)
    for (let tick = 0; tick < 10; tick += 1) {
      nowMs += tick === second ? 100 + 300 + second : 100;
      vi.advanceTimersByTime(100);
    }
  expect(reports).toEqual([0.3, 0.301, 0.302, 0.303, 0.304, 0.305, 0.306, 0.307, 0.308, 0.309]);
  end();
  vi.advanceTimersByTime(2_000);
  expect(reports).toHaveLength(10);
});
