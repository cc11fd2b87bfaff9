/** Browsers end an element at some 16 to 33 million px; below all of them. */
const tallestPx = 10_000_000;

/**
 * Where the rows of a list stand under a scroll bar. A list taller than a browser can draw gets a shorter track, on which each px stands for
 * more than one of the list; what fits is not scaled.
 */
export interface Scale {
  readonly listPx: number;
  readonly trackPx: number;
  readonly viewPx: number;
}

export function scaleOf({ count, rowPx, viewPx }: { count: number; rowPx: number; viewPx: number }): Scale {
  const listPx = count * rowPx;
  return { listPx, trackPx: Math.min(listPx, tallestPx), viewPx };
}

/** How far down the list one sees, with the scroll bar there. */
export function listTop({ listPx, trackPx, viewPx }: Scale, scrollTop: number): number {
  if (listPx === trackPx || trackPx <= viewPx) return scrollTop;
  return (scrollTop * (listPx - viewPx)) / (trackPx - viewPx);
}

/** The scroll bar for seeing that far down the list. */
export function scrollTopFor({ listPx, trackPx, viewPx }: Scale, top: number): number {
  const within = Math.min(Math.max(0, top), Math.max(0, listPx - viewPx));
  if (listPx === trackPx || trackPx <= viewPx) return within;
  return (within * (trackPx - viewPx)) / (listPx - viewPx);
}
