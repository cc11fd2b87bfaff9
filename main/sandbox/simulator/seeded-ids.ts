import { createHash } from 'node:crypto';
import type { Ids } from '../../core/domain/ids.ts';

/** The same ids in the same order for the same seed, so that a run can be repeated. */
export function seededIds(seed: number | string): Ids {
  let count = 0;
  return {
    uuid() {
      const hex = createHash('sha256')
        .update(`${seed}/${(count += 1)}`)
        .digest('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}
