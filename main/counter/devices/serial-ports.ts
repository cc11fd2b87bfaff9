import { realpathSync } from 'node:fs';
import type { SerialPort } from 'serialport';
import { namesAdapter } from '../../core/domain/usb-adapter.ts';
import { lastingName, type PortOfSystem, systemNameOf } from './adapters.ts';
import { linuxPorts } from './linux-ports.ts';

/** A serial port of this machine and its device. */
export interface SerialPortFound {
  /**
   * The name for the settings: that of the adapter (`usb:…`), in whichever socket, or the system's
   * when nothing distinguishes it.
   */
  readonly path: string;
  /** The current system name, e.g. `/dev/ttyUSB0` or `COM3`. */
  readonly name: string;
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
}

/** Loaded when it is needed: a counter whose tills are in the network never does. */
export const loadSerialPort = async (): Promise<typeof SerialPort> =>
  (await import('serialport')).SerialPort;

type Listed = Awaited<ReturnType<typeof SerialPort.list>>[number];

export async function listSerialPorts(): Promise<SerialPortFound[]> {
  return portsFor(await portsOfSystem());
}

export const portsFor = (ports: readonly PortOfSystem[]): SerialPortFound[] =>
  ports.map((port) => {
    const { name, manufacturer, serialNumber, vendorId, productId } = port;
    return {
      path: lastingName(port, ports),
      name,
      manufacturer,
      serialNumber,
      vendorId,
      productId,
    };
  });

/**
 * The ports with what the system knows of their devices: on Linux from sysfs, on Windows and macOS
 * from serialport.
 */
async function portsOfSystem(): Promise<PortOfSystem[]> {
  if (process.platform === 'linux') return linuxPorts();
  const { list } = await loadSerialPort();
  return (await list().catch(() => [])).map(described);
}

/** A port as serialport describes it on Windows or macOS. */
export function described({
  path,
  pnpId,
  manufacturer,
  serialNumber,
  locationId,
  vendorId,
  productId,
}: Listed): PortOfSystem {
  return {
    name: path,
    manufacturer: manufacturer || null,
    vendorId: vendorId || null,
    productId: productId || null,
    // Windows makes up a serial number for a device without one. It names the socket and contains
    // ampersands, which no real one does.
    serialNumber:
      serialNumber === undefined || serialNumber === '' || serialNumber.includes('&')
        ? null
        : serialNumber,
    location: locationId || null,
    port: /[&_]MI_([0-9A-F]{2})/i.exec(pnpId ?? '')?.[1] ?? null,
  };
}

/** The present system name of a port in the settings. @throws PortError */
export const resolvePort = async (path: string): Promise<string> =>
  namesAdapter(path) ? systemNameOf(path, await portsOfSystem()) : path;

/** Whether the system lists the port, by its name. @throws when it cannot list */
export async function isListed(name: string): Promise<boolean> {
  const { list } = await loadSerialPort();
  return (await list()).some(({ path }) => path === name);
}

/** Whether two names mean the same port, because a device may have several names. */
export function isSamePort(one: string, other: string): boolean {
  return one === other || (process.platform !== 'win32' && deviceAt(one) === deviceAt(other));
}

function deviceAt(path: string): string {
  try {
    return realpathSync(
      process.platform === 'linux' && namesAdapter(path) ? systemNameOf(path, linuxPorts()) : path,
    );
  } catch {
    return path;
  }
}
