/** The commands of the test till, for a person, a script or a program. */
import { z } from 'zod';
import { currencies } from '../../core/domain/money.ts';
import { maxReceiptNumber } from '../../core/domain/receipt-number.ts';

const Amount = z
  .int('must be a whole number of minor units')
  .min(0, 'must not be negative')
  .max(999_999_999_999, 'must have at most twelve digits');
const ReceiptNumber = z.union([z.literal('last'), z.int().min(0).max(maxReceiptNumber)], {
  error: 'must be a receipt number of up to four digits, or "last"',
});
const Bytes = z
  .string()
  .regex(/^\s*[0-9A-Fa-f]{2}(\s*[0-9A-Fa-f]{2})*\s*$/, 'must be bytes in hex, such as 06 70 00')
  .transform((text) =>
    Uint8Array.from(text.match(/[0-9A-Fa-f]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16)),
  );
const Code = z.string().regex(/^[0-9A-Fa-f]{2}$/, 'must be a code of two hex digits, such as 6C');
const Milliseconds = z.int().min(0).max(3_600_000);

/** The expected outcome of a step. Fields that are left out are not compared. */
const Expected = z.strictObject({
  refused: Code.nullable().optional().describe('The code of 84 xx; null: accepted.'),
  ended: z
    .enum(['completed', 'aborted', 'none'])
    .optional()
    .describe('By 06 0F, by 06 1E, or not at all.'),
  abortCode: Code.optional().describe('Of 06 1E.'),
  result: Code.nullable().optional().describe('Of the last status information; null: none came.'),
  amount: Amount.optional().describe('Of the last status information.'),
  text: z.string().optional().describe('Is in the additional text of the last status information.'),
  shown: z.string().optional().describe('Is in one of the intermediate statuses.'),
  printed: z
    .array(z.string())
    .optional()
    .describe('Each is in a line of the receipt, in this order.'),
  withinMs: Milliseconds.optional().describe('How long it may take at most, to its end.'),
});

const common = {
  /** The expected outcome; success by default. */
  expect: Expected.optional(),
  /** When to press the cancel key, in milliseconds after the command. */
  abortAfterMs: Milliseconds.optional(),
  /** Presses the cancel key when an intermediate status contains this text. */
  abortWhenShown: z.string().min(1).optional(),
  /**
   * The till's answer to a packet of the terminal, by the packet's name; `none` for no answer. 80
   * 00 00 by default.
   */
  answers: z
    .partialRecord(
      z.enum(['statusInformation', 'intermediateStatus', 'printLine', 'completion', 'abort'], {
        error: 'must be statusInformation, intermediateStatus, printLine, completion or abort',
      }),
      z.union([z.literal('none'), Bytes], {
        error: 'must be bytes in hex, such as 84 9C 00, or "none"',
      }),
    )
    .optional(),
};
const Currency = z.enum(currencies).nullable().optional();
const step = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ do: z.literal(name), ...shape, ...common });

/**
 * `currency` is that of the packet; null sends none, and without the field the till's own is sent.
 */
export const Step = z.discriminatedUnion('do', [
  step('register', { currency: Currency, config: Code.optional(), tlv: z.boolean().optional() }),
  step('pay', { amount: Amount, currency: Currency }),
  step('reserve', { amount: Amount, currency: Currency }),
  step('capture', { receipt: ReceiptNumber, used: Amount.optional(), unused: Amount.optional() }),
  step('release', { receipt: ReceiptNumber }),
  /** 06 30. */
  step('reverse', { receipt: ReceiptNumber, amount: Amount.optional() }),
  /** 06 31. */
  step('refund', { receipt: ReceiptNumber.optional(), amount: Amount }),
  step('repeatReceipt', {}),
  step('endOfDay', {}),
  step('status', {}),
  step('diagnosis', {}),
  step('logOff', {}),
  /** The cancel key while nothing runs. */
  step('abort', {}),
  /** Any command, as bytes without its framing. */
  step('send', { bytes: Bytes }),
  z.strictObject({ do: z.literal('wait'), ms: Milliseconds }),
]);
/** A step in a script, e.g. `{ do: 'pay', amount: 1250 }`. */
export type Step = z.input<typeof Step>;
export type CheckedStep = z.output<typeof Step>;
export type Expectation = z.output<typeof Expected>;

export const Script = z.strictObject({
  currency: z.enum(currencies).optional(),
  password: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .optional(),
  steps: z.array(Step).min(1, 'must hold at least one step'),
});
export type Script = z.input<typeof Script>;

/** An invalid step or script. The message names the field and the rule in one line. */
export class StepMistake extends Error {}

/** @throws StepMistake */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StepMistake(
    `${issue?.path.join('.') || 'script'}: ${issue?.message ?? 'cannot be read'}`,
  );
}
