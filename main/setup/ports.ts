import { realpathSync } from 'node:fs';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import type { SerialPortFound } from '../devices/serial-ports.ts';
import type { LaneSettings } from '../settings/schema.ts';

/** The serial ports that one page has listed, to find those plugged in since. */
export class PortsSeen {
  /** Since the first listing. */
  #there: ReadonlySet<string> | null = null;
  #plugged = new Set<string>();

  /** Those that came since the first listing, or came back. */
  plugged(ports: readonly SerialPortFound[]): ReadonlySet<string> {
    const there = new Set(ports.map(({ path }) => path));
    const before = this.#there ?? there;
    this.#there = there;
    this.#plugged = new Set([...there].filter((path) => !before.has(path) || this.#plugged.has(path)));
    return this.#plugged;
  }
}

export function shownPorts(ports: readonly SerialPortFound[], plugged: ReadonlySet<string>, lanes: readonly LaneSettings[]): SerialPortShown[] {
  const laneAt = (path: string): string | null =>
    lanes.find(({ till }) => till.protocol === 'zvt' && till.transport === 'serial' && isSamePort(till.path, path))?.id ?? null;
  return ports
    .map((port) => ({ ...port, justPluggedIn: plugged.has(port.path), laneId: laneAt(port.path) }))
    .toSorted((one, other) => Number(other.justPluggedIn) - Number(one.justPluggedIn) || one.name.localeCompare(other.name, 'en', { numeric: true }));
}

/** One device may have several names. */
export function isSamePort(one: string, other: string): boolean {
  return one === other || (process.platform !== 'win32' && deviceAt(one) === deviceAt(other));
}

function deviceAt(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
