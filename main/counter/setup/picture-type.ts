/** Recognises a picture by its content and ignores its name. */
import type { PictureType } from '../../../preload/procedures/setup-customer.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);
const namespace = 'http://www.w3.org/2000/svg';
/** Drawing programs write comments and declarations before the root element. */
const beforeSvg =
  /^\s*(?:<\?[^>]*\?>\s*|<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:\w+:)?svg[\s>]/;

/** @returns null when browsers cannot show it */
export function pictureType(content: Uint8Array): PictureType | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.subarray(0, png.length).equals(png)) return 'image/png';
  if (bytes.subarray(0, jpeg.length).equals(jpeg)) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  return isSvg(bytes) ? 'image/svg+xml' : null;
}

function isSvg(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Browsers do not draw it without its namespace.
    return beforeSvg.test(text) && text.includes(namespace);
  } catch {
    return false;
  }
}
