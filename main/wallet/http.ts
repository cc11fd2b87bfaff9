/** The network as a port: one request, one whole answer. Aborting the signal drops the connection. */
export type HttpSend = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The answer is a file: one character of `HttpAnswer.body` for each byte of it. */
  readonly binary?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** Of `Retry-After`, in milliseconds; null when absent or not a number of seconds. */
  readonly retryAfterMs: number | null;
  /** Of `Date`: what the other side's clock says, to the second. */
  readonly dateMs?: number;
  readonly body: string;
}

/** More than any answer of the interfaces needs; a server that sends without end must not fill the memory. */
const longestBodyBytes = 8 * 1024 * 1024;

export const fetchHttp: HttpSend = async (request, signal) => {
  const response = await fetch(request.url, { method: request.method, headers: request.headers, body: request.body, signal, redirect: 'error' });
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  return {
    status: response.status,
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : null,
    ...(Number.isFinite(dateMs) && { dateMs }),
    body: await readBody(response, request.binary === true ? 'latin1' : 'utf-8'),
  };
};

async function readBody(response: Response, encoding: 'utf-8' | 'latin1'): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > longestBodyBytes) throw new Error('the answer is too long');
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString(encoding);
}
