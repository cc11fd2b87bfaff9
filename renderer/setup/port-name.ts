import { namesAdapter, parseAdapter } from '../../main/core/domain/usb-adapter.ts';
import type { SetupTexts } from '../locales/setup.ts';

/**
 * Whether the settings name the adapter by its USB socket: in another socket it counts as another
 * adapter.
 */
export const isBoundToSocket = (path: string): boolean =>
  (parseAdapter(path)?.location ?? null) !== null;

/** A serial port in words. */
export function portName(path: string, words: SetupTexts['till']): string {
  const adapter = parseAdapter(path);
  if (adapter === null) return path;
  const { vendorId, productId, serialNumber, location, port } = adapter;
  const ofAdapter = port === null ? '' : `/${port}`;
  if (location !== null)
    return words.adapterAt({
      kind: serialNumber ?? `${vendorId}:${productId}`,
      location: `${location}${ofAdapter}`,
    });
  return words.adapter({ number: `${serialNumber}${ofAdapter}` });
}

const serial = 'serial:';
/** The address of a lane's till in words. */
export function tillName(address: string, words: SetupTexts['till']): string {
  const path = address.startsWith(serial) ? address.slice(serial.length) : null;
  return path !== null && namesAdapter(path) ? portName(path, words) : address;
}
