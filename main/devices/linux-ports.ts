import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PortOfSystem } from './adapters.ts';

/** Ports with a connector, and no consoles or pseudo-terminals. */
const portNames = /^(tty(S|WCH|ACM|USB|AMA|MFD|O|XRUSB)|rfcomm)\d+$/;
/** Linux lists 32 mainboard ports, of which a counter PC has at most four. */
const mostPortsOfMainboard = 4;

/** The serial ports of Linux, from sysfs: that works without udev too, and has the socket of each port, which udev's names lack. */
export function linuxPorts({ sys = '/sys', dev = '/dev' } = {}): PortOfSystem[] {
  return namesIn(join(sys, 'class/tty'))
    .filter((name) => portNames.test(name) && !isPhantom(name) && existsSync(join(dev, name)))
    .map((name) => ({ name: join(dev, name), ...adapterOf(join(sys, 'class/tty', name, 'device')) }));
}

function isPhantom(name: string): boolean {
  const number = /^ttyS(\d+)$/.exec(name)?.[1];
  return number !== undefined && Number(number) >= mostPortsOfMainboard;
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
