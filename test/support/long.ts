/** `npm run test:long`: every suite at full length. `npm test` leaves out what is slow and repeats what another test shows, see CONTRIBUTING.md. */
export const isLong = process.env['TILLBEACON_TEST_LONG'] === '1';

/** All values in the long run; those named by their places otherwise. */
export function sampled<Value>(values: readonly Value[], ...places: readonly number[]): readonly Value[] {
  return isLong ? values : values.filter((_, place) => places.includes(place));
}
