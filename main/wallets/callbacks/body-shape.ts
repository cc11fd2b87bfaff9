/** What the body of a callback may hold, judged before it is parsed. */
import { firstMistake, isBlank, mark } from '../http/json.ts';

export interface ShapeLimits {
  readonly records: number;
  /** Depth of a record; one without lists and objects in it has 1. */
  readonly depth: number;
}

/**
 * Returns the first breach of the limits. null: the body is within them; it may still be invalid
 * JSON.
 */
export function shapeMistake(body: Uint8Array, { records, depth }: ShapeLimits): string | null {
  const first = body.find((byte) => !isBlank(byte));
  if (first !== mark.openList && first !== mark.openObject) return null;
  const listDepth = first === mark.openList ? 1 : 0;
  let count = 0;
  return firstMistake(body, (byte, level) => {
    const isElement =
      listDepth === 1 && level === 1 && byte !== mark.comma && byte !== mark.closeList;
    if (isElement && byte !== mark.openObject)
      return count === 0 ? 'the record must be an object' : `record ${count + 1} must be an object`;
    if (byte !== mark.openObject && byte !== mark.openList) return null;
    if (level === listDepth && byte === mark.openObject) count += 1;
    if (count > records)
      return records === 1
        ? 'the body must be one record'
        : `the body must hold at most ${records} records`;
    return level + 1 - listDepth > depth
      ? `a record must not be nested deeper than ${depth} levels`
      : null;
  });
}
