import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Hono } from 'hono';
import { maxPictureBytes, PictureName } from '../../../preload/procedures/setup-customer.ts';
import type { Log } from '../../core/domain/log.ts';
import { findPicture } from '../../support/picture-file.ts';
import { picturePolicy } from './page-headers.ts';

/** The shop's pictures, as files below the data folder. */
export type ShopFiles = { readonly [Name in PictureName]?: string | undefined };

interface PictureEntry {
  readonly file: string;
  /** Its address, which changes with the file's content. */
  readonly address: string;
}

/**
 * The shop's own logo and picture. One that is missing or too large is not shown, and payments go
 * on.
 */
export class ShopPictures {
  readonly #folder: string;
  readonly #log: Log;
  #files: ShopFiles | null = null;
  #entries: ReadonlyMap<PictureName, PictureEntry> = new Map();

  /** @param folder the data folder */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Paths as a browser requests them, `/shop/logo?v=…`; null without a picture. */
  shown(files: ShopFiles | null): {
    readonly logo: string | null;
    readonly picture: string | null;
  } {
    if (files !== this.#files) this.#look(files);
    const addressOf = (name: PictureName): string | null =>
      this.#entries.get(name)?.address ?? null;
    return { logo: addressOf('logo'), picture: addressOf('picture') };
  }

  /** The path is resolved again, because a link may have replaced the file. */
  async read(
    name: string,
  ): Promise<{ readonly type: string; readonly content: Uint8Array } | null> {
    // The map has no other names.
    const file = this.#entries.get(name as PictureName)?.file;
    const picture = file === undefined ? null : findPicture(this.#folder, file);
    if (picture?.kind !== 'picture') return null;
    const content = await contentOf(picture.path).catch(() => null);
    return content === null ? null : { type: picture.type, content };
  }

  #look(files: ShopFiles | null): void {
    this.#files = files;
    this.#entries = new Map(
      PictureName.options.flatMap((name) => {
        const file = files?.[name];
        const entry = file === undefined ? null : this.#find(name, file);
        return entry === null ? [] : [[name, entry] as const];
      }),
    );
  }

  #find(name: PictureName, file: string): PictureEntry | null {
    const picture = findPicture(this.#folder, file);
    if (picture.kind === 'picture' && picture.bytes <= maxPictureBytes)
      return { file, address: `/shop/${name}?v=${Math.round(picture.mtimeMs)}-${picture.bytes}` };
    if (picture.kind === 'elsewhere')
      this.#log.warn(
        { [name]: file, path: picture.path },
        'a picture of the shop is not a picture file in the data folder: it is not shown',
      );
    else {
      const bytes = picture.kind === 'picture' ? picture.bytes : null;
      this.#log.warn(
        { [name]: file, bytes, maxBytes: maxPictureBytes },
        'a picture of the shop is missing or too large: it is not shown',
      );
    }
    return null;
  }
}

/** null when the file was replaced, or has grown. */
async function contentOf(path: string): Promise<Uint8Array | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > maxPictureBytes) return null;
    const content = await file.readFile();
    return content.byteLength > maxPictureBytes ? null : content;
  } finally {
    await file.close();
  }
}

export function shopPages(app: Hono, pictures: Pick<ShopPictures, 'read'>): void {
  app.get('/shop/:name', async (context) => {
    const picture = await pictures.read(context.req.param('name'));
    if (picture === null) return context.notFound();
    return context.body(Uint8Array.from(picture.content), 200, {
      'content-type': picture.type,
      'content-security-policy': picturePolicy,
      'cache-control': 'private, max-age=86400',
    });
  });
}
