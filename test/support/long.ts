import { randomInt } from 'node:crypto';

/** `npm run test:long`: every suite at full length. `npm test` leaves out what is slow and repeats what another test shows, see CONTRIBUTING.md. */
export const isLong = process.env['TILLBEACON_TEST_LONG'] === '1';

/** All values in the long run; `count` of them otherwise, others each time: in a few runs all have had their turn. */
export function someOf<Value>(values: readonly Value[], count: number): readonly Value[] {
  if (isLong) return values;
  const first = randomInt(values.length);
  return values.map((_, place) => values[(first + place) % values.length] as Value).slice(0, count);
}

/** All values in the long run; those named by their places otherwise. */
export function sampled<Value>(values: readonly Value[], ...places: readonly number[]): readonly Value[] {
  return isLong ? values : values.filter((_, place) => places.includes(place));
}
