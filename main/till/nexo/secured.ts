/**
 * The protection of a whole message with a shared key, as local terminal APIs have it: `NexoBlob` is the encrypted message, `SecurityTrailer` has the nonce
 * and the HMAC. Names, algorithms and sizes as in Adyen's adyen-node-api-library (`src/security/nexoCrypto.ts`,
 * `nexoDerivedKeyGenerator.ts`) and its page "Protect with your own code".
 */
import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { WrittenNumber } from './json.ts';

/** The keys of a till and its terminal, derived from their passphrase. */
export interface SharedKey {
  readonly identifier: string;
  readonly version: number;
  readonly hmacKey: Buffer;
  readonly cipherKey: Buffer;
  /** The IV of a message is this one, exclusive or its nonce. */
  readonly iv: Buffer;
}

const salt = 'AdyenNexoV1Salt';
const iterations = 4_000;
const hmacKeyBytes = 32;
const cipherKeyBytes = 32;
const ivBytes = 16;
const cryptoVersion = 1;

export function deriveKey({
  identifier,
  version,
  passphrase,
}: {
  readonly identifier: string;
  readonly version: number;
  readonly passphrase: string;
}): SharedKey {
  // The dialect reads the passphrase as Latin-1.
  const bytes = pbkdf2Sync(Buffer.from(passphrase, 'latin1'), salt, iterations, hmacKeyBytes + cipherKeyBytes + ivBytes, 'sha1');
  return {
    identifier,
    version,
    hmacKey: bytes.subarray(0, hmacKeyBytes),
    cipherKey: bytes.subarray(hmacKeyBytes, hmacKeyBytes + cipherKeyBytes),
    iv: bytes.subarray(hmacKeyBytes + cipherKeyBytes),
  };
}

const Whole = z
  .instanceof(WrittenNumber)
  .refine(({ text }) => /^\d{1,9}$/.test(text))
  .transform(({ text }) => Number(text));

export const Trailer = z.object({
  AdyenCryptoVersion: Whole,
  KeyIdentifier: z.string().min(1).max(128),
  KeyVersion: Whole,
  Nonce: z.base64().max(64),
  Hmac: z.base64().max(64),
});
export type Trailer = z.output<typeof Trailer>;

/** Whether a message names this key, in this version, and a version of the protection that is known. */
export const isOfKey = ({ identifier, version }: SharedKey, { AdyenCryptoVersion, KeyIdentifier, KeyVersion }: Trailer): boolean =>
  AdyenCryptoVersion === cryptoVersion && KeyIdentifier === identifier && KeyVersion === version;

/** @returns the message; null when it was not made with this key */
export function openMessage(key: SharedKey, blob: string, { Nonce, Hmac }: Trailer): string | null {
  const nonce = Buffer.from(Nonce, 'base64');
  if (nonce.length !== ivBytes) return null;
  const message = decrypted(key, blob, nonce);
  if (message === null) return null;
  const hmac = hmacOf(key, message);
  const sent = Buffer.from(Hmac, 'base64');
  return sent.length === hmac.length && timingSafeEqual(sent, hmac) ? message.toString('utf8') : null;
}

/** The HMAC is that of the plain message, so that the padding is checked before it. Wrong padding must look like any other failure. */
function decrypted(key: SharedKey, blob: string, nonce: Buffer): Buffer | null {
  try {
    const cipher = createDecipheriv('aes-256-cbc', key.cipherKey, ivOf(key, nonce));
    return Buffer.concat([cipher.update(blob, 'base64'), cipher.final()]);
  } catch {
    return null;
  }
}

export function secureMessage(key: SharedKey, message: string): { readonly NexoBlob: string; readonly SecurityTrailer: Trailer } {
  const nonce = randomBytes(ivBytes);
  const bytes = Buffer.from(message, 'utf8');
  const cipher = createCipheriv('aes-256-cbc', key.cipherKey, ivOf(key, nonce));
  return {
    NexoBlob: Buffer.concat([cipher.update(bytes), cipher.final()]).toString('base64'),
    SecurityTrailer: {
      AdyenCryptoVersion: cryptoVersion,
      KeyIdentifier: key.identifier,
      KeyVersion: key.version,
      Nonce: nonce.toString('base64'),
      Hmac: hmacOf(key, bytes).toString('base64'),
    },
  };
}

const hmacOf = ({ hmacKey }: SharedKey, message: Buffer): Buffer => createHmac('sha256', hmacKey).update(message).digest();
const ivOf = ({ iv }: SharedKey, nonce: Buffer): Buffer => Buffer.from(iv.map((byte, at) => byte ^ nonce.readUInt8(at)));
