/** The outcome of a command, and its comparison with the expected one. */
import { decodeBcd } from '../../tills/zvt/bcd.ts';
import { BMP, type Fields } from '../../tills/zvt/bitmaps.ts';
import { hexByte, resultCodeOf } from '../../tills/zvt/packets.ts';
import { decodeText } from '../../tills/zvt/text.ts';
import { receiptDigits } from '../../core/domain/receipt-number.ts';
import type { CommandOutcome } from './register.ts';
import type { Expectation } from './steps.ts';

export interface StepOutcome {
  /** The code of 84 xx; null when it was accepted with 80 00. */
  readonly refused: string | null;
  /** Ended by 06 0F or by 06 1E; none when only the answer came, or the connection was lost. */
  readonly ended: 'completed' | 'aborted' | 'none';
  /** The code of 06 1E. */
  readonly abortCode: string | null;
  /**
   * From the last status information, as are the fields below; null when none came, or it lacks the
   * field.
   */
  readonly result: string | null;
  /** Amount in minor units. */
  readonly amount: number | null;
  readonly receiptNumber: number | null;
  readonly traceNumber: number | null;
  readonly text: string | null;
  /** The texts or codes of intermediate statuses. */
  readonly inWords: readonly string[];
  /** The lines of the receipt. */
  readonly printed: readonly string[];
  /** How the cancel key was answered: `ok` or a code; null when it was not pressed. */
  readonly abortAnswer: string | null;
  readonly tookMs: number;
}

const numberIn = (fields: Fields | undefined, bitmap: number): number | null => {
  const value = fields?.get(bitmap);
  return value === undefined ? null : decodeBcd(value);
};

export function stepOutcomeOf({
  refused,
  ended,
  statusInformations,
  progress,
  printed,
}: CommandOutcome): Omit<StepOutcome, 'abortAnswer' | 'tookMs'> {
  const last = statusInformations.at(-1);
  const result = last === undefined ? null : resultCodeOf(last);
  const text = last?.get(BMP.additionalText);
  return {
    refused: refused === null ? null : hexByte(refused),
    ended: ended === null ? 'none' : ended.by === 'abort' ? 'aborted' : 'completed',
    abortCode: ended?.by === 'abort' ? hexByte(ended.code) : null,
    result: result === null ? null : hexByte(result),
    amount: numberIn(last, BMP.amount),
    receiptNumber: numberIn(last, BMP.receiptNumber),
    traceNumber: numberIn(last, BMP.traceNumber),
    text: text === undefined ? null : decodeText(text),
    inWords: progress,
    printed,
  };
}

/**
 * The expected outcome of a command without `expect`. @param endsWithAnswer whether nothing follows
 * its 80 00
 */
export const success = (endsWithAnswer: boolean): Expectation => ({
  refused: null,
  ended: endsWithAnswer ? 'none' : 'completed',
});

/** The differences from the expected outcome, one line each; empty when all match. */
export function differences(outcome: StepOutcome, expected: Expectation): string[] {
  const lines: string[] = [];
  const differs = (what: string, wanted: unknown, got: unknown): void => {
    lines.push(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
  };
  const compare = (what: 'refused' | 'ended' | 'abortCode' | 'result' | 'amount'): void => {
    const wanted = expected[what];
    const same = typeof wanted === 'string' && what !== 'ended' ? wanted.toUpperCase() : wanted;
    if (wanted !== undefined && same !== outcome[what]) differs(what, wanted, outcome[what]);
  };
  for (const what of ['refused', 'ended', 'abortCode', 'result', 'amount'] as const) compare(what);
  // Success also means that no status information before the completion was a refusal.
  if (
    expected.result === undefined &&
    expected.ended === 'completed' &&
    outcome.result !== null &&
    outcome.result !== '00'
  )
    differs('result', '00', outcome.result);
  if (expected.text !== undefined && outcome.text?.includes(expected.text) !== true)
    differs('text', expected.text, outcome.text);
  if (
    expected.shown !== undefined &&
    !outcome.inWords.some((text) => text.includes(expected.shown ?? ''))
  )
    differs('shown', expected.shown, outcome.inWords);
  let line = 0;
  for (const wanted of expected.printed ?? []) {
    const at = outcome.printed.findIndex((text, index) => index >= line && text.includes(wanted));
    if (at < 0) differs('printed', wanted, outcome.printed);
    else line = at + 1;
  }
  if (expected.withinMs !== undefined && outcome.tookMs > expected.withinMs)
    differs('withinMs', expected.withinMs, Math.ceil(outcome.tookMs));
  return lines;
}

const shown = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** The outcome in one line, for display. */
export function outcomeInWords({
  refused,
  ended,
  abortCode,
  result,
  amount,
  receiptNumber,
  text,
  tookMs,
}: StepOutcome): string {
  const parts = [
    refused === null ? (ended === 'none' ? 'answered' : ended) : `refused with ${refused}`,
    abortCode !== null && `code ${abortCode}`,
    result !== null && `result ${result}`,
    amount !== null && `amount ${(amount / 100).toFixed(2)}`,
    receiptNumber !== null && `receipt ${receiptDigits(receiptNumber)}`,
    text !== null && `"${text}"`,
    `${Math.round(tookMs)} ms`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
