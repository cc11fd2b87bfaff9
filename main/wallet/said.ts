import { z } from 'zod';
import { outsideText } from '../domain/outside-text.ts';

/** Text in an answer that is logged or shown. */
export const Said = z.string().overwrite((text) => outsideText(text));
