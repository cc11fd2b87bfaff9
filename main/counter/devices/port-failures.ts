/** Why a serial port is not open, in words for the person who has to do something. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { systemCodeOf } from '../../core/domain/errors.ts';
import type { PortProblem } from '../../core/domain/till-links.ts';
import { PortError } from '../../core/domain/wire.ts';
import type { PortlessAdapter } from './linux-ports.ts';
import { claimerOf, type RunningClaimer } from './port-holder.ts';
import { driverNameOf, driverOf } from './serial-drivers.ts';

/** The questions to the system about a port that cannot be opened. */
export interface PortSystem {
  readonly holderOf: (path: string) => Promise<string | null>;
  /** Missing where no program takes adapters by itself. */
  readonly runningClaimers?: () => Promise<readonly RunningClaimer[]>;
  /**
   * Finds an adapter without a port by the `path` of the settings; null when none is plugged in.
   */
  readonly takenAdapter?: (path: string) => PortlessAdapter | null;
}

export const absent = (path: string): PortError =>
  new PortError('absent', `${path} is not there: is the cable plugged in?`);

const problems: readonly (readonly [PortProblem, RegExp])[] = [
  ['absent', /ENOENT|ENXIO|ENODEV|No such|File not found/i],
  ['busy', /lock|busy|EBUSY|Access denied/i],
];

/** @param at the system's name of the port */
export async function whyNotOpen(at: string, error: Error, system: PortSystem): Promise<PortError> {
  const errorText = `${systemCodeOf(error) ?? ''} ${error.message}`;
  const problem = problems.find(([, words]) => words.test(errorText))?.[0];
  if (problem === 'absent') return absent(at);
  if (problem === 'busy') return whyBusy(at, error, system);
  // EACCES: the mode of its file. EPERM: the rules of a service or a container.
  if (/permission denied|EACCES/i.test(errorText))
    return new PortError('failed', ofAnotherGroup(at), { cause: error });
  if (/operation not permitted|EPERM/i.test(errorText))
    return new PortError('failed', deniedToService(at), { cause: error });
  return new PortError('failed', `${at}: ${error.message}`, { cause: error });
}

async function whyBusy(at: string, cause: Error, system: PortSystem): Promise<PortError> {
  const holder = await system.holderOf(at);
  if (holder !== null)
    return new PortError('busy', `${at} is used by ${holder}`, {
      cause,
      claimer: claimerOf(holder),
    });
  // They open a port for themselves alone, and lock no file.
  const running = /lock/i.test(cause.message) ? [] : await system.runningClaimers?.();
  const [probable] = running ?? [];
  if (probable === undefined)
    return new PortError('busy', `${at} is used by another program`, { cause });
  return new PortError(
    'busy',
    `${at} is used by another program, probably ${probable.name}, which runs here`,
    { cause, claimer: probable.claimer },
  );
}

/**
 * Explains a missing port. If its adapter is plugged in, a program has detached the adapter from
 * its driver.
 * @param path as in the settings
 * @param error is returned unchanged unless it is `absent`
 */
export async function whyAbsent(
  path: string,
  error: unknown,
  system: PortSystem,
): Promise<unknown> {
  if (!(error instanceof PortError) || error.problem !== 'absent') return error;
  const adapter = system.takenAdapter?.(path) ?? null;
  if (adapter === null) return error;
  const holder = await system.holderOf(adapter.node);
  // It alone takes adapters from their drivers; the others open ports.
  const brltty = (await system.runningClaimers?.())?.find(({ claimer }) => claimer === 'brltty');
  const program = holder ?? brltty?.name ?? (adapter.isClaimed ? 'another program' : null);
  // Otherwise the driver is missing, or not loaded yet.
  if (program === null) return error;
  const claimer = claimerOf(holder) ?? (holder === null ? (brltty?.claimer ?? null) : null);
  return new PortError(
    'busy',
    `${path} is plugged in, but ${program} has taken it from its driver`,
    { cause: error, claimer },
  );
}

const defaultGroup = 'dialout';

function ofAnotherGroup(at: string): string {
  const group = groupOf(at) ?? defaultGroup;
  if (group !== 'root')
    return `${at} may not be used by this user (on Linux: add it to the group "${group}")`;
  const rule = `KERNEL=="${driverNameOf(nameOf(at))}*", GROUP="${defaultGroup}"`;
  return `${at} may be used by root alone: give it to the group "${defaultGroup}" by a rule of udev, e.g. ${rule}`;
}

/** null where it is not known. */
function groupOf(path: string): string | null {
  try {
    const { gid } = statSync(path);
    const line = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(gid));
    return line?.split(':')[0] || null;
  } catch {
    return null;
  }
}

function deniedToService(at: string): string {
  const driver = driverNameOf(nameOf(at));
  const isAllowed = driverOf(nameOf(at)) !== null;
  const why = isAllowed
    ? `allows “${driver}” only if it was loaded before the start`
    : `does not allow “${driver}”`;
  const allow = isAllowed
    ? ''
    : `sudo systemctl edit tillbeacon, in [Service] the line DeviceAllow=char-${driver} rw, then `;
  const inContainer = `a container needs the device (--device ${at})`;
  return `${at} is closed to this process: the service ${why} (${allow}sudo systemctl restart tillbeacon); ${inContainer}`;
}

/** udev's names are links. */
function nameOf(path: string): string {
  try {
    return basename(realpathSync(path));
  } catch {
    return basename(path);
  }
}
