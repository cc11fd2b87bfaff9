import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Hono } from 'hono';
import { largestPictureBytes, PictureName } from '../../preload/questions/setup-customer.ts';
import type { Log } from '../primitives/log.ts';

/** What the shop may have, as files below the data folder. */
export type ShopFiles = { readonly [Name in PictureName]?: string | undefined };

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
};
/** As an image an SVG runs nothing anyway; opened as a page of its own, neither. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface Found {
  readonly path: string;
  readonly type: string;
  /** Another one, when the file is another. */
  readonly address: string;
}

/** The shop's own logo and picture. One that is missing or too large is not shown, and payments go on. */
export class ShopPictures {
  readonly #folder: string;
  readonly #log: Log;
  #files: ShopFiles | null = null;
  #found: ReadonlyMap<PictureName, Found> = new Map();

  /** @param folder the data folder */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** As a browser asks for them, `/shop/logo?v=…`; null: there is none. */
  shown(files: ShopFiles | null): { readonly logo: string | null; readonly picture: string | null } {
    if (files !== this.#files) this.#look(files);
    const addressOf = (name: PictureName): string | null => this.#found.get(name)?.address ?? null;
    return { logo: addressOf('logo'), picture: addressOf('picture') };
  }

  /** The same for a page that is a file itself. */
  fileAddress(address: string): string {
    const found = [...this.#found.values()].find((one) => one.address === address);
    return found === undefined ? address : pathToFileURL(found.path).href;
  }

  async read(name: string): Promise<{ readonly type: string; readonly content: Uint8Array } | null> {
    const found = this.#found.get(name as PictureName);
    if (found === undefined) return null;
    const content = await readFile(found.path).catch(() => null);
    return content === null || content.byteLength > largestPictureBytes ? null : { type: found.type, content };
  }

  #look(files: ShopFiles | null): void {
    this.#files = files;
    this.#found = new Map(
      PictureName.options.flatMap((name) => {
        const file = files?.[name];
        const found = file === undefined ? null : this.#find(name, file);
        return found === null ? [] : [[name, found] as const];
      }),
    );
  }

  #find(name: PictureName, file: string): Found | null {
    const path = join(this.#folder, file);
    const type = types[extname(file).toLowerCase()];
    const stat = statSync(path, { throwIfNoEntry: false });
    if (type !== undefined && stat?.isFile() === true && stat.size <= largestPictureBytes)
      return { path, type, address: `/shop/${name}?v=${Math.round(stat.mtimeMs)}-${stat.size}` };
    this.#log.warn(
      { [name]: file, bytes: stat?.size ?? null, largestBytes: largestPictureBytes },
      'a picture of the shop is missing or too large: it is not shown',
    );
    return null;
  }
}

export function shopPages(app: Hono, pictures: ShopPictures): void {
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
