/**
 * The protection of a whole message with a shared key, as local terminal APIs have it: `NexoBlob`
 * is the encrypted message, `SecurityTrailer` has the nonce and the HMAC. Names, algorithms and
 * sizes as in Adyen's adyen-node-api-library (`src/security/nexoCrypto.ts`,
 * `nexoDerivedKeyGenerator.ts`) and its page "Protect with your own code".
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  pbkdf2Sync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
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
const hmacBytes = 32;
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
  const bytes = pbkdf2Sync(
    passphrase,
    salt,
    iterations,
    hmacKeyBytes + cipherKeyBytes + ivBytes,
    'sha1',
  );
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

/**
 * Whether a message names this key, in this version, and a version of the protection that is known.
 */
export const isOfKey = (
  { identifier, version }: SharedKey,
  { AdyenCryptoVersion, KeyIdentifier, KeyVersion }: Trailer,
): boolean =>
  AdyenCryptoVersion === cryptoVersion && KeyIdentifier === identifier && KeyVersion === version;

/** A key that nobody has. Messages with an unknown key are opened with it, to take equally long. */
export const nobodysKey: SharedKey = {
  identifier: '',
  version: 0,
  hmacKey: randomBytes(hmacKeyBytes),
  cipherKey: randomBytes(cipherKeyBytes),
  iv: randomBytes(ivBytes),
};

/**
 * How long this takes depends on the length of the message alone, and not on whether its padding is
 * right, or its HMAC.
 * @returns the message; null when it was not made with this key
 */
export function openMessage(key: SharedKey, blob: string, { Nonce, Hmac }: Trailer): string | null {
  const nonce = Buffer.from(Nonce, 'base64');
  const sent = Buffer.from(Hmac, 'base64');
  const bytes = Buffer.from(blob, 'base64');
  if (
    nonce.length !== ivBytes ||
    sent.length !== hmacBytes ||
    bytes.length === 0 ||
    bytes.length % ivBytes !== 0
  )
    return null;
  const { message, isPadded } = decrypted(key, bytes, nonce);
  const isSigned = timingSafeEqual(sent, hmacOf(key, message));
  return isPadded && isSigned ? message.toString('utf8') : null;
}

/**
 * The HMAC is that of the plain message, so that the padding is read before it. Wrong padding costs
 * no exception, and counts as one byte.
 */
function decrypted(
  key: SharedKey,
  bytes: Buffer,
  nonce: Buffer,
): { readonly message: Buffer; readonly isPadded: boolean } {
  const cipher = createDecipheriv('aes-256-cbc', key.cipherKey, ivOf(key, nonce)).setAutoPadding(
    false,
  );
  const padded = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const length = padded.at(-1) ?? 0;
  let wrong = Number(length < 1) | Number(length > ivBytes);
  for (let back = 1; back <= ivBytes; back += 1)
    wrong |= Number(back <= length) & Number(padded.at(-back) !== length);
  const isPadded = wrong === 0;
  return { message: padded.subarray(0, padded.length - (isPadded ? length : 1)), isPadded };
}

export function secureMessage(
  key: SharedKey,
  message: string,
): { readonly NexoBlob: string; readonly SecurityTrailer: Trailer } {
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

const hmacOf = ({ hmacKey }: SharedKey, message: Buffer): Buffer =>
  createHmac('sha256', hmacKey).update(message).digest();
const ivOf = ({ iv }: SharedKey, nonce: Buffer): Buffer =>
  Buffer.from(iv.map((byte, at) => byte ^ nonce.readUInt8(at)));
