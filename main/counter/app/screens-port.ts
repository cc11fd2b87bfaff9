import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../../core/domain/log.ts';
import { ListenError } from '../../core/domain/listening-port.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { portHolder } from '../../support/port-holder.ts';
import { messageOf } from '../../core/domain/errors.ts';

const Paired = z.object({ port: z.int().min(1).max(65_535) });

interface ScreensPortOptions<Served> {
  /** The port from the command line; null for the port of the data folder. */
  readonly requestedPort: number | null;
  /** To begin with. */
  readonly usual: number;
  /**
   * Where the data folder keeps its port, and whether a daemon has used it before; null in a
   * demonstration, which keeps none.
   */
  readonly pairing: { readonly path: string; readonly wasUsed: boolean } | null;
  readonly log: Log;
  /** @throws ListenError */
  readonly start: (at: {
    readonly port: number;
    readonly nextFreeIfTaken: boolean;
  }) => Promise<Served>;
}

/**
 * The screens are found where they were: browsers open that address by themselves, and managers
 * type their PINs there. So a data folder keeps the port of its first start, and does not leave it
 * to another program. @throws Error in plain words, with who has the port
 */
export async function serveAtPort<Served extends { readonly port: number }>(
  options: ScreensPortOptions<Served>,
): Promise<Served> {
  const { requestedPort: asked, usual, pairing, log, start } = options;
  if (asked !== null)
    return start({ port: asked, nextFreeIfTaken: false }).catch((error: unknown) =>
      explainUnserved(error),
    );
  const paired = pairing && (pairedPort(pairing.path) ?? (isNew(pairing) ? null : usual));
  if (paired !== null) {
    const where = ', where this data folder has its screens';
    const served = await start({ port: paired, nextFreeIfTaken: false }).catch((error: unknown) =>
      explainUnserved(error, where),
    );
    keep(pairing?.path ?? null, served.port, log);
    return served;
  }
  const served = await start({ port: usual, nextFreeIfTaken: true });
  if (served.port !== usual)
    log.warn(
      { taken: usual, by: portHolder(usual), port: served.port },
      'the default port of the screens is in use or reserved: using another one',
    );
  keep(pairing?.path ?? null, served.port, log);
  return served;
}

/** Reads the port of the data folder; null when its file is missing or unreadable. */
export function pairedPort(path: string): number | null {
  try {
    return Paired.parse(JSON.parse(readFileSync(path, 'utf8'))).port;
  } catch {
    return null;
  }
}

/** Not paired yet, rather than with a file that was lost. */
const isNew = ({ path, wasUsed }: { readonly path: string; readonly wasUsed: boolean }): boolean =>
  !wasUsed && !existsSync(path);

function keep(path: string | null, port: number, log: Log): void {
  if (path === null) return;
  const text = `${JSON.stringify({ port })}\n`;
  try {
    if (readIfThere(path) !== text) writeFileAtomically(path, text);
  } catch (error) {
    log.warn({ path, detail: messageOf(error) }, 'the port of the screens could not be stored');
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** @param where of a port that the data folder keeps: what it is. @throws Error */
export function explainUnserved(error: unknown, where = ''): never {
  if (!(error instanceof ListenError)) throw error;
  const { port, problem, why, next } = error;
  const isPortTaken = problem === 'taken';
  const reason = isPortTaken ? `${portHolder(port)} already listens there` : why;
  const step =
    where === ''
      ? next
      : `; ${isPortTaken ? 'end that program, or ' : ''}name another port with --port`;
  throw new Error(`the screens cannot be served on port ${port}${where}: ${reason}${step}`, {
    cause: error,
  });
}
