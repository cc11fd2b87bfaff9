import type { StoryLine } from '../../../preload/procedures/refunds.ts';

export interface MergedLine extends StoryLine {
  /** The number of equal consecutive events. */
  readonly count: number;
  readonly lastMs: number;
}

/** Merges equal consecutive events, so that an attempt that is repeated for hours is one line. */
export function mergedLines(story: readonly StoryLine[]): MergedLine[] {
  const lines: MergedLine[] = [];
  for (const line of story) {
    const before = lines.at(-1);
    if (before !== undefined && isSame(before, line))
      lines[lines.length - 1] = { ...before, count: before.count + 1, lastMs: line.atMs };
    else lines.push({ ...line, count: 1, lastMs: line.atMs });
  }
  return lines;
}

function isSame(one: StoryLine, other: StoryLine): boolean {
  return (['event', 'refundOrderId', 'reason', 'detail'] as const).every(
    (about) => one[about] === other[about],
  );
}
