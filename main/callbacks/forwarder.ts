/** Sends every record to an address, in order and at least once. */
import { type Clock, sleep } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { httpClient } from '../support/http-client.ts';
import { failureOf } from '../wallet/http/http.ts';
import type { CallbackReader } from '../wallet/callbacks/sqlite-reader.ts';
import { follow } from './follow.ts';
import type { Failure, ForwardStore, Message } from './forward-store.ts';
import { forwardedMessage } from './message.ts';
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

/** One attempt. @throws when there is no answer */
export type Post = (
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<ForwardAnswer>;
export interface ForwardAnswer {
  readonly status: number;
  /** `Retry-After`; null when it is absent. */
  readonly retryAfter: string | null;
}

const timeoutMs = 15_000;
const firstDelayMs = 1_000;
const longestDelayMs = 10 * 60_000;
/** With the delays between them, an hour and three quarters: enough for a receiver that is being repaired. */
const mostAttempts = 20;
/** Attempts for a record that the receiver does not take: it will not take it later either, and the others wait behind it. */
const mostRefusals = 5;
/** The longest pause that a receiver may ask for. */
const longestRetryAfterMs = 60 * 60_000;

/** Answers about the record; all others are about the receiver. */
const aboutTheRecord: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);
const gone = 410;

/** The receiver answered that nothing is to be sent to this address any more. */
class TargetGoneError extends Error {
  override readonly name = 'TargetGoneError';
}

type Outcome = 'delivered' | 'stopped' | Failure;

/**
 * Forwards what comes after the stored position until `signal` is aborted. The position moves when a record was taken, or is kept as a dead
 * letter: whatever ends the process, nothing is left out, and what was under way is sent again with the same id.
 * @throws TargetGoneError, FollowError; the disk's errors
 */
export async function forward(options: ForwardOptions): Promise<void> {
  const { url, reader, store, clock, log, signal } = options;
  const looked = () => resend(options);
  for await (const record of follow({ reader, since: store.position(url) ?? 0, clock, looked, signal })) {
    const message = forwardedMessage(record);
    const outcome = await deliver(message, options);
    if (outcome === 'stopped') return;
    if (outcome === 'delivered') store.delivered(url, message.seq);
    else {
      store.setAside(url, message, outcome);
      log.error({ seq: message.seq, webhookId: message.id, ...aboutFailure(outcome) }, 'a callback could not be forwarded and is kept as a dead letter');
    }
  }
}

/** Sends again what somebody has asked for (`callbacks resend`). */
async function resend(options: ForwardOptions): Promise<void> {
  const { url, store, log, signal } = options;
  for (let letter = store.nextToResend(url); letter !== null && !signal.aborted; letter = store.nextToResend(url)) {
    const outcome = await deliver(letter, options);
    if (outcome === 'stopped') return;
    const about = { deadLetter: letter.number, seq: letter.seq, webhookId: letter.id };
    if (outcome === 'delivered') {
      store.resent(letter.number);
      log.info(about, 'a dead letter was delivered');
    } else {
      store.notResent(letter.number, outcome);
      log.error({ ...about, ...aboutFailure(outcome) }, 'a dead letter could not be delivered and is kept');
    }
  }
}

const aboutFailure = ({ reason, attempts }: Failure) => ({ reason, attempts });

async function deliver(message: Message, options: ForwardOptions): Promise<Outcome> {
  const { clock, log, signal } = options;
  let refusals = 0;
  for (let attempts = 1; ; attempts += 1) {
    if (signal.aborted) return 'stopped';
    const attempt = await attemptOnce(message, options);
    if (attempt === 'delivered') return 'delivered';
    if (signal.aborted) return 'stopped';
    const { reason, status, retryAfterMs } = attempt;
    if (status === gone) throw new TargetGoneError('the receiver answers 410: it wants nothing at this address any more');
    if (status !== null && aboutTheRecord.has(status)) refusals += 1;
    if (attempts >= mostAttempts || refusals >= mostRefusals) return { reason, attempts, setAsideAtMs: clock.wallMs() };
    const delayMs = Math.max(Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1)), retryAfterMs);
    log.warn({ seq: message.seq, webhookId: message.id, attempt: attempts, reason, againInMs: delayMs }, 'a callback was not taken and is sent again');
    await sleep(clock, delayMs, signal).catch(() => {});
  }
}

interface FailedAttempt {
  readonly reason: string;
  /** null when there was no answer. */
  readonly status: number | null;
  readonly retryAfterMs: number;
}

async function attemptOnce({ id, body }: Message, { url, keys, clock, signal, post = postJson }: ForwardOptions): Promise<'delivered' | FailedAttempt> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const cancel = clock.after(timeoutMs, () => abort.abort(new Error(`no answer within ${timeoutMs} ms`)));
  try {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...signatureHeaders({ id, atMs: clock.wallMs(), body }, keys) };
    const { status, retryAfter } = await post({ url, headers, body }, abort.signal);
    if (status >= 200 && status < 300) return 'delivered';
    return { reason: `status ${status}`, status, retryAfterMs: retryAfterMsOf(retryAfter, clock.wallMs()) };
  } catch (error) {
    return { reason: failureOf(error), status: null, retryAfterMs: 0 };
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMsOf(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const askedMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(0, askedMs), longestRetryAfterMs);
}

/** The answer's body is nobody's business: it is not read. */
const postJson: Post = async ({ url, headers, body }, signal) => {
  const response = await httpClient(url, { method: 'POST', headers, body, signal });
  await response.body?.cancel();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
};
