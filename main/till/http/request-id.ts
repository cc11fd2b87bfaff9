import { createHash } from 'node:crypto';

/**
 * The id of the payment or refund that a request with this `Idempotency-Key` begins. Because it is derived from the key, it is in the journal with the first
 * event, in the same write: after a crash the key either finds what it began, or nothing has begun.
 */
export function requestId(kind: 'payment' | 'refund', laneId: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, laneId, key]))
    .digest()
    .subarray(0, 16);
  // UUID version 8 of RFC 9562, for rules of one's own.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
