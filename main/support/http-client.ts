import ky, { isNetworkError } from 'ky';

/**
 * HTTP as this product speaks it as a client. Who calls decides how long to wait and what to repeat; a redirection would take credentials elsewhere.
 * Every status is an answer: ky would read an error's body itself, up to 10 MB of it.
 */
export const httpClient = ky.create({
  retry: 0,
  timeout: false,
  redirect: 'error',
  throwHttpErrors: false,
  // A NetworkError carries the request, and whatever prints the error would print its credentials.
  hooks: { beforeError: [({ error }) => (isNetworkError(error) && error.cause instanceof Error ? error.cause : error)] },
});
