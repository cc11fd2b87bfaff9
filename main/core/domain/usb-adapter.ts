/**
 * The identity of a USB adapter, which does not change with the name of its port. As the `path` of
 * a till: `usb:0403:6001:A50285BI`; `usb:1a86:7523@0000:00:14.0-1.2` for one without a serial
 * number; `/1` behind it for a port of an adapter with several.
 */
export interface UsbAdapter {
  /** Four hexadecimal digits, lower case. */
  readonly vendorId: string;
  readonly productId: string;
  /** null when the adapter has none. */
  readonly serialNumber: string | null;
  /** The socket; null when it may be in any. */
  readonly location: string | null;
  /** Which port of the adapter; null when it has only one. */
  readonly port: string | null;
}

const prefix = 'usb:';
const form = /^usb:([0-9a-f]{4}):([0-9a-f]{4})(?::([^:@/\s]+))?(?:@([^@/\s]+))?(?:\/([0-9.]+))?$/;

/** For people who write settings. */
export const adapterRule =
  'must be an adapter such as usb:0403:6001:A50285BI or usb:1a86:7523@0000:00:14.0-1.2, with its serial number, its socket, or both';

/** Whether a `path` means an adapter rather than a port by its name. */
export const namesAdapter = (path: string): boolean => path.startsWith(prefix);

/** The adapter that a path names; null when it names none or breaks `adapterRule`. */
export function parseAdapter(path: string): UsbAdapter | null {
  const [, vendorId, productId, serial, socket, port] = form.exec(path) ?? [];
  if (
    vendorId === undefined ||
    productId === undefined ||
    (serial === undefined && socket === undefined)
  )
    return null;
  try {
    return {
      vendorId,
      productId,
      serialNumber: serial === undefined ? null : decodeURIComponent(serial),
      location: socket === undefined ? null : decodeURIComponent(socket),
      port: port ?? null,
    };
  } catch {
    return null;
  }
}

/** The other way round. */
export function nameOfAdapter({
  vendorId,
  productId,
  serialNumber,
  location,
  port,
}: UsbAdapter): string {
  const serial = serialNumber === null ? '' : `:${encodeURIComponent(serialNumber)}`;
  const socket = location === null ? '' : `@${encodeURIComponent(location).replaceAll('%3A', ':')}`;
  return `${prefix}${vendorId}:${productId}${serial}${socket}${port === null ? '' : `/${port}`}`;
}
