/**
 * What a callback or a read says about one thing, in one form, whichever of the interfaces it is
 * of.
 */
import type { MinorUnits } from '../../core/domain/money.ts';

/**
 * What a record is about. `notice`: an event of app payments that is about nothing we follow, or
 * that the documents do not name. `epayment`: a payment of that service.
 */
export const kinds = [
  'payment',
  'oneOff',
  'agreement',
  'refund',
  'invoice',
  'appPayment',
  'paymentPoint',
  'transfer',
  'notice',
  'checkin',
  'epayment',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * The status of a signed check-in. A record without a good signature never gets it, even when its
 * body claims it.
 */
export const scanned = 'scanned';

export interface Subject {
  readonly kind: Kind;
  /** The service's identifier, in lower case. An ePayment reference keeps its case. */
  readonly subjectId: string;
}

export interface CallbackRecord extends Subject {
  readonly externalId: string | null;
  /**
   * The status in lower case, with synonyms made one (`insideStatus`); an undocumented one is kept
   * as it came.
   */
  readonly status: string;
  readonly statusText: string | null;
  /** The service writes codes as numbers and as strings: text inside. */
  readonly code: string | null;
  readonly amountMinor: MinorUnits | null;
  readonly currency: string | null;
  /** When it happened, where the record says so. */
  readonly atMs: number | null;
  /**
   * Orders the records of one invoice within the same `atMs` (document 3, "Invoice callback
   * record").
   */
  readonly sequence: number | null;
  /** Whose it is: needed to read it at the service. */
  readonly agreementId: string | null;
  readonly paymentId: string | null;
  /**
   * When the payer of an accepted invoice means to pay; null when it does not say, or for other
   * records.
   */
  readonly paymentAtMs: number | null;
  /**
   * Where the user of an invoice link that was made in a batch accepts it (document 3, "Invoice
   * callback record").
   */
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  /** The JSON as it came, with unknown fields. */
  readonly raw: string;
}

/** `read`: learnt by asking, after a time in which callbacks could not arrive. */
export const origins = ['callback', 'read'] as const;
export type Origin = (typeof origins)[number];

export interface StoredRecord {
  /** Grows; a consumer keeps the last one it has dealt with and asks for what came after. */
  readonly seq: number;
  readonly receivedAtMs: number;
  readonly origin: Origin;
  /**
   * This record gave its subject a new status. False: it came late, or says the same once more;
   * nothing is to be done about it.
   */
  readonly changed: boolean;
  readonly record: CallbackRecord;
}

/** A record that could not be understood: kept for people. */
export interface RejectedRecord {
  readonly number: number;
  readonly receivedAtMs: number;
  readonly endpoint: string;
  readonly reason: string;
  readonly raw: string;
}
