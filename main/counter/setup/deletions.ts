import { z } from 'zod';
import type { Log } from '../../core/domain/log.ts';
import { type ListFile, listFile } from '../../support/list-file.ts';

const Deletion = z.object({
  merchantPosId: z.string(),
  /** What customers read. */
  name: z.string(),
  /** null when its lane was not open since the start. */
  posId: z.guid().nullable(),
  /** The service and the merchant that have it. */
  baseUrl: z.string(),
  merchantVat: z.string(),
});
export type Deletion = z.infer<typeof Deletion>;

/**
 * Points of sale of removed lanes that are to be deleted at the service, until that is done or
 * given up. On disk before the lane is removed, so that neither a crash nor a service that does not
 * answer loses one.
 */
export class Deletions {
  readonly #kept: ListFile<Deletion>;
  #deletions: readonly Deletion[];

  constructor(path: string, log: Log) {
    this.#kept = listFile({
      path,
      name: 'pointsOfSale',
      item: Deletion,
      what: 'points of sale to delete',
      log,
    });
    this.#deletions = this.#kept.read();
  }

  list(): readonly Deletion[] {
    return this.#deletions;
  }

  /** On disk when this returns. @throws when the disk refuses: nothing is intended then */
  intend(deletion: Deletion): void {
    this.#write([
      ...this.#deletions.filter(({ merchantPosId }) => merchantPosId !== deletion.merchantPosId),
      deletion,
    ]);
  }

  /** It is done, or was given up. */
  forget(merchantPosId: string): void {
    const others = this.#deletions.filter((one) => one.merchantPosId !== merchantPosId);
    if (others.length < this.#deletions.length) this.#write(others);
  }

  #write(deletions: readonly Deletion[]): void {
    this.#kept.write(deletions);
    this.#deletions = deletions;
  }
}
