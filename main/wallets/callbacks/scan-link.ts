/**
 * A counter's way to its receiver: it asks for scans of its stickers, for as long as it runs. It
 * begins with those that come from now on.
 */
import { Backoff } from '../../core/domain/backoff.ts';
import { type Cancel, type Clock, sleep } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { failureOf, type HttpSend, NoAnswerInTimeError } from '../http/http.ts';
import { parseJson } from '../http/json.ts';
import { type Scan, ScansAnswer } from './scans.ts';

interface Receiver {
  /** The receiver's address; `/follow` is below it. */
  readonly url: string;
  readonly token: string;
  readonly send: HttpSend;
  readonly clock: Clock;
}

export interface ScanLinkOptions extends Receiver {
  readonly log: Log;
  readonly scanned: (scan: Scan) => void;
  /** Called at each change; null when it answers. */
  readonly failed: (detail: string | null) => void;
}

/** The receiver answers within 20 seconds. */
const timeoutMs = 30_000;
/** Between two questions, also where somebody else's server answers at once. */
const minPauseMs = 100;
const retries = { firstMs: 500, maxMs: 15_000 };
const maxBytes = 1024 * 1024;

interface ScanQuery {
  /** The last one that is known. */
  readonly since: number | null;
  readonly mayWait: boolean;
}

/** It answered, and not as a receiver does to one whom it knows. */
export class ReceiverAnswerError extends Error {
  override readonly name = 'ReceiverAnswerError';
  readonly status: number;
  constructor(status: number) {
    super(
      status === 200
        ? 'what answers is no callback receiver'
        : status === 401
          ? 'it does not know the token (401)'
          : `it answers ${status}`,
    );
    this.status = status;
  }
}

/**
 * Asks once. It answers at once where `since` is null, for the first time, or where it may not
 * wait, to know whether it is there.
 * @throws ReceiverAnswerError, and as `send` does
 */
export async function askForScans(
  { url, token, send, clock }: Receiver,
  { since, mayWait }: ScanQuery,
  signal: AbortSignal,
): Promise<ScansAnswer> {
  const address = `${url.replace(/\/$/, '')}/follow`;
  const late = new AbortController();
  const cancel = clock.after(timeoutMs, () => late.abort(new NoAnswerInTimeError(timeoutMs)));
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const target =
      since === null ? address : `${address}?since=${since}${mayWait ? '' : '&wait=0'}`;
    const request = { method: 'GET', url: target, headers, body: null, maxBytes } as const;
    const { status, body } = await send(request, AbortSignal.any([signal, late.signal]));
    const answer = status === 200 ? ScansAnswer.safeParse(parseJson(body)) : null;
    if (answer?.success !== true) throw new ReceiverAnswerError(status);
    return answer.data;
  } finally {
    cancel();
  }
}

/** @returns ends it */
export function followScans({ scanned, failed, log, ...receiver }: ScanLinkOptions): Cancel {
  const { url, clock } = receiver;
  const closing = new AbortController();

  async function run(): Promise<void> {
    let since: number | null = null;
    const pauses = new Backoff(clock, retries);
    let reported: string | null | undefined;
    const report = (detail: string | null): void => {
      if (detail === reported) return;
      reported = detail;
      if (detail === null)
        log.info({ receiver: url }, 'scans of stickers come from the callback receiver');
      else
        log.warn(
          { receiver: url, detail },
          'the callback receiver does not answer: scans of stickers do not arrive',
        );
      failed(detail);
    };
    while (!closing.signal.aborted) {
      try {
        const answer = await askForScans(
          receiver,
          { since, mayWait: reported === null },
          closing.signal,
        );
        if (closing.signal.aborted) return;
        since = answer.last;
        pauses.reset();
        report(null);
        for (const scan of answer.scans) scanned(scan);
        await sleep(clock, minPauseMs, closing.signal).catch(() => {});
      } catch (error) {
        if (closing.signal.aborted) return;
        report(failureOf(error));
        await pauses.wait(closing.signal);
      }
    }
  }

  void run();
  return () => closing.abort(new Error('the counter is closing'));
}
