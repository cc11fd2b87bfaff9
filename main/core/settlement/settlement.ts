/**
 * The parts that the machines of payments and refunds share, as data. `payment.ts` and `refund.ts`
 * have the states, events and inputs of each; everything is plain and serialisable.
 */

/** The status before anybody approved anything. */
export type WaitingStatus = 'prepared' | 'initiated' | 'paired' | 'issuedToUser';

/** The decision to capture, until the service has confirmed it. */
export interface Capturing {
  readonly kind: 'capturing';
  readonly failedAttempts: number;
  /** Counts the attempts that the service keeps refusing under their keys. */
  readonly refusals?: number;
}

/** The decision that no money moves, until the service has confirmed it. */
export interface Cancelling<Reason> {
  readonly kind: 'cancelling';
  /** The key of the request that may have created it. */
  readonly idempotencyKey: string;
  readonly reason: Reason;
  readonly failedAttempts: number;
  readonly refusals?: number;
}

/**
 * Events of payments and refunds. Events are written to the journal, in the order in which they
 * became true: their names and fields are those of the files on disk.
 */
export type SharedEvent =
  | { readonly type: 'createUnknown'; readonly detail: string }
  /**
   * `refused` is set by a service that keeps its refusals, so that the next attempt is a new
   * request; otherwise the same one is repeated. Unknown to earlier versions.
   */
  | { readonly type: 'attemptFailed'; readonly detail: string; readonly refused?: true }
  | { readonly type: 'captured' }
  /**
   * The service names a longer delay between polls, which also holds after a restart; null for the
   * default. Changes no state. Unknown to earlier versions.
   */
  | { readonly type: 'pollDelayNamed'; readonly delayMs: number | null };

/** Inputs of payments and refunds: answers to effects, requests of people, and time. */
export type SharedInput =
  | { readonly type: 'lookUpFailed'; readonly detail: string }
  /** The service does not know it. */
  | (Confirming & { readonly type: 'pollNotFound' })
  /**
   * `credentialsRefused`: they have been refused for so long that nothing will be learned until
   * somebody has replaced them.
   */
  | (Confirming & {
      readonly type: 'pollFailed';
      readonly detail: string;
      readonly credentialsRefused?: true;
    })
  | { readonly type: 'captureAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'retryDue' }
  | { readonly type: 'restarted' };

/** @template Id the id at the service, under its name @template Reason of a refusal or a stop */
export type CreateAnswer<Id, Reason> =
  | (Id & { readonly kind: 'created' })
  /** Also answered when it was stopped before its request was sent. */
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * Why the service would not change something. approved: it was to be cancelled only while the
 * customer had not approved it, and the customer was faster; nothing has changed. wrongState: it is
 * in a state that does not take this change; the next poll says in which.
 */
export type ChangeRefusal = 'approved' | 'wrongState' | 'other';

export type SettleAnswer =
  /** The answer itself shows that it is done. */
  | { readonly kind: 'done' }
  /**
   * The service took the request, and its answer shows nothing: a poll tells whether it did
   * something.
   */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * A poll that tells whether an accepted capture or cancel did something. If it does not show that,
 * the attempt has failed.
 */
export interface Confirming {
  readonly confirms?: true;
}

/**
 * Effects of payments and refunds, which are carried out once the events of the same decision are
 * on disk. All but `conclude` are answered by an input.
 */
export type SharedEffect<Id> =
  | { readonly type: 'create'; readonly idempotencyKey: string }
  | { readonly type: 'lookUp' }
  /**
   * Finds out what became of the create request, which may be sent again for that, but only once
   * the decision against what it creates is on disk.
   */
  | { readonly type: 'identify'; readonly idempotencyKey: string }
  /** Repeated no sooner than the service allows. */
  | (Id & { readonly type: 'poll'; readonly confirms?: true })
  /** "Paid" or "refunded" to the till, which has to acknowledge it. */
  | { readonly type: 'offer' }
  /** Tells the outcome (`outcomeOf`). */
  | { readonly type: 'conclude' }
  | (Id & { readonly type: 'capture' })
  | (Id & { readonly type: 'cancel' })
  /** Waits, then `retryDue` is the input. */
  | { readonly type: 'wait'; readonly delayMs: number };

export interface Decision<Event, Effect> {
  readonly events: readonly Event[];
  readonly effects: readonly Effect[];
}
