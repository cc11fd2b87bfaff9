/**
 * The machine that payments and refunds share, as data: the states, what can happen, and what
 * follows. Everything here is plain and serialisable; `decide` and `apply` are the only logic.
 */

/** What tells a payment and a refund apart, as types; `kinds.ts` has it as values. */
export interface Terms {
  /** What was requested, under its name. All of it is on disk before the first request is sent. */
  readonly about: object;
  /** The first event. */
  readonly begun: { readonly type: string };
  /** The id at the service, under its name. */
  readonly id: object;
  readonly idOrNull: object;
  /** Facts in the event `created`. */
  readonly created: object;
  /** Facts that a poll shows. */
  readonly seen: { readonly status: string };
  readonly stop: string;
  readonly reason: string;
  /** Why the service would not create it. */
  readonly refusal: string;
  readonly problem: string;
  readonly done: string;
  readonly notDone: string;
  /** States, events and inputs that the other kind does not have. */
  readonly ownState: { readonly kind: string };
  readonly ownEvent: { readonly type: string };
  readonly ownInput: { readonly type: string };
}

/** The status before anybody approved anything. */
export type WaitingStatus = 'prepared' | 'initiated' | 'paired' | 'issuedToUser';

/** A state has exactly the fields that it needs. */
export type Settlement<T extends Terms> = T['about'] &
  (
    | /** The create request is under way. */
    { readonly kind: 'creating'; readonly idempotencyKey: string; readonly clearedBefore: boolean }
    /** Whether it was created is not known, and the service is being asked. */
    | { readonly kind: 'resolving'; readonly idempotencyKey: string }
    /**
     * Open at the service, polled. `stop`: somebody asked to end it; a poll or a cancel with a
     * condition tells whether the customer was faster, if it is answered soon.
     */
    | (T['id'] & {
        readonly kind: 'awaiting';
        readonly status: WaitingStatus;
        readonly stop: T['stop'] | null;
      })
    /**
     * Reserved, capture intended; whoever asked for it is being told. `partialCapturePossible` is
     * set only if the service said so.
     */
    | (T['id'] & { readonly kind: 'offering'; readonly partialCapturePossible?: true })
    /**
     * Decided for good: captured until it is confirmed. `refusals` counts the attempts that the
     * service keeps refusing under their keys.
     */
    | (T['id'] & {
        readonly kind: 'capturing';
        readonly failedAttempts: number;
        readonly refusals?: number;
      })
    /**
     * Decided for good: no money moves. Cancelled until it is confirmed. The id is null while it is
     * not known whether there is one; `idempotencyKey` is that of the request that may have created
     * it.
     */
    | (T['idOrNull'] & {
        readonly kind: 'cancelling';
        readonly idempotencyKey: string;
        readonly reason: T['reason'];
        readonly failedAttempts: number;
        readonly refusals?: number;
      })
    | (T['id'] & { readonly kind: T['done'] })
    | (T['idOrNull'] & { readonly kind: T['notDone']; readonly reason: T['reason'] })
    /**
     * The service contradicts a final decision: a person must act. `toldDone`: "paid" or "refunded"
     * was told. `movedMinor`: see the event.
     */
    | (T['id'] & {
        readonly kind: 'needsPerson';
        readonly problem: T['problem'];
        readonly toldDone: boolean;
        readonly movedMinor?: number;
      })
    | T['ownState']
  );

/**
 * What is written to the journal, in the order in which it became true. Its names and fields are
 * those of the files on disk.
 */
export type SettlementEvent<T extends Terms> =
  | T['begun']
  | { readonly type: 'createUnknown'; readonly detail: string }
  | (T['created'] & { readonly type: 'created' })
  /**
   * `amountMinor`: of a reservation; `by`: the manager's name, left out when a till decided.
   * `partialCapturePossible`: of any other payment, as the service said; left out: it did not say
   * so.
   */
  | {
      readonly type: 'captureIntended';
      readonly amountMinor?: number;
      readonly by?: string;
      readonly partialCapturePossible?: true;
    }
  /**
   * `handedOutMinor`: goods were handed out for so much only, as the till said: that is captured
   * where the service captures a part.
   */
  | { readonly type: 'tillAcknowledged'; readonly handedOutMinor?: number }
  | { readonly type: 'cancelIntended'; readonly reason: T['reason'] }
  /**
   * `refused` is set by a service that keeps its refusals, so that the next attempt is a new
   * request; otherwise the same one is repeated. Unknown to earlier versions.
   */
  | { readonly type: 'attemptFailed'; readonly detail: string; readonly refused?: true }
  | { readonly type: 'captured' }
  | { readonly type: 'ended'; readonly reason: T['reason'] }
  /**
   * The service was believed to have none, and has one after the end. With this event it is decided
   * to cancel it.
   */
  | (T['id'] & { readonly type: 'foundLate' })
  /**
   * `movedMinor`: what the service says was captured, where that is not what was requested. Unknown
   * to earlier versions.
   */
  | { readonly type: 'personNeeded'; readonly problem: T['problem']; readonly movedMinor?: number }
  /**
   * The service names a longer delay between polls, which also holds after a restart; null for the
   * usual one. Changes no state. Unknown to earlier versions.
   */
  | { readonly type: 'pollDelayNamed'; readonly delayMs: number | null }
  | T['ownEvent'];

/** What happens: answers to effects, requests of people, and time. */
export type SettlementInput<T extends Terms> =
  | { readonly type: 'createAnswered'; readonly answer: CreateAnswer<T> }
  /**
   * The answer to `lookUp` and `identify`: what the service has of this; null when there is none.
   */
  | { readonly type: 'lookedUp'; readonly found: T['id'] | null }
  | { readonly type: 'lookUpFailed'; readonly detail: string }
  | (T['seen'] & Confirming & { readonly type: 'polled' })
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
  | { readonly type: 'stopRequested'; readonly reason: T['stop'] }
  /** `handedOutMinor`: the till took the payment over for this amount only. */
  | {
      readonly type: 'tillAnswered';
      readonly acknowledged: boolean;
      readonly handedOutMinor?: number;
    }
  | { readonly type: 'captureAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelUnapprovedAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'retryDue' }
  | { readonly type: 'restarted' }
  | T['ownInput'];

export type CreateAnswer<T extends Terms> =
  | (T['id'] & { readonly kind: 'created' })
  /** 409/1301: another payment is active at the point of sale. Never answered for a refund. */
  | { readonly kind: 'blocked' }
  /** Also answered when it was stopped before its request was sent. */
  | { readonly kind: 'refused'; readonly reason: T['refusal'] | T['stop'] }
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
interface Confirming {
  readonly confirms?: true;
}

/**
 * What is to be done once the events of the same decision are on disk. All but `conclude` are
 * answered by an input.
 */
export type Effect<T extends Terms> =
  | { readonly type: 'create'; readonly idempotencyKey: string }
  | { readonly type: 'lookUp' }
  /**
   * Finds out what became of the create request, which may be sent again for that, but only once
   * the decision against what it creates is on disk.
   */
  | { readonly type: 'identify'; readonly idempotencyKey: string }
  | { readonly type: 'clearPointOfSale' }
  /** Makes a prepared payment ready for approval. */
  | (T['id'] & { readonly type: 'ready' })
  /** Repeated no sooner than the service allows. */
  | (T['id'] & Confirming & { readonly type: 'poll' })
  /** "Paid" or "refunded" to the till, which has to acknowledge it. */
  | { readonly type: 'offer' }
  /** Tells the outcome (`outcomeOf`). */
  | { readonly type: 'conclude' }
  | (T['id'] & { readonly type: 'capture' })
  | (T['id'] & { readonly type: 'cancel' })
  /**
   * Cancels only while the customer has not approved it. No decision is on disk before; the answer
   * decides.
   */
  | (T['id'] & { readonly type: 'cancelUnapproved' })
  /**
   * Shows the code of a service that has one for each payment. Answered only when there is none.
   */
  | (T['id'] & { readonly type: 'showCode' })
  /** Waits, then `retryDue` is the input. */
  | { readonly type: 'wait'; readonly delayMs: number }
  /**
   * Polls now and then, when it is about to expire, and when it should have expired; each time
   * `retryDue` is the input.
   */
  | { readonly type: 'watchReservation'; readonly expiresAtMs: number | null }
  /**
   * Ends the wait for a poll of a request to stop: `stopRequested` because of `timedOut` is the
   * input.
   */
  | { readonly type: 'endWait'; readonly delayMs: number };

export interface Decision<T extends Terms> {
  readonly events: readonly SettlementEvent<T>[];
  readonly effects: readonly Effect<T>[];
}
