import { createHash } from 'node:crypto';
import { z } from 'zod';
import { TestedWith } from '../../../preload/procedures/setup-fields.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Settings } from '../settings/schema.ts';
import { type ListFile, listFile } from '../../support/list-file.ts';
import { draftTill, tillView } from './draft-till.ts';

const TestedLane = z.object({
  laneId: z.string(),
  /** The till of the test payment that went through. */
  tested: TestedWith,
  /** Hash of what was tested. */
  of: z.string(),
});
type TestedLane = z.infer<typeof TestedLane>;

type Tried = Pick<Settings, 'lanes' | 'api'>;

/**
 * The test payments of the lanes in use, so that a later change of a lane knows what was tested.
 */
export class TestedLanes {
  readonly #file: ListFile<TestedLane>;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#file = listFile({ path, name: 'lanes', item: TestedLane, what: 'tested lanes', log });
    this.#log = log;
  }

  /** @returns null when the lane's till or flow has changed since, or was never tested */
  testedWith(laneId: string, settings: Tried): TestedWith | null {
    const entry = this.#file.read().find((one) => one.laneId === laneId);
    return entry?.of === hashOf(laneId, settings) ? entry.tested : null;
  }

  /**
   * Lanes that are no longer in use are forgotten. A list that cannot be written is logged: then
   * the lane counts as not tested.
   */
  note(laneId: string, tested: TestedWith | null, settings: Tried): void {
    const isInUse = ({ laneId: other }: TestedLane): boolean =>
      other !== laneId && settings.lanes.some(({ id }) => id === other);
    const others = this.#file.read().filter(isInUse);
    const of = hashOf(laneId, settings);
    try {
      this.#file.write(
        tested === null || of === null ? others : [...others, { laneId, tested, of }],
      );
    } catch (error) {
      this.#log.warn(
        { laneId, detail: messageOf(error) },
        'cannot note the test payment of a lane',
      );
    }
  }
}

/**
 * Without secrets, and without the recording, which changes nothing for the till. null for an
 * unknown lane.
 */
function hashOf(laneId: string, { lanes, api }: Tried): string | null {
  const lane = lanes.find(({ id }) => id === laneId);
  if (lane === undefined) return null;
  const till = { ...tillView(draftTill(lane.till, api)), record: null };
  return createHash('sha256')
    .update(JSON.stringify([till, lane.flow]))
    .digest('hex');
}
