import { z } from 'zod';

/** The version of a release: three numbers, and nothing after them. */
export const Version = z
  .string()
  .regex(/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/, 'must be a version such as 1.2.3');

const numbersIn = (version: string): number[] => version.split('.').map(Number);

/** Compares versions such as 1.2.3. */
export function isNewerVersion(version: string, than: string): boolean {
  const [numbers, others] = [numbersIn(version), numbersIn(than)];
  const place = numbers.findIndex((number, index) => number !== others[index]);
  return place !== -1 && (numbers[place] ?? 0) > (others[place] ?? 0);
}
