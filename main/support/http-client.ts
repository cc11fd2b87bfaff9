import ky, { isNetworkError, type KyResponse, type Options } from 'ky';
import { dispatcherFor, proxyErrorOf } from './network.ts';

/**
 * HTTP as this product speaks it as a client. Who calls decides how long to wait and what to
 * repeat; a redirection would take credentials elsewhere. Every status is an answer: ky would read
 * an error's body itself, up to 10 MB of it.
 */
const usual = {
  retry: 0,
  timeout: false,
  redirect: 'error',
  throwHttpErrors: false,
} satisfies Options;

interface HttpOptions extends Pick<Options, 'method' | 'json' | 'redirect'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | null;
  readonly signal?: AbortSignal;
}

/**
 * A function, not an instance of ky: an instance merges its options with those of each request.
 * Headers, body and signal go past ky to fetch, because ky copies them several times. Together this
 * takes most of the time that ky adds to a request.
 * @throws what fetch throws: ky's NetworkError carries the request, and whatever prints the error
 * would print its address.
 *   ProxyError: the proxy did not forward the request. Its answer is never an answer of the server
 */
export async function httpClient(
  url: string,
  { headers, body, signal, ...options }: HttpOptions,
): Promise<KyResponse> {
  const dispatcher = dispatcherFor(url);
  const past: RequestInit & { dispatcher?: object } = {
    ...(headers && { headers }),
    ...(body != null && { body }),
    ...(signal && { signal }),
    ...(dispatcher && { dispatcher }),
  };
  try {
    return await ky(url, { ...usual, ...options, fetch: (request) => fetch(request, past) });
  } catch (error) {
    const cause = isNetworkError(error) && error.cause instanceof Error ? error.cause : error;
    throw (dispatcher && proxyErrorOf(cause)) ?? cause;
  }
}
