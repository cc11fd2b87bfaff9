import { createHash } from 'node:crypto';

/**
 * The id of what a request with this `Idempotency-Key` begins. It follows from the key, so that it is in the journal with the first event of the payment
 * or refund, in the same write: after a kill a key finds what it began, or nothing has begun.
 */
export function requestId(kind: 'payment' | 'refund', laneId: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, laneId, key]))
    .digest()
    .subarray(0, 16);
  // Version 8 of RFC 9562: made by a rule of our own.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
