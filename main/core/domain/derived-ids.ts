/** Ids that are derived from a name. No module of Node's, because pages derive theirs too. */

/**
 * The ways in which somebody outside names a payment or refund. Each is a namespace: a name that is
 * given in one way never makes the id of another way's payment. ZVT and Concert name nothing, so
 * that their ids are random.
 */
export type WayIn = 'screen' | 'manager' | 'http' | 'nexo' | 'provider';

const namespace = '0b5e9f6e-2d0f-4c1b-9a53-6d1f5b7c4a10';

/** The input of an id's SHA-256 hash. @param name who names the object, and its name there */
export const hashInput = (
  way: WayIn,
  kind: 'payment' | 'refund',
  ...name: readonly (string | number)[]
): string => JSON.stringify([namespace, way, kind, ...name]);

/** UUID version 8 of RFC 9562, for rules of one's own. @param hash at least 16 bytes */
export function uuidOf(hash: Uint8Array): string {
  const bytes = Array.from(hash.subarray(0, 16), (byte, at) =>
    at === 6 ? (byte & 0x0f) | 0x80 : at === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
