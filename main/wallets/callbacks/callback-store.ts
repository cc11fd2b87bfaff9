/** What callbacks and reads have said, on disk: what a consumer of it may ask for. */
import type {
  CallbackRecord,
  Kind,
  Origin,
  RejectedRecord,
  StoredRecord,
  Subject,
} from './callback-record.ts';

export interface Arrival {
  readonly origin: Origin;
  /** When it was received; for a read, when it was asked for. */
  readonly receivedAtMs: number;
  readonly records: readonly CallbackRecord[];
  readonly rejected?: readonly Pick<RejectedRecord, 'endpoint' | 'reason' | 'raw'>[];
}

/** A subject whose last word has not been said, with what is needed to ask the service about it. */
export interface OpenSubject extends Subject {
  readonly status: string;
  readonly agreementId: string | null;
  readonly paymentId: string | null;
}

export interface CallbackStore {
  /**
   * One transaction, and on disk when it returns. A record that is there already is not stored
   * again; nor is a read that says nothing new.
   * @throws StoreWriteError: nothing of the arrival was stored
   */
  add(arrival: Arrival): { readonly stored: number; readonly repeated: number };
  /** Returns the records after number `seq`, in order; at most `limit` of them. */
  since(seq: number, limit?: number): StoredRecord[];
  /** The latest word about a subject; null when it was never heard of. */
  state(kind: Kind, subjectId: string): StoredRecord | null;
  /** Everything that was not final at some time since `sinceMs`. */
  openSubjects(sinceMs: number): OpenSubject[];
  /** Until when no callback is missing; null at a first start. */
  completeUntilMs(): number | null;
  /** @throws StoreWriteError */
  completeUntil(atMs: number): void;
  /** Returns the rejected records after number `number`, in order. */
  rejected(number?: number, limit?: number): RejectedRecord[];
  /**
   * The numbers of the last record and of the last rejected one, and whether the disk took the last
   * arrival.
   */
  health(): { readonly lastSeq: number; readonly lastRejected: number; readonly writable: boolean };
  close(): void;
}

/** The disk refused. The sender must send it again. */
export class StoreWriteError extends Error {
  override readonly name = 'StoreWriteError';
  constructor(cause: unknown) {
    super(
      `the callbacks could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** The file is there and cannot be used. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  constructor(path: string, cause: unknown) {
    super(
      `the callbacks' file ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
