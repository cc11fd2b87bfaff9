/** A program that crashed starts again by itself. What it passes on: when it crashed lately, so that a loop of crashes is told from a crash. */
const option = '--crashed=';
/** As many within that time are a loop: the next start waits, so that the computer stays usable and the log readable. */
const loop = { most: 3, withinMs: 60_000 };
const pauseMs = 30_000;

/** @param nowMs by the wall clock, because it is told to another process. @returns when earlier runs crashed, no longer ago than counts */
function crashesIn(args: readonly string[], nowMs: number): number[] {
  const told = args.find((arg) => arg.startsWith(option))?.slice(option.length) ?? '';
  return told
    .split(',')
    .map(Number)
    .filter((atMs) => Number.isSafeInteger(atMs) && atMs <= nowMs && nowMs - atMs < loop.withinMs);
}

/** Of the next run, after a crash of this one. @param args of this program, without its own name */
export function argsAfterCrash(args: readonly string[], nowMs: number): string[] {
  const crashes = [...crashesIn(args, nowMs), nowMs].slice(-loop.most);
  return [...args.filter((arg) => !arg.startsWith(option)), `${option}${crashes.join(',')}`];
}

/** How long this run has to wait before it does anything. */
export function pauseBeforeStart(args: readonly string[], nowMs: number): number {
  return crashesIn(args, nowMs).length >= loop.most ? pauseMs : 0;
}
