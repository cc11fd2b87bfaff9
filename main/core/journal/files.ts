/** The files beside the journal, and how a repaired journal takes its place. */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createPrivateFile, writePrivately } from '../../support/private-file.ts';

/**
 * A repaired journal that is complete. From here on it replaces the damaged one, even after a power
 * cut.
 */
const repairedPath = (path: string): string => `${path}.repaired`;
const openMarkPath = (path: string): string => `${path}.open`;
/** See `Reserve`. */
export const reservePath = (path: string): string => `${path}.reserve`;
const withoutEnding = (path: string): string => path.replace(/\.sqlite$/, '');

/**
 * How the journal was left. `open`: not closed in an orderly way; the newest events are in the
 * write-ahead log. `suspect`: a query or a check found damage since.
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

export const bytesOf = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The repaired journal while it is being built; it is ignored until it is complete. */
export function emptyRepairFile(path: string): string {
  const building = `${path}.repairing`;
  for (const file of [building, `${building}-journal`, `${building}-wal`, `${building}-shm`])
    rmSync(file, { force: true });
  createPrivateFile(building);
  return building;
}

/** The path under which a damaged journal is kept: beside it, with the date in its name. */
export function nameForDamaged(path: string, atMs: number): string {
  const wanted = `${withoutEnding(path)}.damaged-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  for (let number = 1; ; number += 1) {
    const name = `${number === 1 ? wanted : `${wanted}-${number}`}.sqlite`;
    if (!existsSync(name) && !existsSync(`${name}-wal`)) return name;
  }
}

/** Moves the damaged journal aside and the repaired one into its place. */
export function exchange(path: string, building: string, aside: string): void {
  renameSync(building, repairedPath(path));
  putInPlace(path, aside);
}

/** Completes an `exchange` that a power cut interrupted. */
export function finishExchange(path: string, atMs: number): void {
  if (existsSync(repairedPath(path))) putInPlace(path, nameForDamaged(path, atMs));
}

/**
 * Removes the write-ahead log first: SQLite must never apply the old log to the repaired journal.
 */
function putInPlace(path: string, aside: string): void {
  for (const ending of ['-wal', '-shm', ''])
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  renameSync(repairedPath(path), path);
}
