import { z } from 'zod';
import { isTimeOfUse } from '../core/domain/local-time.ts';
import { outsideText } from '../core/domain/outside-text.ts';

/** Text in an answer that is logged or shown. */
export const OutsideText = z.string().overwrite((text) => outsideText(text));

/** A part of an answer that is not used here: whatever it holds, the answer is read. */
export const unused = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().catch(undefined);

/** A time that the service names; null when it is none, or of no year that is in use. */
export function timeMsOf(text: string | null | undefined): number | null {
  const atMs = Date.parse(text ?? '');
  return isTimeOfUse(atMs) ? atMs : null;
}
