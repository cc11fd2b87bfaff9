import { namesAdapter, nameOfAdapter, parseAdapter, type UsbAdapter } from '../domain/usb-adapter.ts';
import { PortError } from '../domain/wire.ts';

/** A serial port as the system describes it. */
export interface PortOfSystem {
  /** e.g. `/dev/ttyUSB0`, `COM3`. */
  readonly name: string;
  readonly manufacturer: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
  readonly location: string | null;
  /** The port of an adapter, also where it has only one. */
  readonly port: string | null;
}

/**
 * The name by which a port is found again after it was replugged or renumbered; its system name when nothing tells it apart.
 * @param all the ports that there are: a serial number that two adapters share takes the socket as well
 */
export function lastingName(port: PortOfSystem, all: readonly PortOfSystem[]): string {
  const { name, vendorId, productId, serialNumber, location } = port;
  if (vendorId === null || productId === null) return name;
  const alike = all.filter((other) => isSameProduct(other, port) && other.serialNumber === serialNumber);
  const ofAdapter = alike.filter((other) => other.location === location);
  const isShared = alike.length > ofAdapter.length;
  const socket = serialNumber === null || isShared ? location : null;
  if (serialNumber === null && socket === null) return name;
  const lasting = nameOfAdapter({
    vendorId: vendorId.toLowerCase(),
    productId: productId.toLowerCase(),
    serialNumber,
    location: socket,
    port: ofAdapter.length > 1 ? port.port : null,
  });
  // A name that would not be understood, or would mean two ports, is not used.
  return parseAdapter(lasting) !== null && matching(lasting, all).length === 1 ? lasting : name;
}

/**
 * What the system calls a till's port now: the only place where an adapter becomes a path.
 * @throws PortError absent; failed when two adapters are alike, because the other one may be somebody else's till
 */
export function systemNameOf(path: string, all: readonly PortOfSystem[]): string {
  if (!namesAdapter(path)) return path;
  const [found, ...others] = matching(path, all);
  if (found === undefined) throw new PortError('absent', `${path} is not there: is the cable plugged in?`);
  if (others.length === 0) return found.name;
  const names = [found, ...others].map(({ name }) => name).join(', ');
  throw new PortError('failed', `${path} could be any of ${names}: choose the port in setup again`);
}

function matching(path: string, all: readonly PortOfSystem[]): PortOfSystem[] {
  const wanted = parseAdapter(path);
  if (wanted === null) return [];
  return all.filter(
    (port) =>
      isSameProduct(port, wanted) &&
      port.serialNumber === wanted.serialNumber &&
      (wanted.location === null || port.location === wanted.location) &&
      (wanted.port === null || port.port === wanted.port),
  );
}

function isSameProduct(one: Pick<PortOfSystem, 'vendorId' | 'productId'>, other: Pick<PortOfSystem | UsbAdapter, 'vendorId' | 'productId'>): boolean {
  return one.vendorId?.toLowerCase() === other.vendorId?.toLowerCase() && one.productId?.toLowerCase() === other.productId?.toLowerCase();
}
