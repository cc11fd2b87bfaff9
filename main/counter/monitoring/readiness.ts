import { journalUnwritable } from '../../core/domain/errors.ts';
import type { LaneCondition, NotReadyReason } from '../../core/lane/snapshot.ts';

/**
 * Whether every lane takes payments, and why not. Everybody may read it, so it has no names, no
 * addresses and no texts of the service.
 */
export interface Readiness {
  readonly isReady: boolean;
  readonly words: string;
}

const reasons: Readonly<Record<NotReadyReason, string>> = {
  starting: 'it is starting',
  settlingOpenPayments: 'it settles what was open at the start',
  serviceUnreachable: 'the wallet service does not answer',
  credentialsRefused: 'the wallet service refuses the credentials',
  pointOfSaleRefused: 'the wallet service refuses the point of sale',
  storageFailed: journalUnwritable,
  tillPortFailed: "the till's port cannot be opened",
  clockWrong: "this computer's clock is wrong",
};

/** No lane is opened before a manager has confirmed the restore. */
export const restoredAndWaiting: Readiness = {
  isReady: false,
  words: 'restored from a backup: a manager has to confirm that the old computer takes no payments',
};

/** @param lanes null while the counter is not set up */
export function readinessOf(lanes: readonly LaneCondition[] | null): Readiness {
  if (lanes === null || lanes.length === 0) return { isReady: false, words: 'not set up' };
  const hindered = lanes.flatMap((lane) => (lane.kind === 'open' ? [] : reasons[lane.reason]));
  const all = lanes.length;
  if (hindered.length === 0)
    return {
      isReady: true,
      words: all === 1 ? 'the lane takes payments' : `all ${all} lanes take payments`,
    };
  const open = all - hindered.length;
  const lanesWords =
    all === 1
      ? 'the lane takes no payments'
      : `${open} of ${all} lanes take${open === 1 ? 's' : ''} payments`;
  return { isReady: false, words: `${lanesWords}: ${[...new Set(hindered)].join('; ')}` };
}
