import { hash } from 'node:crypto';

/**
 * `npm run test:long`: every suite at full length. `npm test` leaves out what is slow and repeats
 * what another test shows, see CONTRIBUTING.md.
 */
export const isLong = process.env['TILLBEACON_TEST_LONG'] === '1';

/**
 * A number below `count` that is random, and the same in every run with the same
 * `TILLBEACON_TEST_SEED`: vitest.config.ts chooses one and the report names it.
 */
export function chosen(count: number, what: string): number {
  return (
    Number.parseInt(
      hash('sha256', `${process.env['TILLBEACON_TEST_SEED']} ${what}`).slice(0, 12),
      16,
    ) % count
  );
}

/**
 * All values in the long run; `count` of them otherwise, others each time: in a few runs all have
 * had their turn.
 */
export function someOf<Value>(values: readonly Value[], count: number): readonly Value[] {
  if (isLong || count >= values.length) return values;
  const first = chosen(values.length, JSON.stringify(values));
  return values.map((_, place) => values[(first + place) % values.length] as Value).slice(0, count);
}

/** All values in the long run; those named by their places otherwise. */
export function sampled<Value>(
  values: readonly Value[],
  ...places: readonly number[]
): readonly Value[] {
  return isLong ? values : values.filter((_, place) => places.includes(place));
}
