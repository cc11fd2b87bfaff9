import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Clock } from '../../../core/domain/clock.ts';

const defaultBlockSize = 8;
/** The most memory that one hash may take on a counter PC. */
const maxBytes = 64 * 1024 ** 2;
const maxParallelization = 64;

const fields = {
  /** scrypt's N. */
  cost: z
    .int()
    .min(2)
    .refine((cost) => Number.isInteger(Math.log2(cost)), 'must be a power of two'),
  /** scrypt's r. */
  blockSize: z.int().positive().default(defaultBlockSize),
  /** scrypt's p. */
  parallelization: z.int().positive().max(maxParallelization).default(1),
};
const takesNoMore = ({
  cost,
  blockSize,
}: {
  readonly cost: number;
  readonly blockSize: number;
}): boolean => 128 * cost * blockSize <= maxBytes;

/** The cost of one attempt. */
export const PinCost = z.strictObject(fields).refine(takesNoMore, 'takes too much memory');
export type PinCost = z.infer<typeof PinCost>;

/**
 * A hashed PIN: expensive to guess even for somebody who has the file. It carries its own cost, so
 * that the cost can be raised.
 */
export const HashedPin = z
  .strictObject({ salt: z.base64(), hash: z.base64(), ...fields })
  .refine(takesNoMore, 'takes too much memory');
export type HashedPin = z.infer<typeof HashedPin>;

const hashBytes = 32;
const wantedMs = 1_000;
/** The cost that is measured. */
const reference: PinCost = { cost: 2 ** 14, blockSize: defaultBlockSize, parallelization: 1 };
/** The minimum, however slow the machine was during the measurement. */
const minCost = 2 ** 15;
const maxPasses = 16;

/** Chooses a cost of about a second on this machine. */
export async function measurePinCost(clock: Clock): Promise<PinCost> {
  let fastestMs = Number.POSITIVE_INFINITY;
  // Other load makes a measurement slower, never faster.
  for (let time = 0; time < 5; time += 1) {
    const startedMs = clock.monotonicMs();
    await derive('0000', Buffer.alloc(16), reference);
    fastestMs = Math.min(fastestMs, clock.monotonicMs() - startedMs);
  }
  return pinCostFor(fastestMs);
}

/**
 * @param referenceMs duration at the reference cost. Memory is raised first, because it is the most
 * expensive for an attacker.
 */
export function pinCostFor(referenceMs: number): PinCost {
  const msOf = (cost: number): number => (cost / reference.cost) * referenceMs;
  let cost = minCost;
  while (takesNoMore({ cost: cost * 2, blockSize: defaultBlockSize }) && msOf(cost * 2) <= wantedMs)
    cost *= 2;
  return {
    cost,
    blockSize: defaultBlockSize,
    parallelization: Math.min(maxPasses, Math.max(1, Math.round(wantedMs / msOf(cost)))),
  };
}

export async function hashPin(pin: string, cost: PinCost): Promise<HashedPin> {
  const salt = randomBytes(16);
  return {
    salt: salt.toString('base64'),
    hash: (await derive(pin, salt, cost)).toString('base64'),
    ...cost,
  };
}

/** Compares in constant time. */
export async function isPin(pin: string, hashedPin: HashedPin): Promise<boolean> {
  const hash = Buffer.from(hashedPin.hash, 'base64');
  const tried = await derive(pin, Buffer.from(hashedPin.salt, 'base64'), hashedPin);
  return hash.length === tried.length && timingSafeEqual(hash, tried);
}

export function hasCost(
  hashedPin: HashedPin,
  { cost, blockSize, parallelization }: PinCost,
): boolean {
  return (
    hashedPin.cost === cost &&
    hashedPin.blockSize === blockSize &&
    hashedPin.parallelization === parallelization
  );
}

/** Runs off the main thread, so that payments do not wait. */
function derive(
  pin: string,
  salt: Buffer,
  { cost: N, blockSize: r, parallelization: p }: PinCost,
): Promise<Buffer> {
  const options = { N, r, p, maxmem: 128 * r * (N + p + 8) };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, hashBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** A longer queue would keep people waiting for too long. */
const maxQueueLength = 8;

/** Hashes PINs one at a time: each takes a core for a second, and payments need the others. */
export class PinQueue {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws Refusal when it is full */
  mustHaveRoom(): void {
    if (this.#count >= maxQueueLength) throw new Refusal('failed', 'too many PINs at once');
  }

  /** @throws Refusal when it is full */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.mustHaveRoom();
    this.#count += 1;
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.#count -= 1;
    }
  }
}
