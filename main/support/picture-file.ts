import { realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
};

export type PictureFile =
  /** `path` with all links resolved. */
  | {
      readonly kind: 'picture';
      readonly path: string;
      readonly type: string;
      readonly bytes: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: 'missing' }
  /** After resolving links, the path is not a picture file of this folder. */
  | { readonly kind: 'elsewhere'; readonly path: string };

export function findPicture(folder: string, name: string): PictureFile {
  try {
    const inside = `${realpathSync(folder)}${sep}`;
    const path = realpathSync(join(folder, name));
    const stat = statSync(path);
    const type = types[extname(path).toLowerCase()];
    if (type === undefined || !path.startsWith(inside) || !stat.isFile())
      return { kind: 'elsewhere', path };
    return { kind: 'picture', path, type, bytes: stat.size, mtimeMs: stat.mtimeMs };
  } catch {
    return { kind: 'missing' };
  }
}
