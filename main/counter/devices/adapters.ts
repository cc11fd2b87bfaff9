import {
  namesAdapter,
  nameOfAdapter,
  parseAdapter,
  type UsbAdapter,
} from '../../core/domain/usb-adapter.ts';
import { PortError } from '../../core/domain/wire.ts';

/** A serial port as the system describes it. */
export interface PortOfSystem {
  /** The system's name, e.g. `/dev/ttyUSB0` or `COM3`. */
  readonly name: string;
  readonly manufacturer: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
  readonly location: string | null;
  /** The port of its adapter, also when that has only one. */
  readonly port: string | null;
}

/**
 * The name by which a port is found again after it was plugged in elsewhere or renumbered; its
 * system name when nothing distinguishes it from others.
 * @param all all ports of the system: when two adapters have the same serial number, the name
 * contains the socket as well
 */
export function lastingName(port: PortOfSystem, all: readonly PortOfSystem[]): string {
  const { name, vendorId, productId, serialNumber, location } = port;
  if (vendorId === null || productId === null) return name;
  const alike = all.filter(
    (other) => isSameProduct(other, port) && other.serialNumber === serialNumber,
  );
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
  // Not used when it cannot be parsed again, or would mean two ports.
  return parseAdapter(lasting) !== null && matching(lasting, all).length === 1 ? lasting : name;
}

/**
 * The present system name of a till's port. Only here is an adapter's name resolved to a path.
 * @throws PortError absent; failed when two adapters match, because the other one may be another
 * till's
 */
export function systemNameOf(path: string, all: readonly PortOfSystem[]): string {
  if (!namesAdapter(path)) return path;
  const [found, ...others] = matching(path, all);
  if (found === undefined)
    throw new PortError('absent', `${path} is not there: is the cable plugged in?`);
  if (others.length === 0) return found.name;
  const names = [found, ...others].map(({ name }) => name).join(', ');
  throw new PortError('failed', `${path} could be any of ${names}: choose the port in setup again`);
}

/** The ports of the adapter that a path names; none for the name of a port. */
export function matching<Port extends PortOfSystem>(path: string, all: readonly Port[]): Port[] {
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

function isSameProduct(
  one: Pick<PortOfSystem, 'vendorId' | 'productId'>,
  other: Pick<PortOfSystem | UsbAdapter, 'vendorId' | 'productId'>,
): boolean {
  return (
    one.vendorId?.toLowerCase() === other.vendorId?.toLowerCase() &&
    one.productId?.toLowerCase() === other.productId?.toLowerCase()
  );
}
