/**
 * The machine that payments and refunds share, as data: the states, what can happen, and what follows.
 * Everything here is plain and serialisable; `decide` and `apply` are the only logic.
 */

/** What tells a payment and a refund apart, as types; `kinds.ts` has it as values. */
export interface Terms {
  /** What was asked for, under its name. All of it is on disk before the first request leaves. */
  readonly about: object;
  /** The first event. */
  readonly begun: { readonly type: string };
  /** The id at the service, under its name. */
  readonly id: object;
  readonly idOrNull: object;
  /** What the event `created` tells. */
  readonly created: object;
  /** What a poll shows. */
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

/** Before anybody approved anything. */
export type WaitingStatus = 'prepared' | 'initiated' | 'paired' | 'issuedToUser';

/** A state has exactly the fields that it needs. */
export type Settlement<T extends Terms> = T['about'] &
  (
    | /** The create request is under way. */
    { readonly kind: 'creating'; readonly idempotencyKey: string; readonly clearedBefore: boolean }
    /** Whether it was created is not known: the service is being asked. */
    | { readonly kind: 'resolving'; readonly idempotencyKey: string }
    /**
     * Open at the service, polled. `stop`: somebody asked to end it; a poll or a cancel with a condition tells whether the customer was faster, if it is
     * answered soon.
     */
    | (T['id'] & { readonly kind: 'awaiting'; readonly status: WaitingStatus; readonly stop: T['stop'] | null })
    /** Reserved, capture intended; whoever asked for it is being told. `partialCapturePossible` is set only if the service said so. */
    | (T['id'] & { readonly kind: 'offering'; readonly partialCapturePossible?: true })
    /** Decided for good: captured until it is confirmed. `refusals` counts the attempts that the service keeps refusing under their keys. */
    | (T['id'] & { readonly kind: 'capturing'; readonly failedAttempts: number; readonly refusals?: number })
    /**
     * Decided for good: no money moves. Cancelled until it is confirmed. The id is null while it is not known whether there is one;
     * `idempotencyKey` is that of the request that may have created it.
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
    /** The service contradicts what was decided, for good: a person must act. `toldDone`: "paid" or "refunded" was told. `movedMinor`: see the event. */
    | (T['id'] & { readonly kind: 'needsPerson'; readonly problem: T['problem']; readonly toldDone: boolean; readonly movedMinor?: number })
    | T['ownState']
  );

/** What is written to the journal, in the order in which it became true. Its names and fields are those of the files on disk. */
export type SettlementEvent<T extends Terms> =
  | T['begun']
  | { readonly type: 'createUnknown'; readonly detail: string }
  | (T['created'] & { readonly type: 'created' })
  /**
   * `amountMinor`: of a reservation; `by`: the manager's name, left out when a till decided. `partialCapturePossible`: of any other payment, as the
   * service said; left out: it did not say so.
   */
  | { readonly type: 'captureIntended'; readonly amountMinor?: number; readonly by?: string; readonly partialCapturePossible?: true }
  /** `handedOutMinor`: goods for less were handed out, and the till said for how much: that is captured where the service captures a part. */
  | { readonly type: 'tillAcknowledged'; readonly handedOutMinor?: number }
  | { readonly type: 'cancelIntended'; readonly reason: T['reason'] }
  /**
   * `refused` is set by a service that keeps its refusals, so that the next attempt is a new request; otherwise the same one is repeated. Unknown to earlier
   * versions.
   */
  | { readonly type: 'attemptFailed'; readonly detail: string; readonly refused?: true }
  | { readonly type: 'captured' }
  | { readonly type: 'ended'; readonly reason: T['reason'] }
  /** After the end: the service, which was believed to have none, has one. Decided by this to be cancelled. */
  | (T['id'] & { readonly type: 'foundLate' })
  /** `movedMinor`: what the service says was captured, where that is not what was asked for. Unknown to earlier versions. */
  | { readonly type: 'personNeeded'; readonly problem: T['problem']; readonly movedMinor?: number }
  /**
   * The service names a longer delay between polls, which also holds after a restart; null for the usual one. Changes no state. Unknown to earlier versions.
   */
  | { readonly type: 'pollDelayNamed'; readonly delayMs: number | null }
  | T['ownEvent'];

/** What happens: answers to effects, people, time. */
export type SettlementInput<T extends Terms> =
  | { readonly type: 'createAnswered'; readonly answer: CreateAnswer<T> }
  /** The answer to `lookUp` and `identify`: what the service has of this; null when there is none. */
  | { readonly type: 'lookedUp'; readonly found: T['id'] | null }
  | { readonly type: 'lookUpFailed'; readonly detail: string }
  | (T['seen'] & { readonly type: 'polled' })
  /** The service does not know it. */
  | { readonly type: 'pollNotFound' }
  /** `credentialsRefused`: for so long that nothing will be learned before somebody has mended them. */
  | { readonly type: 'pollFailed'; readonly detail: string; readonly credentialsRefused?: true }
  | { readonly type: 'stopRequested'; readonly reason: T['stop'] }
  /** `handedOutMinor`: it took the payment over for this much alone. */
  | { readonly type: 'tillAnswered'; readonly acknowledged: boolean; readonly handedOutMinor?: number }
  | { readonly type: 'captureAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelUnapprovedAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'retryDue' }
  | { readonly type: 'restarted' }
  | T['ownInput'];

export type CreateAnswer<T extends Terms> =
  | (T['id'] & { readonly kind: 'created' })
  /** 409/1301: another payment is active at the point of sale. Never of a refund. */
  | { readonly kind: 'blocked' }
  /** Or it was stopped before its request left. */
  | { readonly kind: 'refused'; readonly reason: T['refusal'] | T['stop'] }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * Why the service would not change something. approved: it was to be cancelled only while the customer had not approved it, and the customer was
 * faster; nothing has changed. wrongState: it is in a state that does not take this change; the next poll says in which.
 */
export type ChangeRefusal = 'approved' | 'wrongState' | 'other';

export type SettleAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** What is to be done once the events of the same decision are on disk. All but `conclude` are answered by an input. */
export type Effect<T extends Terms> =
  | { readonly type: 'create'; readonly idempotencyKey: string }
  | { readonly type: 'lookUp' }
  /** What became of the create request, which may be sent again for that: only once the decision against what it makes is on disk. */
  | { readonly type: 'identify'; readonly idempotencyKey: string }
  | { readonly type: 'clearPointOfSale' }
  /** Makes a prepared payment ready for approval. */
  | (T['id'] & { readonly type: 'ready' })
  /** Not before the service allows it. */
  | (T['id'] & { readonly type: 'poll' })
  /** "Paid" or "refunded" to the till, which has to acknowledge it. */
  | { readonly type: 'offer' }
  /** The outcome (`outcomeOf`) is told. */
  | { readonly type: 'conclude' }
  | (T['id'] & { readonly type: 'capture' })
  | (T['id'] & { readonly type: 'cancel' })
  /** Only while the customer has not approved it: before any decision, whose place its answer takes. */
  | (T['id'] & { readonly type: 'cancelUnapproved' })
  /** The code of a service that has one for each payment, on the screens. Answered only if there is none. */
  | (T['id'] & { readonly type: 'showCode' })
  /** Then `retryDue`. */
  | { readonly type: 'wait'; readonly delayMs: number }
  /** Then `retryDue`: now and then, when it is about to expire, and when it should have expired. */
  | { readonly type: 'watchReservation'; readonly expiresAtMs: number | null }
  /** Then `stopRequested` because of `timedOut`: a request to stop waits no longer for the poll. */
  | { readonly type: 'endWait'; readonly delayMs: number };

export interface Decision<T extends Terms> {
  readonly events: readonly SettlementEvent<T>[];
  readonly effects: readonly Effect<T>[];
}
