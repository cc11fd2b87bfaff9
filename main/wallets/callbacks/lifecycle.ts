/** The stages of each kind of thing, and which of two records is the older one. Pure. */
import type { CallbackRecord, Kind, Origin } from './callback-record.ts';

const final = 9;
/**
 * Over, unless the service takes it back within a day: a refund can be declined up to three hours
 * after it was issued (document 4, section 3.3).
 */
const settled = 8;
const settledForMs = 24 * 60 * 60 * 1000;

/**
 * Document 1, "States and transitions"; document 4, sections 3.3, 4 and 6. A higher stage never
 * goes back to a lower one.
 */
const stages: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  agreement: { pending: 0, accepted: 1, rejected: final, expired: final, canceled: final },
  payment: {
    pending: 0,
    executed: final,
    failed: final,
    rejected: final,
    declined: final,
    canceled: final,
  },
  oneOff: {
    requested: 0,
    reserved: 1,
    captured: final,
    rejected: final,
    expired: final,
    canceled: final,
    declined: final,
    failed: final,
  },
  refund: { issued: settled, declined: final },
  // No way leads out of `invalid`, although section 6 counts it among the intermediate ones.
  invoice: {
    created: 0,
    accepted: 1,
    paid: final,
    rejected: final,
    expired: final,
    canceled: final,
    invalid: final,
  },
  appPayment: {
    initiated: 0,
    reserved: 1,
    capturestarted: 2,
    captured: final,
    cancelledbymerchant: final,
    cancelledbyuser: final,
    cancelledbysystem: final,
    expired: final,
  },
  paymentPoint: {},
  transfer: {},
  notice: {},
  checkin: {},
  epayment: {},
};

/** Events without a life of their own: there is nothing to ask the service about. */
const momentary: ReadonlySet<Kind> = new Set([
  'paymentPoint',
  'transfer',
  'notice',
  'checkin',
  'epayment',
]);

/**
 * Words of the service for the same thing, in older tables, newer ones and of the facade since 2024
 * (document 1, "Refund"; document 4, section 3.3).
 */
const synonyms: Readonly<Record<string, string>> = {
  active: 'accepted',
  decline: 'declined',
  cancelled: 'canceled',
};

/** Normalizes a status: lower case, and one word for all synonyms. */
export function insideStatus(status: string): string {
  const lower = status.trim().toLowerCase();
  return synonyms[lower] ?? lower;
}

/** Until when asking the service can bring news: `Infinity` while open, 0 when final. */
export function openUntilMs(
  { kind, status }: { kind: Kind; status: string },
  receivedAtMs: number,
): number {
  const stage = stages[kind][status];
  if (momentary.has(kind) || stage === final) return 0;
  return stage === settled ? receivedAtMs + settledForMs : Number.POSITIVE_INFINITY;
}

/** What decides the order of two records. */
export type Position = Pick<CallbackRecord, 'status' | 'atMs' | 'sequence'>;

/**
 * Whether `incoming` is older than what is known already. Times decide where both have one, then
 * sequences (document 3: "Date and Sequence decide the real order"); without them the stages;
 * within a stage the order of arrival. One end is not overwritten by another one that came later
 * without a time, except by a read: that is the service's word of now.
 */
export function isOlder(
  kind: Kind,
  incoming: Position & { readonly origin: Origin },
  current: Position,
): boolean {
  if (incoming.atMs !== null && current.atMs !== null && incoming.atMs !== current.atMs)
    return incoming.atMs < current.atMs;
  if (
    incoming.sequence !== null &&
    current.sequence !== null &&
    incoming.sequence !== current.sequence
  )
    return incoming.sequence < current.sequence;
  if (incoming.status === current.status) return false;
  const currentStage = stages[kind][current.status];
  if (currentStage === undefined) return false;
  const incomingStage = stages[kind][incoming.status];
  if (currentStage === final && incomingStage === final) return incoming.origin !== 'read';
  return incomingStage === undefined ? currentStage >= settled : incomingStage < currentStage;
}
