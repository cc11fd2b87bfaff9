import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { systemCodeOf } from '../../core/domain/errors.ts';
import { pageHeaders, picturePolicy } from '../../counter/server/page-headers.ts';
import { fileAt } from './page-address.ts';

interface PageSources {
  /** Folder of the built pages. */
  readonly folder: string;
  /** A picture of the shop, `/shop/NAME`; null when it is missing. */
  readonly picture: (
    name: string,
  ) => Promise<{ readonly type: string; readonly content: Uint8Array } | null>;
}

/** What the build makes. Anything else is not served: a browser would guess what it is. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.mp4': 'video/mp4',
  '.woff2': 'font/woff2',
};

/**
 * Answers a request of a page in a window: the built pages and the shop's pictures, and nothing
 * else of this computer.
 */
export async function answerPage(
  request: Request,
  { folder, picture }: PageSources,
): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405, headers: pageHeaders });
  const file = fileAt(request.url, folder);
  if (file === null) return notFound();
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/shop/')) {
    const file = await picture(pathname.slice('/shop/'.length));
    return file === null
      ? notFound()
      : new Response(Uint8Array.from(file.content), {
          headers: {
            ...pageHeaders,
            'content-type': file.type,
            'content-security-policy': picturePolicy,
          },
        });
  }
  const type = types[extname(file)];
  if (type === undefined) return notFound();
  try {
    return new Response(Uint8Array.from(await readFile(file)), {
      headers: { ...pageHeaders, 'content-type': type },
    });
  } catch (error) {
    if (
      systemCodeOf(error) === 'ENOENT' ||
      systemCodeOf(error) === 'EISDIR' ||
      systemCodeOf(error) === 'ENOTDIR'
    )
      return notFound();
    throw error;
  }
}

function notFound(): Response {
  return new Response('not found', { status: 404, headers: pageHeaders });
}
