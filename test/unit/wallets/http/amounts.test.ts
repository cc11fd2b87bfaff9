import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { decimalText, majorAmount, minorAmount } from '../../../../main/wallets/http/amounts.ts';

/** The largest amount of any interface: 2147483647 in major units (document 1). */
const maxMinor = 2_147_483_647_00;
const notations = { majorAmount: majorAmount(), minorAmount: minorAmount(), decimalText } as const;

describe.each(Object.entries(notations))('%s', (_name, notation: z.ZodType) => {
  test('is exact to the last minor unit for every amount, through JSON and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -maxMinor, max: maxMinor }), (amountMinor) => {
        const wire = JSON.parse(JSON.stringify(z.encode(notation, amountMinor))) as unknown;
        return notation.parse(wire) === amountMinor;
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([12.5, Number.NaN, Number.POSITIVE_INFINITY, '12', null])(
    'refuses to send %o, which is no whole number of minor units',
    (wrong) => {
      expect(z.safeEncode(notation, wrong).success).toBe(false);
    },
  );
});

describe('what the wire says', () => {
  test.each([
    [majorAmount(), 12.5, 1250],
    [majorAmount(), 0.29, 29],
    [majorAmount(), 1.005, 'has more than two decimals'],
    [majorAmount(), '12.50', 'Invalid input: expected number, received string'],
    [majorAmount({ min: 1 }), 0, 'must be at least 0.01'],
    [majorAmount({ max: maxMinor }), 2_147_483_647, maxMinor],
    [majorAmount({ max: maxMinor }), 2_147_483_647.01, 'must be at most 2147483647'],
    [minorAmount(), 1250, 1250],
    [minorAmount(), 12.5, 'must be a whole number of minor units'],
    [minorAmount({ min: 1 }), 0, 'must be at least 1'],
    [decimalText, '12.50', 1250],
    [decimalText, '-0.05', -5],
    [decimalText, '12.5', 'must be an amount with two decimals, e.g. "12.50"'],
    [decimalText, '12,50', 'must be an amount with two decimals, e.g. "12.50"'],
    [decimalText, 12.5, 'Invalid input: expected string, received number'],
  ])('%#: %o is %o', (notation: z.ZodType, wire, expected) => {
    const read = notation.safeParse(wire);
    expect(read.success ? read.data : read.error.issues[0]?.message).toBe(expected);
  });

  test('a range holds in both directions', () => {
    expect(z.safeEncode(majorAmount({ min: 1 }), minorUnits(0)).error?.issues[0]?.message).toBe(
      'must be at least 0.01',
    );
    expect(z.encode(majorAmount({ min: 1 }), minorUnits(1))).toBe(0.01);
  });
});

test('minor units are whole numbers, and nothing else can be called so', () => {
  expect(minorUnits(1250)).toBe(1250);
  expect(() => minorUnits(12.5)).toThrow('amount must be a whole number of minor units, got 12.5');
});
