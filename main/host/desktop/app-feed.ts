/**
 * What a feed offers of the app: electron-builder's `….yml`, with the channel and who may be
 * updated, and beside it our signature. electron-updater itself verifies no signature on Linux, and
 * on Windows that of the installer alone.
 */
import { Provider, type ResolvedUpdateFileInfo, type UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider.js';
import { z } from 'zod';
import { fetchSigned } from '../updates/download.ts';
import { feedError } from '../updates/feed.ts';
import { fetchFreshList } from '../updates/fresh-list.ts';
import type { Asking, UpdatesSettings } from '../updates/updater.ts';
import { Version } from '../../core/domain/versions.ts';

const AppFeed = z.object({
  product: z.literal('tillbeacon-app'),
  channel: z.string().max(40),
  version: Version,
  minimumVersion: Version,
  files: z
    .array(
      z.object({
        // The file lies beside the feed.
        url: z.string().regex(/^[A-Za-z0-9][\w.-]{0,150}$/, 'must be the name of a file'),
        sha512: z.base64().length(88),
        size: z.int().positive().max(1_000_000_000),
      }),
    )
    .min(1)
    .max(20),
});
export type AppFeed = UpdateInfo & z.infer<typeof AppFeed>;

const maxFeedBytes = 100_000;

/** Options as electron-updater's `setFeedURL` takes them. */
interface SignedFeedOptions {
  readonly name: string;
  readonly wanted: UpdatesSettings;
  readonly asking: Asking;
}

/**
 * Replaces electron-updater's own provider, so that it reads only what the key of the settings has
 * signed.
 */
export class SignedFeed extends Provider<UpdateInfo> {
  readonly #options: SignedFeedOptions;

  constructor(options: SignedFeedOptions, _updater: unknown, runtime: ProviderRuntimeOptions) {
    super(runtime);
    this.#options = options;
  }

  async getLatestVersion(): Promise<AppFeed> {
    const { name, wanted, asking } = this.#options;
    const url = new URL(`${this.getCustomChannelName(name)}.yml`, baseOf(wanted));
    const feed = judged(
      url,
      await fetchFreshList(url.href, {
        ...asking,
        publicKey: wanted.publicKey,
        maxBytes: maxFeedBytes,
      }),
    );
    return {
      ...feed,
      path: feed.files[0]?.url ?? '',
      sha512: feed.files[0]?.sha512 ?? '',
      releaseDate: '',
    };
  }

  resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
    return resolveFiles(info, baseOf(this.#options.wanted));
  }
}

const baseOf = ({ feed }: UpdatesSettings): URL => new URL(`${feed.replace(/\/$/, '')}/`);

/**
 * What the feed says of a version that is known already, however long ago it was signed.
 * @throws Error in plain words
 */
export async function readAppFeed(
  file: string,
  wanted: UpdatesSettings,
  signal: AbortSignal,
): Promise<z.infer<typeof AppFeed>> {
  const url = new URL(file, baseOf(wanted));
  return judged(url, await fetchSigned(url.href, wanted.publicKey, maxFeedBytes, signal));
}

/** Only what was judged: no packages, no rollout, no notes. @throws Error in plain words */
function judged(url: URL, bytes: Buffer): z.infer<typeof AppFeed> {
  const parsed = AppFeed.safeParse(parseUpdateInfo(bytes.toString(), url.pathname, url));
  if (!parsed.success) throw feedError(parsed.error);
  return parsed.data;
}
