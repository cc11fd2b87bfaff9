import { randomUUID } from 'node:crypto';

/** Randomness comes in through this port: the only source of new ids in the daemon. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };
