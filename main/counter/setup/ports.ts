import type { SerialPortShown } from '../../../preload/procedures/setup-till.ts';
import { isSamePort, type SerialPortFound } from '../devices/serial-ports.ts';
import type { LaneSettings } from '../settings/schema.ts';

/** The serial ports that one page has listed, to find those plugged in since. */
export class PortsSeen {
  /** Since the first listing. */
  #there: ReadonlySet<string> | null = null;
  #plugged = new Set<string>();

  /**
   * What the system calls those that came since the first listing, or came back. Another name to
   * keep does not make one new.
   */
  plugged(ports: readonly SerialPortFound[]): ReadonlySet<string> {
    const there = new Set(ports.map(({ name }) => name));
    const before = this.#there ?? there;
    this.#there = there;
    this.#plugged = new Set(
      [...there].filter((name) => !before.has(name) || this.#plugged.has(name)),
    );
    return this.#plugged;
  }
}

/** What setup wrote before it knew adapters, and what follows an adapter as well. */
const lastingNamesOfLinux = '/dev/serial/';

/** Whether the settings mean this port. */
export const isNamed = ({ path, name }: SerialPortFound, wanted: string): boolean =>
  isSamePort(path, wanted) || isSamePort(name, wanted);

type User = Pick<SerialPortShown, 'laneId' | 'device'>;
/** Which of the lanes has a port, and for what. */
export function userOf(isIt: (path: string) => boolean, lanes: readonly LaneSettings[]): User {
  for (const { id: laneId, till, scanner } of lanes) {
    if (till.protocol !== 'http' && till.transport === 'serial' && isIt(till.path))
      return { laneId, device: 'till' };
    if (scanner !== undefined && isIt(scanner.path)) return { laneId, device: 'scanner' };
  }
  return { laneId: null, device: null };
}

/** @param kept the port that the draft has */
export function portViews(
  ports: readonly SerialPortFound[],
  plugged: ReadonlySet<string>,
  lanes: readonly LaneSettings[],
  kept: string | null = null,
): SerialPortShown[] {
  return ports
    .map((port) => ({
      ...port,
      path: kept?.startsWith(lastingNamesOfLinux) && isNamed(port, kept) ? kept : port.path,
      justPluggedIn: plugged.has(port.name),
      ...userOf((path) => isNamed(port, path), lanes),
    }))
    .toSorted(
      (one, other) =>
        Number(other.justPluggedIn) - Number(one.justPluggedIn) ||
        one.name.localeCompare(other.name, 'en', { numeric: true }),
    );
}
