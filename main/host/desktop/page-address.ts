/** Addresses of the pages inside the app: `tillbeacon://screens/cashier/index.html`. */
import { isAbsolute, join, relative, sep } from 'node:path';
import type { ScreenName } from '../../../preload/contract.ts';

export const pageScheme = 'tillbeacon';
export const pageOrigin = `${pageScheme}://screens`;

export function pageAddress(
  screen: ScreenName,
  { laneId, language }: { readonly laneId: string | null; readonly language: string | null },
): string {
  const query = new URLSearchParams({
    ...(laneId !== null && { lane: laneId }),
    ...(language !== null && { lang: language }),
  }).toString();
  return `${pageOrigin}/${screen}/index.html${query === '' ? '' : `?${query}`}`;
}

/**
 * The screen at an address; null for none of ours. Chromium parses addresses in the same way, so
 * that none can pass for ours.
 */
export function screenAt(address: string): ScreenName | null {
  const [, screen, rest] =
    /^\/([a-z]+)\/(?:index\.html)?$/.exec(ourUrl(address)?.pathname ?? '') ?? [];
  return rest === undefined && screens.some((one) => one === screen)
    ? (screen as ScreenName)
    : null;
}

const screens: readonly ScreenName[] = ['cashier', 'customer', 'demo', 'manager', 'setup'];

export function isOurs(address: string): boolean {
  return ourUrl(address) !== null;
}

function ourUrl(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null &&
    url.protocol === `${pageScheme}:` &&
    url.host === 'screens' &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
    ? url
    : null;
}

/**
 * The file of an address in the folder of the built pages; null when it would lie outside, or can
 * be no file name.
 */
export function fileAt(address: string, folder: string): string | null {
  const url = ourUrl(address);
  if (url === null) return null;
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return null;
  }
  // No built page has these, and on some system each of them leads somewhere else.
  if (/[\\:\0]/.test(path) || path.split('/').some((part) => part === '..' || part === '.'))
    return null;
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
  const inside = relative(folder, file);
  return inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..' ? null : file;
}
