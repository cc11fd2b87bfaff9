/**
 * After a time in which callbacks could not arrive: asks the service for the state of everything
 * that may have moved meanwhile, by the fallback reads (document 1, "Endpoints": operations 7, 8,
 * 12, 13, 17, 18, 21; document 4, section 6, "Status"; section 4, "Get").
 */
import type { Clock } from '../../core/domain/clock.ts';
import type { MinorUnits } from '../../core/domain/money.ts';
import { insideStatus } from './lifecycle.ts';
import type { CallbackRecord, Kind } from './callback-record.ts';
import type { CallbackStore, OpenSubject } from './callback-store.ts';

/** What a read says, whichever operation it is of. */
export interface ReadState {
  readonly id: string;
  readonly status: string;
  readonly externalId?: string | null;
  readonly amountMinor?: MinorUnits | null;
  readonly currency?: string | null;
  /** The service's answer as it came; kept. */
  readonly raw: object;
}

export interface PaymentState extends ReadState {
  /** YYYY-MM-DD; one-offs have none. */
  readonly dueDate?: string | null;
}

export interface AgreementState extends ReadState {
  /** ISO; when it ended. */
  readonly canceledAt?: string | null;
}

type OfAgreement<Answer> = (agreementId: string) => Promise<Answer>;
type OfPayment<Answer> = (agreementId: string, paymentId: string) => Promise<Answer>;

/**
 * The documented reads, as functions; null where the service knows no such thing. What a shop does
 * not use is left out.
 */
export interface FallbackReads {
  readonly subscriptions?: {
    /** 7; the first page is 1, an empty one ends. */
    agreements(pageNumber: number): Promise<readonly AgreementState[]>;
    /** 8 */
    readonly agreement: OfAgreement<AgreementState | null>;
    /** 12 */
    readonly payments: OfAgreement<readonly PaymentState[]>;
    /** 13 */
    readonly payment: OfPayment<PaymentState | null>;
    /** 17 */
    readonly oneOffs: OfAgreement<readonly PaymentState[]>;
    /** 18 */
    readonly oneOff: OfPayment<PaymentState | null>;
    /** 21 */
    readonly refunds: OfPayment<readonly ReadState[]>;
  };
  readonly invoice?: (invoiceId: string) => Promise<ReadState | null>;
  readonly appPayment?: (paymentId: string) => Promise<ReadState | null>;
}

export interface CatchUpOptions {
  readonly reads: FallbackReads;
  readonly store: CallbackStore;
  /** Since when callbacks may be missing. */
  readonly sinceMs: number;
  readonly clock: Clock;
}

export interface CatchUpResult {
  /** How many reads were made. */
  readonly requests: number;
  /** How many of them brought news. */
  readonly stored: number;
  /** The service does not know what the store holds: for people. */
  readonly unknown: readonly string[];
  /**
   * Reads that failed. As long as there are any, the next catch-up must begin at the same
   * `sinceMs`.
   */
  readonly failed: readonly { readonly what: string; readonly error: unknown }[];
}

/** Ends the loop at a service that always has one more page. */
const maxPages = 100_000;
const readsAtOnce = 4;
/**
 * Grace days and the night after: what was due earlier had ended before (document 1, "Subscription
 * payment request").
 */
const latestEndAfterDueMs = 5 * 24 * 60 * 60 * 1000;

/**
 * Reads, and stores what differs as records of origin `read`. Never throws: a read that fails is
 * named in the result, and the others go on.
 */
export async function catchUp({
  reads,
  store,
  sinceMs,
  clock,
}: CatchUpOptions): Promise<CatchUpResult> {
  let requests = 0;
  let stored = 0;
  const unknown: string[] = [];
  const failed: { what: string; error: unknown }[] = [];
  const reportedSubjects = new Set<string>();
  const open = store.openSubjects(sinceMs);
  const isOpen = new Set(open.map(nameOf));

  /** Asks once; the answer is on disk before this returns; null when it failed. */
  async function read<State extends ReadState>(
    what: string,
    ask: () => Promise<readonly State[]>,
    record: (state: State) => CallbackRecord | null,
  ): Promise<readonly State[] | null> {
    const requestedAtMs = clock.wallMs();
    requests += 1;
    try {
      const states = await ask();
      const records = states.map(record).filter((one) => one !== null);
      if (records.length > 0)
        stored += store.add({ origin: 'read', receivedAtMs: requestedAtMs, records }).stored;
      for (const one of records) reportedSubjects.add(nameOf(one));
      return states;
    } catch (error) {
      failed.push({ what, error });
      return null;
    }
  }

  const { subscriptions } = reads;
  if (subscriptions !== undefined) {
    const living = new Set<string>();
    for (let page = 1; page <= maxPages; page += 1) {
      const agreements = await read(
        `agreements, page ${page}`,
        () => subscriptions.agreements(page),
        (state) => recordOf('agreement', state),
      );
      if (agreements === null || agreements.length === 0) break;
      for (const { id, status, canceledAt } of agreements)
        if (insideStatus(status) === 'accepted' || Date.parse(canceledAt ?? '') >= sinceMs)
          living.add(id.toLowerCase());
    }
    const mayHaveMoved = (kind: Kind, agreementId: string) => (state: PaymentState) => {
      const record = recordOf(kind, state, agreementId);
      const endedBefore = Date.parse(state.dueDate ?? '') + latestEndAfterDueMs < sinceMs;
      return endedBefore && !isOpen.has(nameOf(record)) ? null : record;
    };
    await inParallel([...living], async (id) => {
      await read(
        `payments of agreement ${id}`,
        () => subscriptions.payments(id),
        mayHaveMoved('payment', id),
      );
      await read(
        `one-off payments of agreement ${id}`,
        () => subscriptions.oneOffs(id),
        mayHaveMoved('oneOff', id),
      );
    });
  }

  const ask = askerOf(reads);
  await inParallel(open, async (subject) => {
    // Seen in a list meanwhile, or in the refunds of the same payment.
    if (reportedSubjects.has(nameOf(subject))) return;
    const asking = ask(subject);
    if (asking === null) return;
    const { kind, agreementId, paymentId } = subject;
    const states = await read(nameOf(subject), asking, (state) =>
      recordOf(kind, state, agreementId, paymentId),
    );
    if (states !== null && !states.some(({ id }) => id.toLowerCase() === subject.subjectId))
      unknown.push(nameOf(subject));
  });
  return { requests, stored, unknown, failed };
}

/**
 * How a single subject is asked about; null where the shop has no such interface, or the store does
 * not know enough of it.
 */
function askerOf({
  subscriptions,
  invoice,
  appPayment,
}: FallbackReads): (subject: OpenSubject) => (() => Promise<readonly ReadState[]>) | null {
  return ({ kind, subjectId, agreementId, paymentId }) => {
    const one = async (answer: Promise<ReadState | null>): Promise<ReadState[]> => {
      const state = await answer;
      if (state !== null && state.id.toLowerCase() !== subjectId)
        throw new Error(`the answer is about ${state.id}`);
      return state === null ? [] : [state];
    };
    if (kind === 'invoice') return invoice === undefined ? null : () => one(invoice(subjectId));
    if (kind === 'appPayment')
      return appPayment === undefined ? null : () => one(appPayment(subjectId));
    if (subscriptions === undefined) return null;
    if (kind === 'agreement') return () => one(subscriptions.agreement(subjectId));
    if (agreementId === null) return null;
    if (kind === 'payment') return () => one(subscriptions.payment(agreementId, subjectId));
    if (kind === 'oneOff') return () => one(subscriptions.oneOff(agreementId, subjectId));
    return kind === 'refund' && paymentId !== null
      ? () => subscriptions.refunds(agreementId, paymentId)
      : null;
  };
}

const nameOf = ({ kind, subjectId }: { kind: Kind; subjectId: string }): string =>
  `${kind} ${subjectId}`;

function recordOf(
  kind: Kind,
  state: ReadState,
  agreementId: string | null = null,
  paymentId: string | null = null,
): CallbackRecord {
  const { id, status, externalId = null, amountMinor = null, currency = null, raw } = state;
  return {
    kind,
    subjectId: id.toLowerCase(),
    externalId,
    status: insideStatus(status),
    statusText: null,
    code: null,
    amountMinor,
    currency,
    atMs: null,
    sequence: null,
    agreementId,
    paymentId,
    paymentAtMs: null,
    links: [],
    raw: JSON.stringify(raw),
  };
}

async function inParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: readsAtOnce }, worker));
}
