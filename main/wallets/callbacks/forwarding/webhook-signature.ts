/**
 * The signature of forwarded messages, by the open specification Standard Webhooks
 * (https://www.standardwebhooks.com), version 1.0.
 */
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
/** The specification allows 24 to 64 bytes. */
const minBytes = 24;
const maxBytes = 64;

export const secretRule = `must be ${prefix} and ${minBytes} to ${maxBytes} random bytes in base64`;

/** @returns the key; null when the text is not such a secret */
export function keyOf(secret: string): Buffer | null {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const key = Buffer.from(encoded, 'base64');
  // Buffer skips characters that are not base64, and would return a part of the key.
  const isExact = key.toString('base64').replaceAll('=', '') === encoded.replaceAll('=', '');
  return isExact && key.length >= minBytes && key.length <= maxBytes ? key : null;
}

export interface SignedMessage {
  /** The same each time the message is sent. */
  readonly id: string;
  /** Time of this attempt. */
  readonly atMs: number;
  readonly body: string;
}

/**
 * @param keys one, or two while a secret is being changed, because the receiver accepts a signature
 * by either
 */
export function signatureHeaders(
  { id, atMs, body }: SignedMessage,
  keys: readonly Uint8Array[],
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = keys.map(
    (key) =>
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
