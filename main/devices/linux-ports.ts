import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PortOfSystem } from './adapters.ts';
import { driverOf } from './serial-drivers.ts';

/**
 * Ports that Linux lists for a mainboard whatever it has. Where it does not tell which of them are
 * real, the first four count.
 */
const maxUnknownPorts = 4;

/** The serial ports of Linux, from sysfs: that works without udev too, and has the socket of each port, which udev's names lack. */
export function linuxPorts({ sys = '/sys', dev = '/dev' } = {}): PortOfSystem[] {
  return namesIn(join(sys, 'class/tty'))
    .filter((name) => existsSync(join(dev, name)) && isPort(name, join(sys, 'class/tty', name)))
    .map((name) => ({ name: join(dev, name), ...adapterOf(join(sys, 'class/tty', name, 'device')) }));
}

/** A terminal with a connector: what has a driver, and no console or pseudo-terminal. */
function isPort(name: string, folder: string): boolean {
  const device = realOf(join(folder, 'device'));
  const driver = driverOf(name);
  if (device === null) return driver?.hasNoDevice === true;
  // The kind of chip, 0 for none. Before Linux 5.14 root alone may read it.
  const type = textIn(folder, 'type');
  if (type !== null) return type !== '0';
  const hasDriver = existsSync(join(device, 'driver'));
  if (driver?.name !== 'ttyS') return driver !== null || hasDriver;
  const isAnybodys = !hasDriver || [...ancestors(device)].some((each) => /\/platform\/serial8250$/.test(each));
  return !isAnybodys || Number(name.slice('ttyS'.length)) < maxUnknownPorts;
}

function adapterOf(device: string): Omit<PortOfSystem, 'name'> {
  const none = { vendorId: null, productId: null, serialNumber: null, location: null, port: null, manufacturer: null };
  const folder = realOf(device);
  if (folder === null) return none;
  // From the device outwards: the adapter's port, its interface, the adapter, its hubs, and the controller.
  const outwards = [...ancestors(folder)];
  const adapter = outwards.find((each) => existsSync(join(each, 'idVendor')));
  const root = outwards.find((each) => /^usb\d+$/.test(basename(each)));
  if (adapter === undefined) return none;
  const inAdapter = outwards
    .slice(0, outwards.indexOf(adapter))
    .flatMap((each) => [textIn(each, 'port_number') ?? [], textIn(each, 'bInterfaceNumber') ?? []].flat());
  const socket = textIn(adapter, 'devpath');
  return {
    vendorId: textIn(adapter, 'idVendor'),
    productId: textIn(adapter, 'idProduct'),
    serialNumber: textIn(adapter, 'serial'),
    // The number of a bus may change with a restart; the name of its controller stays.
    location: root === undefined || socket === null ? null : `${basename(dirname(root))}-${socket}`,
    port: inAdapter
      .toReversed()
      .map((number) => Number.parseInt(number, 16))
      .join('.'),
    manufacturer: textIn(adapter, 'manufacturer'),
  };
}

function* ancestors(folder: string): Generator<string> {
  for (let each = folder; each !== dirname(each); each = dirname(each)) yield each;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** null when the file is missing or empty; it may disappear while it is read. */
function textIn(folder: string, file: string): string | null {
  try {
    return readFileSync(join(folder, file), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
