import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../core/domain/errors.ts';
import type { Log } from '../core/domain/log.ts';
import { writeFileAtomically } from './atomic-file.ts';

interface ListFileOptions<Item extends z.ZodType> {
  readonly path: string;
  /** Name of the list in the file. */
  readonly name: string;
  readonly item: Item;
  /** What the list contains, for the log. */
  readonly what: string;
  readonly log: Log;
}

export interface ListFile<Item> {
  /** Empty when the file is missing or cannot be read; the latter is logged. */
  read(): readonly Item[];
  /** The list is on disk when this returns. @throws when the disk refuses */
  write(items: readonly Item[]): void;
}

/** A list in a separate file, which is replaced as a whole. */
export function listFile<Item extends z.ZodType>({
  path,
  name,
  item,
  what,
  log,
}: ListFileOptions<Item>): ListFile<z.output<Item>> {
  const file = z.object({ version: z.literal(1), [name]: z.array(item) });
  return {
    read() {
      try {
        return file.parse(JSON.parse(readFileSync(path, 'utf8')))[name] as z.output<Item>[];
      } catch (error) {
        if (systemCodeOf(error) !== 'ENOENT')
          log.error({ path, detail: messageOf(error) }, `the list of ${what} cannot be read`);
        return [];
      }
    },
    write: (items) =>
      writeFileAtomically(path, `${JSON.stringify({ version: 1, [name]: items }, null, 2)}\n`),
  };
}
