/**
 * The policy of every page. It is in the page's head too (`electron.vite.config.ts`), so that it
 * holds however the page is loaded.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * What every page is sent with, to browsers and to the desktop app's windows. Only a header can say
 * who may frame a page.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `${pagePolicy}; frame-ancestors 'self'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * So that an SVG of the shop runs no script when it is opened as a page; as an image it runs none
 * anyway.
 */
export const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
