/** What a feed offers of the daemon: `CHANNEL.json`, or `VERSION.json` for who is pinned. */
import { z } from 'zod';
import { Version } from '../../core/domain/versions.ts';
import { isSafePath } from '../../support/safe-path.ts';

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

const maxPackageBytes = 1_000_000_000;

const Feed = z.strictObject({
  product: z.literal('tillbeacon'),
  channel: z.string().max(40),
  version: Version,
  /** Older versions cannot be updated to it by themselves. */
  minimumVersion: Version,
  /**
   * Packages by platform and processor, e.g. `linux-x64`. Each file is at `files/` and its SHA-256.
   */
  packages: z.record(
    z.string(),
    z
      .array(File)
      .max(20_000)
      .refine(
        (files) => new Set(files.map(({ path }) => path.toLowerCase())).size === files.length,
        'must not name a file twice',
      )
      .refine(
        (files) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= maxPackageBytes,
        `must be at most ${maxPackageBytes} bytes`,
      ),
  ),
});
export type Feed = z.infer<typeof Feed>;

/** @param bytes whose signature is right @throws Error in plain words */
export function readFeed(bytes: Uint8Array): Feed {
  const feed = Feed.safeParse(JSON.parse(Buffer.from(bytes).toString()));
  if (feed.success) return feed.data;
  throw feedError(feed.error);
}

export function feedError({ issues: [issue] }: z.ZodError): Error {
  return new Error(`the feed breaks a rule: ${issue?.path.join('.')}: ${issue?.message}`);
}
