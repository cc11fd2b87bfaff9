/** Sends every record to an address, in order and at least once. */
import { hash } from 'node:crypto';
import { backoffMs } from '../../../core/domain/backoff.ts';
import { type Clock, sleep } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import { httpClient } from '../../../support/http-client.ts';
import { jsonLine } from '../../../support/json-line.ts';
import { failureOf } from '../../http/http.ts';
import type { StoredRecord } from '../callback-record.ts';
import type { CallbackReader } from '../sqlite-reader.ts';
import { follow } from './follow-records.ts';
import type { Failure, ForwardStore, Message } from './forward-store.ts';
import { recordForPrograms } from './forwarded-record.ts';
import { signatureHeaders } from './webhook-signature.ts';

export interface ForwardOptions {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  readonly reader: CallbackReader;
  readonly store: ForwardStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly post?: Post;
}

/** Sends one attempt. @throws when no answer comes */
export type Post = (
  request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
  signal: AbortSignal,
) => Promise<ForwardAnswer>;
export interface ForwardAnswer {
  readonly status: number;
  /** `Retry-After`; null when it is absent. */
  readonly retryAfter: string | null;
}

const timeoutMs = 15_000;
const delays = { firstMs: 1_000, maxMs: 10 * 60_000 };
/**
 * With the delays between them, an hour and three quarters: enough for a receiver that is being
 * repaired.
 */
const maxAttempts = 20;
/**
 * Attempts for a record that the receiver refuses. It will hardly take it later, and the following
 * records wait.
 */
const maxRefusals = 5;
/** The longest pause that a receiver may ask for. */
const maxRetryAfterMs = 60 * 60_000;

/** Statuses that refuse the record. All others mean a problem of the receiver. */
const aboutTheRecord: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);
const gone = 410;

/** The receiver answered 410: nothing more is to be sent to this address. */
class TargetGoneError extends Error {
  override readonly name = 'TargetGoneError';
}

type Outcome = 'delivered' | 'stopped' | Failure;

/**
 * Forwards the records after the stored position until `signal` is aborted. The position moves when
 * a record was delivered or is kept as a dead letter. So after a crash no record is left out, and
 * the one that was being sent is sent again with the same id.
 * @throws TargetGoneError; FollowError; errors of the disk
 */
export async function forward(options: ForwardOptions): Promise<void> {
  const { url, reader, store, clock, log, signal } = options;
  const looked = resending(options);
  for await (const record of follow({
    reader,
    since: store.position(url) ?? 0,
    clock,
    looked,
    signal,
  })) {
    const message = forwardedMessage(record);
    const outcome = await deliver(message, options);
    if (outcome === 'stopped') return;
    if (outcome === 'delivered') store.delivered(url, message.seq);
    else {
      store.setAside(url, message, outcome);
      log.error(
        { seq: message.seq, webhookId: message.id, ...aboutFailure(outcome) },
        'a callback could not be forwarded and is kept as a dead letter',
      );
    }
  }
}

/**
 * Sends the dead letters again that were marked with `callbacks resend`. Each call makes at most
 * one attempt for each and does not wait for the next, so that new records go on between the
 * attempts. The receiver still gets one request at a time.
 */
function resending(options: ForwardOptions): () => Promise<void> {
  const { url, store, clock, log } = options;
  /** The letter that was not taken yet; the ones after it wait for it. */
  let waiting: {
    readonly number: number;
    readonly delivery: Delivery;
    readonly againAtMs: number;
  } | null = null;
  return async () => {
    for (let letter = store.nextToResend(url); letter !== null; letter = store.nextToResend(url)) {
      if (waiting?.number !== letter.number)
        waiting = { number: letter.number, delivery: new Delivery(letter, options), againAtMs: 0 };
      const { number, delivery, againAtMs }: NonNullable<typeof waiting> = waiting;
      if (clock.monotonicMs() < againAtMs) return;
      const outcome = await delivery.attempt();
      if (outcome === 'stopped') return;
      if (typeof outcome === 'number') {
        waiting = { number, delivery, againAtMs: clock.monotonicMs() + outcome };
        return;
      }
      waiting = null;
      const about = { deadLetter: number, seq: letter.seq, webhookId: letter.id };
      if (outcome === 'delivered') {
        store.resent(number);
        log.info(about, 'a dead letter was delivered');
      } else {
        store.notResent(number, outcome);
        log.error(
          { ...about, ...aboutFailure(outcome) },
          'a dead letter could not be delivered and is kept',
        );
      }
    }
  };
}

const aboutFailure = ({ reason, attempts }: Failure) => ({ reason, attempts });

async function deliver(message: Message, options: ForwardOptions): Promise<Outcome> {
  const { clock, signal } = options;
  const delivery = new Delivery(message, options);
  for (;;) {
    const outcome = await delivery.attempt();
    if (typeof outcome !== 'number') return outcome;
    await sleep(clock, outcome, signal).catch(() => {});
  }
}

const idCharacters = 32;

/**
 * The id is derived from the stored record. It is the same after a restart, after a restored backup
 * and in a later version, and records of two files never have the same.
 */
export function forwardedMessage(stored: StoredRecord): Message {
  const { seq, receivedAtMs, record } = stored;
  const fingerprint = hash(
    'sha256',
    JSON.stringify([seq, receivedAtMs, record.kind, record.subjectId, record.raw]),
    'hex',
  );
  return {
    seq,
    id: `callback_${seq}_${fingerprint.slice(0, idCharacters)}`,
    body: jsonLine(recordForPrograms(stored)),
  };
}

/** The attempts for one message. */
class Delivery {
  readonly #message: Message;
  readonly #options: ForwardOptions;
  #attempts = 0;
  #refusals = 0;

  constructor(message: Message, options: ForwardOptions) {
    this.#message = message;
    this.#options = options;
  }

  /**
   * @returns a number: the pause in milliseconds before the next attempt @throws TargetGoneError
   */
  async attempt(): Promise<Outcome | number> {
    const { clock, log, signal } = this.#options;
    if (signal.aborted) return 'stopped';
    const attempt = await attemptOnce(this.#message, this.#options);
    if (attempt === 'delivered') return 'delivered';
    if (signal.aborted) return 'stopped';
    const { reason, status, retryAfterMs } = attempt;
    if (status === gone)
      throw new TargetGoneError('the receiver answers 410: it takes nothing more at this address');
    this.#attempts += 1;
    if (status !== null && aboutTheRecord.has(status)) this.#refusals += 1;
    const attempts = this.#attempts;
    if (attempts >= maxAttempts || this.#refusals >= maxRefusals)
      return { reason, attempts, setAsideAtMs: clock.wallMs() };
    const delayMs = Math.max(backoffMs(attempts - 1, delays), retryAfterMs);
    const { seq, id } = this.#message;
    log.warn(
      { seq, webhookId: id, attempt: attempts, reason, againInMs: delayMs },
      'a callback was not taken and is sent again',
    );
    return delayMs;
  }
}

interface FailedAttempt {
  readonly reason: string;
  /** null when there was no answer. */
  readonly status: number | null;
  readonly retryAfterMs: number;
}

async function attemptOnce(
  { id, body }: Message,
  { url, keys, clock, signal, post = postJson }: ForwardOptions,
): Promise<'delivered' | FailedAttempt> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const cancel = clock.after(timeoutMs, () =>
    abort.abort(new Error(`no answer within ${timeoutMs} ms`)),
  );
  try {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...signatureHeaders({ id, atMs: clock.wallMs(), body }, keys),
    };
    const { status, retryAfter } = await post({ url, headers, body }, abort.signal);
    if (status >= 200 && status < 300) return 'delivered';
    return {
      reason: `status ${status}`,
      status,
      retryAfterMs: retryAfterMsOf(retryAfter, clock.wallMs()),
    };
  } catch (error) {
    return { reason: failureOf(error), status: null, retryAfterMs: 0 };
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The header Retry-After, in seconds or as a date (RFC 9110, section 10.2.3). @returns
 * milliseconds; 0 without a valid header
 */
export function retryAfterMsOf(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const requestedDelayMs = /^\d+$/.test(header)
    ? Number(header) * 1_000
    : Date.parse(header) - nowMs;
  return Number.isNaN(requestedDelayMs)
    ? 0
    : Math.min(Math.max(0, requestedDelayMs), maxRetryAfterMs);
}

/** Does not read the answer's body, which nothing needs. */
const postJson: Post = async ({ url, headers, body }, signal) => {
  const response = await httpClient(url, { method: 'POST', headers, body, signal });
  await response.body?.cancel();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
};
