/** Browsers limit an element's height to about 16 to 33 million px. This is below all limits. */
const tallestPx = 10_000_000;

/**
 * Maps the rows of a list to a scroll bar. A list taller than a browser can render gets a shorter
 * track, on which each px stands for several px of the list. A list that fits is not scaled.
 */
export interface Scale {
  readonly listPx: number;
  readonly trackPx: number;
  readonly viewPx: number;
}

export function scaleOf({
  count,
  rowPx,
  viewPx,
}: {
  count: number;
  rowPx: number;
  viewPx: number;
}): Scale {
  const listPx = count * rowPx;
  return { listPx, trackPx: Math.min(listPx, tallestPx), viewPx };
}

/** The offset in the list for a position of the scroll bar. */
export function listTop({ listPx, trackPx, viewPx }: Scale, scrollTop: number): number {
  if (listPx === trackPx || trackPx <= viewPx) return scrollTop;
  return (scrollTop * (listPx - viewPx)) / (trackPx - viewPx);
}

/** The position of the scroll bar for an offset in the list. */
export function scrollTopFor({ listPx, trackPx, viewPx }: Scale, top: number): number {
  const within = Math.min(Math.max(0, top), Math.max(0, listPx - viewPx));
  if (listPx === trackPx || trackPx <= viewPx) return within;
  return (within * (trackPx - viewPx)) / (listPx - viewPx);
}
