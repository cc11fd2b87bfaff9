import { readdirSync } from 'node:fs';
import { SerialPort } from 'serialport';

/** A serial port of this machine and its device. */
export interface SerialPortFound {
  /** The stable name of the device, independent of the socket it is plugged into, where the system has one. */
  readonly path: string;
  /** The current system name, e.g. `/dev/ttyUSB0` or `COM3`. */
  readonly name: string;
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
}

/** Linux lists 32 mainboard ports, of which a counter PC has at most four. */
const mostPortsOfMainboard = 4;
const unknownDevice = { manufacturer: null, serialNumber: null, vendorId: null, productId: null };

export async function listSerialPorts(): Promise<SerialPortFound[]> {
  const listed = await SerialPort.list().catch(() => null);
  if (listed === null) return portsInDev();
  return listed
    .filter(({ path, vendorId }) => vendorId !== undefined || !isPhantom(path))
    .map(({ path, pnpId, manufacturer, serialNumber, vendorId, productId }) => ({
      // On Windows pnpId is not a path, and COM numbers are stable.
      path: process.platform === 'linux' && pnpId !== undefined ? `/dev/serial/by-id/${pnpId}` : path,
      name: path,
      manufacturer: manufacturer ?? null,
      serialNumber: serialNumber ?? null,
      vendorId: vendorId ?? null,
      productId: productId ?? null,
    }));
}

/** Fallback for a Linux without udev: only the names. */
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
