import { expect, test } from 'vitest';
import type { LaneCondition } from '../../../../main/core/lane/snapshot.ts';
import { readinessOf } from '../../../../main/counter/monitoring/readiness.ts';

const open: LaneCondition = { kind: 'open' };
const not = (reason: Extract<LaneCondition, { kind: 'notReady' }>['reason']): LaneCondition => ({
  kind: 'notReady',
  reason,
  detail: 'https://a-secret.example',
});

test.each([
  [null, false, 'not set up'],
  [[open], true, 'the lane takes payments'],
  [[open, open], true, 'all 2 lanes take payments'],
  [[not('starting')], false, 'the lane takes no payments: it is starting'],
  [
    [open, not('serviceUnreachable')],
    false,
    '1 of 2 lanes takes payments: the wallet service does not answer',
  ],
  [
    [not('serviceUnreachable'), not('serviceUnreachable'), not('storageFailed')],
    false,
    '0 of 3 lanes take payments: the wallet service does not answer; the journal cannot be written',
  ],
] as const)('%j is ready: %s, "%s"', (lanes, isReady, words) => {
  expect(readinessOf(lanes)).toEqual({ isReady, words });
});
