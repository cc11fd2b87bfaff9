import { readE } from './e.ts';
import type { Request } from './request.ts';
import { beginsAsV3, readWholeV3 } from './v3.ts';

/**
 * Reads the text of a block. A message of a known form that is wrong becomes a request that is
 * refused.
 * @returns null when the form is unknown
 */
export const readRequest = (text: Uint8Array): Request | null =>
  beginsAsV3(text) === true ? readWholeV3(text) : readE(text);
