import { readdirSync } from 'node:fs';
import { SerialPort } from 'serialport';

/** A serial port of this machine, and what is known of the device behind it. */
export interface SerialPortFound {
  /** The name that stays with the device wherever it is plugged in, where the system has one. */
  readonly path: string;
  /** What the system calls it now, e.g. `/dev/ttyUSB0`, `COM3`. */
  readonly name: string;
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
}

/** Linux names 32 ports of mainboards, of which a counter PC has at most four. */
const mostPortsOfMainboard = 4;
const unknownDevice = { manufacturer: null, serialNumber: null, vendorId: null, productId: null };

export async function listSerialPorts(): Promise<SerialPortFound[]> {
  const listed = await SerialPort.list().catch(() => null);
  if (listed === null) return portsInDev();
  return listed
    .filter(({ path, vendorId }) => vendorId !== undefined || !isPhantom(path))
    .map(({ path, pnpId, manufacturer, serialNumber, vendorId, productId }) => ({
      // On Windows pnpId is no path, and COM numbers stay with their device.
      path: process.platform === 'linux' && pnpId !== undefined ? `/dev/serial/by-id/${pnpId}` : path,
      name: path,
      manufacturer: manufacturer ?? null,
      serialNumber: serialNumber ?? null,
      vendorId: vendorId ?? null,
      productId: productId ?? null,
    }));
}

/** Where the system has no list of devices (a Linux without udev): the names alone. */
function portsInDev(): SerialPortFound[] {
  const names = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return names('/dev')
    .filter((name) => /^tty(S|USB|ACM|AMA)\d+$/.test(name) && !isPhantom(name))
    .map((name) => ({ path: `/dev/${name}`, name: `/dev/${name}`, ...unknownDevice }));
}

function isPhantom(path: string): boolean {
  const number = /ttyS(\d+)$/.exec(path)?.[1];
  return number !== undefined && Number(number) >= mostPortsOfMainboard;
}
