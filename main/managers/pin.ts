import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A PIN as it is kept: not to be read back, and dear to guess even for whoever has the file. Its own cost, so that it can be raised later. */
export const HashedPin = z.strictObject({
  salt: z.base64(),
  hash: z.base64(),
  /** scrypt's N, a power of two. */
  cost: z.int().min(2),
});
export type HashedPin = z.infer<typeof HashedPin>;

/** 32 MB and about a tenth of a second on a counter PC for each try. */
export const usualCost = 2 ** 15;
const blockSize = 8;
const hashBytes = 32;

export async function hashPin(pin: string, cost: number): Promise<HashedPin> {
  const salt = randomBytes(16);
  return { salt: salt.toString('base64'), hash: (await derive(pin, salt, cost)).toString('base64'), cost };
}

/** Takes as long whether it is right or nearly so. */
export async function isPin(pin: string, kept: HashedPin): Promise<boolean> {
  const hash = Buffer.from(kept.hash, 'base64');
  const tried = await derive(pin, Buffer.from(kept.salt, 'base64'), kept.cost);
  return hash.length === tried.length && timingSafeEqual(hash, tried);
}

/** Off the main thread: payments go on meanwhile. */
function derive(pin: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: 1, maxmem: 2 * 128 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
