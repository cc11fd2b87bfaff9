/** The network as a port: one request, one whole answer. Aborting the signal drops the connection. */
export type HttpSend = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  /** Of `Retry-After`, in milliseconds; null when absent or not a number of seconds. */
  readonly retryAfterMs: number | null;
  readonly body: string;
}

/** More than any answer of the interface needs; a server that sends without end must not fill the memory. */
const longestBodyBytes = 4 * 1024 * 1024;

export const fetchHttp: HttpSend = async (request, signal) => {
  const response = await fetch(request.url, { method: request.method, headers: request.headers, body: request.body, signal, redirect: 'error' });
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : null,
    body: await readBody(response),
  };
};

async function readBody(response: Response): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > longestBodyBytes) throw new Error('the answer is too long');
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) throw new Error('the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
