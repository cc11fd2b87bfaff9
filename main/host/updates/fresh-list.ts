/**
 * The newest list of a feed. Beside each list is a signed timestamp with the list's hash, a serial
 * number that only grows, and an expiry: an attacker on the feed's server can neither offer an
 * older list nor hold back a newer one unnoticed. A separate file, because version 0.1.0 refuses a
 * list with more fields.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { systemCodeOf } from '../../core/domain/errors.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { readBoundedText } from '../../support/bounded-file.ts';
import { whileHeld } from '../../support/held-file.ts';
import { fetchSigned } from './download.ts';
import { feedError } from './feed.ts';

const maxTimestampBytes = 2_000;
const maxSerialsBytes = 100_000;

const Timestamp = z.object({
  product: z.literal('tillbeacon-timestamp'),
  /** The name of the list's file. */
  list: z.string().max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  serial: z.int().positive(),
  expires: z.iso.datetime(),
});
type Timestamp = z.infer<typeof Timestamp>;

/**
 * The highest serial number of each list. Another key is another publisher, who counts by itself.
 */
const Serials = z.object({ publicKey: z.string(), serials: z.record(z.string(), z.int()) });

/**
 * The list has not been signed anew in time: its server may hold back a newer one, or this
 * computer's clock is wrong.
 */
export class ExpiredListError extends Error {
  override readonly name = 'ExpiredListError';
}

export interface ListOptions {
  readonly publicKey: string;
  readonly maxBytes: number;
  /** Where the serial numbers are kept. */
  readonly folder: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** @throws Error in plain words, also when the list is older than one that was seen */
export async function fetchFreshList(
  url: string,
  { publicKey, maxBytes, folder, nowMs, signal }: ListOptions,
): Promise<Buffer> {
  const name = posix.basename(new URL(url).pathname);
  const timestamp = readTimestamp(
    await fetchSigned(`${url}.timestamp`, publicKey, maxTimestampBytes, signal),
  );
  if (timestamp.list !== name)
    throw new Error(`the timestamp beside ${name} belongs to ${timestamp.list}`);
  noteSerial(folder, publicKey, timestamp);
  if (nowMs > Date.parse(timestamp.expires))
    throw new ExpiredListError(
      `${name} expired at ${timestamp.expires}, and it is ${new Date(nowMs).toISOString()}: its publisher must sign it again`,
    );
  const bytes = await fetchSigned(url, publicKey, maxBytes, signal);
  if (createHash('sha256').update(bytes).digest('hex') !== timestamp.sha256)
    throw new Error(`${name} does not match its timestamp`);
  return bytes;
}

function readTimestamp(bytes: Uint8Array): Timestamp {
  const timestamp = Timestamp.safeParse(JSON.parse(Buffer.from(bytes).toString()));
  if (timestamp.success) return timestamp.data;
  throw feedError(timestamp.error);
}

/**
 * On disk before the list is used. @throws Error when an older one is served, or the disk refuses
 */
function noteSerial(folder: string, publicKey: string, { list, serial }: Timestamp): void {
  const path = join(folder, 'feed-serials.json');
  const serials = readSerials(path, publicKey);
  const highest = serials[list] ?? 0;
  if (serial < highest)
    throw new Error(
      `${list} has the serial number ${serial}, but ${highest} was seen before: the server offers an older list`,
    );
  if (serial === highest) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomically(
    path,
    `${JSON.stringify({ publicKey, serials: { ...serials, [list]: serial } })}\n`,
  );
}

/** A file that is damaged counts as none, so that updates go on. @throws what the disk says */
function readSerials(path: string, publicKey: string): Readonly<Record<string, number>> {
  let text: string;
  try {
    text = whileHeld(() => readBoundedText(path, maxSerialsBytes));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return {};
    throw error;
  }
  try {
    const stored = Serials.parse(JSON.parse(text));
    return stored.publicKey === publicKey ? stored.serials : {};
  } catch {
    return {};
  }
}
