import { z } from 'zod';
import { isTimeOfUse } from '../domain/local-time.ts';
import { outsideText } from '../domain/outside-text.ts';

/** Text in an answer that is logged or shown. */
export const Said = z.string().overwrite((text) => outsideText(text));

/** A time that the service names; null when it is none, or of no year that is in use. */
export function saidTimeMs(text: string | null | undefined): number | null {
  const atMs = Date.parse(text ?? '');
  return isTimeOfUse(atMs) ? atMs : null;
}
