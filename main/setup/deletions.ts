import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { writeFileAtomically } from '../support/atomic-file.ts';

const Deletion = z.object({
  merchantPosId: z.string(),
  /** What customers read. */
  name: z.string(),
  /** null: its lane was not open since the start. */
  posId: z.guid().nullable(),
  /** The service and the merchant that have it. */
  baseUrl: z.string(),
  merchantVat: z.string(),
});
export type Deletion = z.infer<typeof Deletion>;
const DeletionsFile = z.object({ version: z.literal(1), pointsOfSale: z.array(Deletion) });

/**
 * Points of sale of removed lanes that are to be deleted at the service, until that is done or given up. On disk before the lane is removed, so that
 * neither a crash nor a service that does not answer loses one.
 */
export class Deletions {
  readonly #path: string;
  #deletions: readonly Deletion[];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#deletions = read(path, log);
  }

  list(): readonly Deletion[] {
    return this.#deletions;
  }

  /** On disk when this returns. @throws when the disk refuses: nothing is intended then */
  intend(deletion: Deletion): void {
    this.#write([...this.#deletions.filter(({ merchantPosId }) => merchantPosId !== deletion.merchantPosId), deletion]);
  }

  /** It is done, or was given up. */
  forget(merchantPosId: string): void {
    const others = this.#deletions.filter((one) => one.merchantPosId !== merchantPosId);
    if (others.length < this.#deletions.length) this.#write(others);
  }

  #write(deletions: readonly Deletion[]): void {
    const content: z.input<typeof DeletionsFile> = { version: 1, pointsOfSale: [...deletions] };
    writeFileAtomically(this.#path, `${JSON.stringify(content, null, 2)}\n`);
    this.#deletions = deletions;
  }
}

function read(path: string, log: Log): readonly Deletion[] {
  try {
    return DeletionsFile.parse(JSON.parse(readFileSync(path, 'utf8'))).pointsOfSale;
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') log.error({ path, detail: messageOf(error) }, 'the list of points of sale to delete cannot be read');
    return [];
  }
}
