import { openJournalReader } from '../journal/reader.ts';

/** How many payments and refunds of each lane, also of lanes that are no more, have not reached their end at the service. */
export function openMoneyByLane(journalPath: string): ReadonlyMap<string, number> {
  const reader = openJournalReader(journalPath);
  try {
    // Behind every payment: nothing is counted, and everything that is open is listed.
    const { open } = reader.dayTotals({ fromMs: Number.MAX_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER });
    const lanes = new Map<string, number>();
    for (const { laneId } of open) lanes.set(laneId, (lanes.get(laneId) ?? 0) + 1);
    return lanes;
  } finally {
    reader.close();
  }
}
