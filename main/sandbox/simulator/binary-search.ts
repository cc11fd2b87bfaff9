/** The index of the first item of a sorted list that is not `isBefore`; its length when all are. */
export function firstIndexNot<Item>(
  sorted: readonly Item[],
  isBefore: (item: Item) => boolean,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
