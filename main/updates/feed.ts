/** What a feed offers. `CHANNEL.json`, or `VERSION.json` for who is pinned, beside `….json.sig`: an Ed25519 signature over its bytes, in base64. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { isSafePath } from '../support/safe-path.ts';
import { Version } from './versions.ts';

const File = z.strictObject({
  path: z
    .string()
    .max(500)
    .refine((path) => isSafePath(path, 20), 'must be a path inside the package'),
  bytes: z.int().nonnegative().max(500_000_000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  executable: z.boolean(),
});
export type FeedFile = z.infer<typeof File>;

const mostPackageBytes = 1_000_000_000;

const Feed = z.strictObject({
  product: z.literal('tillbeacon'),
  channel: z.string().max(40),
  version: Version,
  /** Older ones cannot be updated to it by themselves. */
  minimumVersion: Version,
  /** By platform and processor, e.g. `linux-x64`. Each file is at `files/` and its SHA-256. */
  packages: z.record(
    z.string(),
    z
      .array(File)
      .max(20_000)
      .refine((files) => new Set(files.map(({ path }) => path.toLowerCase())).size === files.length, 'must not name a file twice')
      .refine((files) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= mostPackageBytes, `must be at most ${mostPackageBytes} bytes`),
  ),
});
export type Feed = z.infer<typeof Feed>;

export const mostFeedBytes = 8_000_000;

/** The 32 bytes of an Ed25519 key behind the head that every such key has. */
const publicKeyIn = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' });

/** @throws Error in plain words */
export function readFeed(bytes: Uint8Array, signature: string, publicKey: string): Feed {
  // Before anything of it is read.
  if (!verify(null, bytes, publicKeyIn(publicKey), Buffer.from(signature.trim(), 'base64')))
    throw new Error('the feed is not signed by the key of the settings');
  const feed = Feed.safeParse(JSON.parse(Buffer.from(bytes).toString()));
  if (feed.success) return feed.data;
  const [issue] = feed.error.issues;
  throw new Error(`the feed breaks a rule: ${issue?.path.join('.')}: ${issue?.message}`);
}
