import { z } from 'zod';
import { isTimeOfUse } from '../core/domain/local-time.ts';
import { outsideText } from '../core/domain/outside-text.ts';

/** Text in an answer that is logged or shown. */
export const OutsideText = z.string().overwrite((text) => outsideText(text));

/** A field of an answer that is not used here. An unexpected value does not reject the answer. */
export const unused = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().catch(undefined);

/** A time in an answer; null for text that is no date, or a date outside the years in use. */
export function timeMsOf(text: string | null | undefined): number | null {
  const atMs = Date.parse(text ?? '');
  return isTimeOfUse(atMs) ? atMs : null;
}
