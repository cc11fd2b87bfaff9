import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nameOfAdapter, parseAdapter } from '../../core/domain/usb-adapter.ts';
import { matching, type PortOfSystem } from './adapters.ts';
import { adapterVendors, driverOf } from './serial-drivers.ts';

/**
 * Linux lists ports for a mainboard even if they do not exist. If it does not say which are real,
 * the first four count.
 */
const maxUnknownPorts = 4;

/**
 * The serial ports of Linux, from sysfs: that works without udev too, and has the socket of each
 * port, which udev's names lack.
 */
export function linuxPorts({ sys = '/sys', dev = '/dev' } = {}): PortOfSystem[] {
  return namesIn(join(sys, 'class/tty'))
    .filter((name) => existsSync(join(dev, name)) && isPort(name, join(sys, 'class/tty', name)))
    .map((name) => ({
      name: join(dev, name),
      ...adapterOf(join(sys, 'class/tty', name, 'device')),
    }));
}

/** An adapter that is plugged in and has no port. */
export interface PortlessAdapter {
  /** Its USB device, e.g. `/dev/bus/usb/001/005`. */
  readonly node: string;
  /**
   * Whether a program talks to it past its driver, as brltty does. Otherwise it just has no driver.
   */
  readonly isClaimed: boolean;
}

/** @param path as in the settings: an adapter, or a port, which may be that of any adapter */
export function portlessAdapter(
  path: string,
  { sys = '/sys', dev = '/dev' } = {},
): PortlessAdapter | null {
  const devices = join(sys, 'bus/usb/devices');
  const portlessInterfaces = namesIn(devices).flatMap(
    (name): (PortOfSystem & { isClaimed: boolean })[] => {
      const folder = realOf(join(devices, name));
      // An interface is called e.g. 1-2:1.0. One that a program has claimed has the driver usbfs.
      if (folder === null || !name.includes(':')) return [];
      const driver = realOf(join(folder, 'driver'));
      const isClaimed = driver !== null && basename(driver) === 'usbfs';
      if (driver !== null && !isClaimed) return [];
      const [bus, device] = ['busnum', 'devnum'].map((file) =>
        (textIn(dirname(folder), file) ?? '').padStart(3, '0'),
      );
      return [{ name: join(dev, `bus/usb/${bus}/${device}`), isClaimed, ...adapterOf(folder) }];
    },
  );
  const candidates = matchingInterfaces(path, portlessInterfaces);
  const [one] = candidates.toSorted(
    (first, second) => Number(second.isClaimed) - Number(first.isClaimed),
  );
  return one === undefined ? null : { node: one.name, isClaimed: one.isClaimed };
}

function matchingInterfaces<Port extends PortOfSystem>(
  path: string,
  taken: readonly Port[],
): readonly Port[] {
  const adapter = parseAdapter(path);
  if (adapter !== null) return matching(nameOfAdapter({ ...adapter, port: null }), taken);
  const mayBeAdapter =
    path.includes('/serial/by-') || driverOf(basename(path))?.module !== undefined;
  return mayBeAdapter
    ? taken.filter(({ vendorId }) => adapterVendors.some(({ id }) => id === vendorId))
    : [];
}

/** A terminal with a connector: what has a driver, and no console or pseudo-terminal. */
function isPort(name: string, folder: string): boolean {
  const device = realOf(join(folder, 'device'));
  const driver = driverOf(name);
  if (device === null) return driver?.hasNoDevice === true;
  // The kind of chip, 0 for none. Before Linux 5.14 root alone may read it.
  const type = textIn(folder, 'type');
  if (type !== null) return type !== '0';
  const driverOfDevice = realOf(join(device, 'driver'));
  if (driver?.name !== 'ttyS') return driver !== null || driverOfDevice !== null;
  // serial8250 drives the ports that Linux lists for any mainboard. A real port has the driver of
  // its bus.
  const hasOwnDriver = driverOfDevice !== null && basename(driverOfDevice) !== 'serial8250';
  return hasOwnDriver || Number(name.slice('ttyS'.length)) < maxUnknownPorts;
}

function adapterOf(device: string): Omit<PortOfSystem, 'name'> {
  const none = {
    vendorId: null,
    productId: null,
    serialNumber: null,
    location: null,
    port: null,
    manufacturer: null,
  };
  const folder = realOf(device);
  if (folder === null) return none;
  // From the device outwards: the adapter's port, its interface, the adapter, its hubs, and the
  // controller.
  const outwards = [...ancestors(folder)];
  const adapter = outwards.find((each) => existsSync(join(each, 'idVendor')));
  const root = outwards.find((each) => /^usb\d+$/.test(basename(each)));
  if (adapter === undefined) return none;
  const inAdapter = outwards
    .slice(0, outwards.indexOf(adapter))
    .flatMap((each) =>
      [textIn(each, 'port_number') ?? [], textIn(each, 'bInterfaceNumber') ?? []].flat(),
    );
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
