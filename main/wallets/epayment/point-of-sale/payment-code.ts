/**
 * The code of one payment: what the service says about it, and its picture (document 5, section
 * 2.3).
 */
import type { Clock } from '../../../core/domain/clock.ts';
import { addressProblem } from '../../../core/domain/service-address.ts';
import { failureOf, type HttpSend, NoAnswerInTimeError } from '../../http/http.ts';
import type { CodePictureAnswer, PaymentCode } from '../../../core/lane/wallet-port.ts';

/**
 * picture: the image that the service supplies, with its brand. text: the content of the code,
 * which we draw; a merchant needs the service's approval for that. The create request chooses the
 * form, and the answer has that form alone.
 */
export type CodeForm = 'picture' | 'text';

/** Width in pixels; the screens scale it down. */
export const size = 600;
export const qrFormat = {
  picture: { format: 'IMAGE/PNG', size },
  text: { format: 'TEXT/TARGETURL' },
} as const;

/** The only host whose codes the apps open, which also has the pictures. */
const host = 'qr.vipps.no';

/**
 * null: nothing that may be shown or fetched. Customers' phones go where a code leads, and the
 * daemon where a picture is.
 * @param baseUrl of the service: a simulated one has its pictures there
 */
export function codeOf(
  form: CodeForm,
  content: string | null | undefined,
  baseUrl: string,
): PaymentCode | null {
  const url = URL.parse(content ?? '');
  if (content == null || url === null) return null;
  if (form === 'text')
    return url.protocol === 'https:' && url.host === host ? { kind: 'text', text: content } : null;
  return isPictureAddress(url, baseUrl) ? { kind: 'picture', address: url.href } : null;
}

const isPictureAddress = (url: URL, baseUrl: string): boolean =>
  (url.protocol === 'https:' && url.host === host) ||
  (url.origin === new URL(baseUrl).origin && addressProblem(url.origin) === null);

/**
 * A slow picture is better than none: the payment waits for it as long as somebody can still pay.
 */
const timeoutMs = 10_000;
const maxBytes = 512 * 1024;
const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PictureOptions {
  readonly baseUrl: string;
  readonly send: HttpSend;
  readonly clock: Clock;
}

/** Fetches the picture. Its address is public, so no credentials are sent. */
export async function fetchPicture(
  address: string,
  { baseUrl, send, clock }: PictureOptions,
): Promise<CodePictureAnswer> {
  const url = URL.parse(address);
  if (url === null || !isPictureAddress(url, baseUrl))
    return { kind: 'unknown', detail: 'the picture is not where the service keeps them' };
  const abort = new AbortController();
  const cancelTimeout = clock.after(timeoutMs, () =>
    abort.abort(new NoAnswerInTimeError(timeoutMs)),
  );
  try {
    const request = {
      method: 'GET',
      url: url.href,
      headers: { accept: 'image/png' },
      body: null,
      binary: true,
      maxBytes,
    } as const;
    const { status, body } = await send(request, abort.signal);
    if (status !== 200)
      return { kind: 'unknown', detail: `the picture of the code cannot be had (${status})` };
    const png = Buffer.from(body, 'latin1');
    if (!png.subarray(0, pngBegins.length).equals(pngBegins))
      return { kind: 'unknown', detail: 'what stands for the picture of the code is no PNG' };
    return { kind: 'fetched', png };
  } catch (error) {
    return { kind: 'unknown', detail: failureOf(error) };
  } finally {
    cancelTimeout();
  }
}
