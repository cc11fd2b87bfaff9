/** What stands beside the journal in its folder, and the moves that make a repaired one the journal. */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createPrivateFile, writePrivately } from '../support/private-file.ts';

/** A repaired journal that is complete: from here on it is the journal, whatever happens. */
const repairedPath = (path: string): string => `${path}.repaired`;
const openMarkPath = (path: string): string => `${path}.open`;
/** See `Reserve`. */
export const reservePath = (path: string): string => `${path}.reserve`;
const withoutEnding = (path: string): string => path.replace(/\.sqlite$/, '');

/**
 * How the journal was left. `open`: not closed in an orderly way, its newest events are in the write-ahead log. `suspect`: a query or a check
 * has met damage since.
 */
export type LeftAs = 'closed' | 'open' | 'suspect';

export function leftAs(path: string): LeftAs {
  if (!existsSync(openMarkPath(path))) return 'closed';
  return readFileSync(openMarkPath(path), 'utf8') === 'suspect' ? 'suspect' : 'open';
}

/** @throws when the disk is full */
export function markAs(path: string, as: LeftAs): void {
  if (as === 'closed') rmSync(openMarkPath(path), { force: true });
  else writePrivately(openMarkPath(path), as);
}

export const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Where a repair is built: nothing of it counts before it is complete. */
export function emptyRepairFile(path: string): string {
  const building = `${path}.repairing`;
  for (const file of [building, `${building}-journal`, `${building}-wal`, `${building}-shm`]) rmSync(file, { force: true });
  createPrivateFile(building);
  return building;
}

/** Where a damaged file will be kept: beside it, under its date. */
export function nameForDamaged(path: string, atMs: number): string {
  const wanted = `${withoutEnding(path)}.damaged-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  for (let number = 1; ; number += 1) {
    const name = `${number === 1 ? wanted : `${wanted}-${number}`}.sqlite`;
    if (!existsSync(name) && !existsSync(`${name}-wal`)) return name;
  }
}

/** The damaged file goes aside, the repaired one takes its place. */
export function exchange(path: string, building: string, aside: string): void {
  renameSync(building, repairedPath(path));
  putInPlace(path, aside);
}

/** After a power cut in the middle of `exchange`. */
export function finishExchange(path: string, atMs: number): void {
  if (existsSync(repairedPath(path))) putInPlace(path, nameForDamaged(path, atMs));
}

/** The log first: a repaired journal must never meet the old one's. */
function putInPlace(path: string, aside: string): void {
  for (const ending of ['-wal', '-shm', '']) if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  renameSync(repairedPath(path), path);
}
