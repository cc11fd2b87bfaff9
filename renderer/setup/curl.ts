import type { TestPaymentState } from '../../preload/procedures/setup-till.ts';

interface CurlOptions {
  readonly api: NonNullable<TestPaymentState['api']>;
  /** Empty when the token is not known on this page. */
  readonly token: string;
  /** The idempotency key: a second call with the same key makes no second payment. */
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** The text in double quotes, which the shells of Linux, macOS and Windows read alike. */
const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/** A curl command, for a terminal window on this computer, that requests a payment. */
export function curlLine({ api, token, key, amountMinor, currency }: CurlOptions): string {
  const header = (name: string, value: string): string => `-H ${quoted(`${name}: ${value}`)}`;
  return [
    'curl',
    ...(api.certificate === null ? [] : ['--cacert', quoted(api.certificate)]),
    ...(api.resolve === null ? [] : ['--resolve', api.resolve]),
    header('Authorization', `Bearer ${token === '' ? 'TOKEN' : token}`),
    header('Content-Type', 'application/json'),
    header('Idempotency-Key', key),
    '-d',
    quoted(JSON.stringify({ amountMinor, currency })),
    `${api.url}/v1/payments`,
  ].join(' ');
}
