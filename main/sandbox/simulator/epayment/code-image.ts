import { toBuffer, toString } from 'qrcode';
import type { SimulatedEpayment } from './registry.ts';

export interface CodeImage {
  readonly type: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What `redirectUrl` leads to; null once the payment is over, or when its code was asked for as text (document 5, section 2.3). */
export async function codeImage({ state, code, unit }: SimulatedEpayment): Promise<CodeImage | 'silence' | null> {
  if (state !== 'CREATED' || code === null || code.format === 'TEXT/TARGETURL') return null;
  if (unit.codePictures === 'silent') return 'silence';
  if (unit.codePictures === 'noImage') return { type: 'image/png', bytes: new TextEncoder().encode('<html>Back soon</html>') };
  if (code.format === 'IMAGE/PNG') return { type: 'image/png', bytes: new Uint8Array(await toBuffer(code.text, { type: 'png', width: code.size })) };
  return { type: 'image/svg+xml', bytes: new Uint8Array(Buffer.from(await toString(code.text, { type: 'svg', width: code.size }))) };
}
