/** Scans of stickers, from the receiver to the counter whose sticker it is. */
import { z } from 'zod';
import { CheckedInMessage } from '../epayment/webhooks/webhook-message.ts';
import { parseJson } from '../http/json.ts';
import { OutsideText } from '../answer-values.ts';
import { scanned, type StoredRecord } from './callback-record.ts';

const Scan = z.object({
  /** Whose sticker, and which. */
  msn: OutsideText.nullable(),
  merchantQrId: OutsideText,
  /** Pays once. */
  customerToken: z.string().min(1).max(2_000),
  /** When the customer scanned, by the service's clock. */
  atMs: z.number(),
});
export type Scan = z.infer<typeof Scan>;

/** What `/follow` answers. `last`: for the next question. */
export const ScansAnswer = z.object({
  last: z.int().nonnegative(),
  scans: z.array(Scan).max(1_000),
});
export type ScansAnswer = z.infer<typeof ScansAnswer>;

export interface ScanRecords {
  since(seq: number, limit?: number): readonly StoredRecord[];
  lastSeq(): number;
}

/** The service holds a token valid for 15 minutes (document 5, section 3.3). */
const maxValidMs = 14 * 60_000;
/** Limit of a message that waited here: later the customer has put the phone away. */
const freshMs = 2 * 60_000;

/** Returns the scan in a record; null for another record, or a scan that is too old. */
export function scanIn({ record, receivedAtMs }: StoredRecord, nowMs: number): Scan | null {
  if (record.kind !== 'checkin' || record.status !== scanned) return null;
  const message = CheckedInMessage.safeParse(parseJson(record.raw));
  if (!message.success || record.atMs === null) return null;
  if (nowMs - receivedAtMs > freshMs || Math.abs(nowMs - record.atMs) > maxValidMs) return null;
  const { customerToken, merchantQrId, msn, merchantSerialNumber } = message.data;
  const scan = Scan.safeParse({
    msn: msn ?? merchantSerialNumber ?? null,
    merchantQrId,
    customerToken,
    atMs: record.atMs,
  });
  return scan.success ? scan.data : null;
}
