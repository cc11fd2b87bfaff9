import { randomUUID } from 'node:crypto';

/** Randomness as a port: the only source of new identities in the daemon. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };
