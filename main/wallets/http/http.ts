import { outsideText } from '../../core/domain/outside-text.ts';
import { httpClient } from '../../support/http-client.ts';

/**
 * The network as a port: one request, one whole answer. Aborting the signal drops the connection.
 */
export type HttpSend = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Set when the answer is a file: `HttpAnswer.body` then has one character for each byte. */
  readonly binary?: boolean;
  /** Limit of the answer; 8 MB when left out. */
  readonly maxBytes?: number;
}

export interface HttpAnswer {
  readonly status: number;
  /**
   * `Retry-After` in milliseconds, at most two minutes; null when it is absent or not a number of
   * seconds.
   */
  readonly retryAfterMs: number | null;
  /** The service's clock, from `Date`, to the second. */
  readonly dateMs?: number;
  readonly body: string;
}

/**
 * The reason of an abort because no answer came in time. Unlike a caller's own abort, it says
 * something about the service.
 */
export class NoAnswerInTimeError extends Error {
  override readonly name = 'NoAnswerInTimeError';
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/** An endless answer must not fill the memory. */
const defaultMaxBytes = 8 * 1024 * 1024;
const defaultBytes = 8 * 1024;

/** A counter waits no longer, even when the service or a proxy asks for more. */
const maxRetryAfterMs = 120_000;

/** @throws Error whose innermost cause says why there is no answer: {@link failureOf} */
export const fetchHttp: HttpSend = async (request, signal) => {
  const { url, method, headers, body, binary = false, maxBytes = defaultMaxBytes } = request;
  checkHeaders(headers);
  const response = await httpClient(url, { method, headers, body, signal });
  const retryAfter = response.headers.get('retry-after') ?? '';
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  return {
    status: response.status,
    retryAfterMs: /^\d+$/.test(retryAfter)
      ? Math.min(Number(retryAfter) * 1000, maxRetryAfterMs)
      : null,
    ...(Number.isFinite(dateMs) && { dateMs }),
    body: (await readBody(response, maxBytes)).toString(binary ? 'latin1' : 'utf-8'),
  };
};

/** The error of fetch would show the value, which may be a secret. */
function checkHeaders(headers: HttpRequest['headers']): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value))
      throw new Error(`the header ${name} has characters that none may have`);
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const { headers, body } = response;
  if (body === null) return Buffer.alloc(0);
  const announced = Number(headers.get('content-length') ?? Number.NaN);
  if (announced > maxBytes) {
    await body.cancel();
    throw new Error('the answer is too long');
  }
  // HTTP ends an answer where it was announced to end; one that is compressed becomes longer.
  if (announced <= maxBytes && !headers.has('content-encoding'))
    return Buffer.from(await response.arrayBuffer());
  // Chunks are joined as they arrive: a million chunks of one byte would otherwise take a hundred
  // times their size. Most answers fit at once.
  let whole = Buffer.allocUnsafe(Math.min(defaultBytes, maxBytes));
  let length = 0;
  for await (const piece of body) {
    const newLength = length + piece.length;
    if (newLength > maxBytes) throw new Error('the answer is too long');
    if (newLength > whole.length)
      whole = Buffer.concat([whole], Math.min(Math.max(2 * whole.length, newLength), maxBytes));
    whole.set(piece, length);
    length = newLength;
  }
  return whole.subarray(0, length);
}

/**
 * Why there was no answer, in the system's words: fetch hides `ECONNREFUSED` behind "fetch failed".
 */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return outsideText(String(error));
  if (error.cause instanceof Error) return failureOf(error.cause);
  return outsideText(
    'code' in error && typeof error.code === 'string' ? error.code : error.message || error.name,
  );
}
