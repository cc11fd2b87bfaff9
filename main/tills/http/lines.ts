/**
 * The items of a sale, as a till over HTTP sends them; the customer's app shows them where the
 * service takes them.
 */
import { z } from 'zod';
import { safeText } from '../../core/domain/outside-text.ts';
import { quantityUnits } from '../../core/domain/sale.ts';

const largest = 999_999_999_999;
const maxLines = 200;

const minor = (rule: string) => z.int(rule).min(0, rule).max(largest, rule);
const wholeRule = `must be a whole number of minor units from 0 to ${largest}`;
const rateRule = 'must be a whole number from 0 to 10000: 2500 is 25 %';
const quantityRule = 'must be a number in quotes of at most 10 characters, such as "1.5"';
const unitRule = `must be one of ${quantityUnits.join(', ')}`;

/** Only shown to the customer: its characters and length never refuse a payment. */
const displayText = (maxLength: number) =>
  z.string('must be a text').overwrite((text) => safeText(text, maxLength));

const Line = z
  .strictObject(
    {
      name: displayText(100).describe(
        'The name that the customer reads. Tillbeacon removes invisible characters and keeps at most 100 characters.',
      ),
      id: displayText(64)
        .optional()
        .describe(
          'Your own number of the article, cleaned like the name and cut to 64 characters. Default: the number of the line.',
        ),
      totalMinor: minor(wholeRule).describe(
        'The line’s total with tax and after discounts. All lines add up to amountMinor.',
      ),
      taxMinor: minor(wholeRule).describe('The tax that totalMinor includes.'),
      taxRate: z
        .int(rateRule)
        .min(0, rateRule)
        .max(10_000, rateRule)
        .optional()
        .describe('The tax rate in hundredths of a percent: 2500 is 25 %.'),
      quantity: z
        .string(quantityRule)
        .regex(/^\d+(\.\d+)?$/, quantityRule)
        .max(10, quantityRule)
        .optional(),
      unit: z.enum(quantityUnits, unitRule).optional(),
      unitPriceMinor: minor(wholeRule).optional(),
      discountMinor: minor(wholeRule)
        .optional()
        .describe('The discount, which totalMinor already excludes.'),
    },
    {
      error: ({ code, message }) =>
        code === 'invalid_type'
          ? 'must be a line: an object with name, totalMinor and taxMinor'
          : message,
    },
  )
  .superRefine(({ totalMinor, taxMinor }, context) => {
    if (context.issues.length === 0 && taxMinor > totalMinor)
      context.addIssue({
        code: 'custom',
        path: ['taxMinor'],
        message: `must be at most totalMinor, ${totalMinor}`,
      });
  });

const linesRule = `must be a list of 1 to ${maxLines} lines`;
export const Lines = z.array(Line, linesRule).min(1, linesRule).max(maxLines, linesRule);

const ageRule = 'must be a whole number of years from 1 to 100';
export const MinimumAge = z.int(ageRule).min(1, ageRule).max(100, ageRule);

interface Described {
  readonly amountMinor: number;
  readonly amountFollows?: boolean | undefined;
  readonly lines?: readonly { readonly totalMinor: number }[] | undefined;
}

export function checkSum(
  { amountMinor, amountFollows, lines }: Described,
  context: z.core.$RefinementCtx,
): void {
  // When a line is invalid, a wrong sum is only a consequence.
  if (lines === undefined || context.issues.length > 0) return;
  const sum = lines.reduce((before, { totalMinor }) => before + totalMinor, 0);
  if (amountFollows === true)
    context.addIssue({
      code: 'custom',
      path: ['lines'],
      message: 'must be left out with amountFollows, because the amount is not known yet',
    });
  else if (sum !== amountMinor)
    context.addIssue({
      code: 'custom',
      path: ['lines'],
      message: `must add up to amountMinor, ${amountMinor}: their totalMinor are ${sum}`,
    });
}
