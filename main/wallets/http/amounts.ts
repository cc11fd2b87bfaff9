/**
 * The notations in which the interfaces write amounts, each a codec: minor units inside, the
 * interface's own notation on the wire. Decoding refuses what is not exact; so does encoding.
 */
import { z } from 'zod';
import {
  fromMajorUnits,
  type MinorUnits,
  minorUnits,
  toMajorUnits,
} from '../../core/domain/money.ts';

/**
 * The amount inside the program: a whole number of minor units. The cast adds the brand, which only
 * the compiler knows.
 */
const Inside = z.int('must be a whole number of minor units') as z.ZodType as z.ZodType<
  MinorUnits,
  MinorUnits
>;

type Range = { readonly min?: number; readonly max?: number };

/** The bounds for the documentation, in the notation of the wire. */
const bounds = ({ min, max }: Range, unit: number) => ({
  ...(min === undefined ? {} : { minimum: min / unit }),
  ...(max === undefined ? {} : { maximum: max / unit }),
});

const inRange =
  ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Range, unit: number) =>
  (amountMinor: number): string | null => {
    if (amountMinor < min) return `must be at least ${min / unit}`;
    return amountMinor > max ? `must be at most ${max / unit}` : null;
  };

/**
 * A JSON number in major units, at most two decimals: point of sale, subscriptions, reporting
 * (12.5).
 * @param range in minor units
 */
export function majorAmount(range: Range = {}) {
  const broken = inRange(range, 100);
  const codec = z.codec(z.number(), Inside, {
    decode(amountMajor, context) {
      const amountMinor = fromMajorUnits(amountMajor);
      const why = amountMinor === null ? 'has more than two decimals' : broken(amountMinor);
      if (amountMinor !== null && why === null) return minorUnits(amountMinor);
      context.issues.push({ code: 'custom', message: why ?? '', input: amountMajor });
      return z.NEVER;
    },
    encode(amountMinor, context) {
      // Inside a list that is limited in length, zod tries the encoder before it has checked what
      // goes in.
      const why = Number.isSafeInteger(amountMinor)
        ? broken(amountMinor)
        : 'must be a whole number of minor units';
      if (why === null) return toMajorUnits(amountMinor);
      context.issues.push({ code: 'custom', message: why, input: amountMinor });
      return z.NEVER;
    },
  });
  return codec.meta({
    ...bounds(range, 100),
    description: 'Major units, at most two decimals; minor units inside.',
  });
}

/**
 * A JSON integer of minor units: app payments (1250).
 * @param range in minor units
 */
export function minorAmount(range: Range = {}) {
  const broken = inRange(range, 1);
  return Inside.superRefine((amountMinor, context) => {
    const why = broken(amountMinor);
    if (why !== null) context.addIssue({ code: 'custom', message: why, input: amountMinor });
  }).meta({ ...bounds(range, 1), description: 'Minor units.' });
}

/** A string in major units with exactly two decimals: the callbacks of subscriptions ("12.50"). */
export const decimalText = z
  .codec(
    z.string().regex(/^-?\d{1,13}\.\d{2}$/, 'must be an amount with two decimals, e.g. "12.50"'),
    Inside,
    {
      decode: (text) => minorUnits(Number(text.replace('.', ''))),
      encode: (amountMinor) =>
        `${amountMinor < 0 ? '-' : ''}${Math.trunc(Math.abs(amountMinor) / 100)}.${String(Math.abs(amountMinor) % 100).padStart(2, '0')}`,
    },
  )
  .meta({ description: 'Major units as text, two decimals; minor units inside.' });
