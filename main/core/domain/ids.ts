import { createHash, randomUUID } from 'node:crypto';
import { hashInput, uuidOf } from './derived-ids.ts';

/** Randomness comes in through this port: the only source of new ids in the daemon. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };

export const hashedId = (text: string): string =>
  uuidOf(createHash('sha256').update(text).digest());

/**
 * The id of the payment or refund that a name from outside begins. It is in the journal with the
 * first event, in the same write: after a crash the same name either finds what it began, or
 * nothing has begun.
 */
export const idFrom = (...named: Parameters<typeof hashInput>): string =>
  hashedId(hashInput(...named));

/** The payment that a page names with its `actionId`. */
export const screenPaymentId = (actionId: string): string => idFrom('screen', 'payment', actionId);
/** The refund that a manager's page, or setup, names with its `actionId`. */
export const managerRefundId = (actionId: string): string => idFrom('manager', 'refund', actionId);
