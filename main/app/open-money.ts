import { openJournalReader } from '../journal/reader.ts';

/** The number of unsettled payments and refunds of each lane, including removed lanes. */
export function openMoneyByLane(journalPath: string): ReadonlyMap<string, number> {
  const reader = openJournalReader(journalPath);
  try {
    // A period after every payment: its totals are empty, but everything open is listed.
    const { open } = reader.dayTotals({ fromMs: Number.MAX_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER });
    const lanes = new Map<string, number>();
    for (const { laneId } of open) lanes.set(laneId, (lanes.get(laneId) ?? 0) + 1);
    return lanes;
  } finally {
    reader.close();
  }
}
