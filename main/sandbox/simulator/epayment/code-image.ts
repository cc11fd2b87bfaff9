import { toBuffer, toString } from 'qrcode';
import { contentOf, type Epayments, type SimulatedEpayment } from './epayment-registry.ts';

export interface CodeImage {
  readonly type: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The picture at `redirectUrl`; null once the payment is over, or when its code was asked for as
 * text (document 5, section 2.3).
 */
export async function codeImage({
  state,
  code,
  unit,
}: SimulatedEpayment): Promise<CodeImage | 'silence' | null> {
  if (state !== 'CREATED' || code === null || code.format === 'TEXT/TARGETURL') return null;
  if (unit.codePictures === 'silent') return 'silence';
  if (unit.codePictures === 'noImage')
    return { type: 'image/png', bytes: new TextEncoder().encode('<html>Back soon</html>') };
  return drawn(code.text, code.format === 'IMAGE/PNG' ? 'PNG' : 'SVG', code.size);
}

/**
 * The picture at the `qrImageUrl` of a till's code; null once the code is deleted. @param name as
 * `codeAnswer` writes it
 */
export async function stickerImage(
  { callbackCodes }: Epayments,
  name: string,
): Promise<CodeImage | null> {
  const [msn = '', merchantQrId = '', format, size] = name.split('/');
  const code = callbackCodes.get(`${msn}/${merchantQrId}`);
  return code === undefined
    ? null
    : drawn(contentOf(code.unit, merchantQrId), format === 'PNG' ? 'PNG' : 'SVG', Number(size));
}

/**
 * An eighth of the time that the default options take: 7 instead of 59 ms for 600 pixels. Rows
 * repeat, which the filter uses.
 */
const fastPng = { filterType: 2, deflateLevel: 3, deflateStrategy: 0 } as const;

async function drawn(text: string, format: 'PNG' | 'SVG', width: number): Promise<CodeImage> {
  if (format === 'PNG')
    return {
      type: 'image/png',
      bytes: new Uint8Array(await toBuffer(text, { type: 'png', width, rendererOpts: fastPng })),
    };
  return {
    type: 'image/svg+xml',
    bytes: new Uint8Array(Buffer.from(await toString(text, { type: 'svg', width }))),
  };
}
