/**
 * `/follow`: a counter asks for scans of its stickers, and is answered as soon as there is one. The
 * way from here to a counter is the counter's own call.
 */
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { bearerOf, digestOf, placeAmong } from './credentials.ts';
import { type CallbackAnswer, comeAgain } from './intake.ts';
import { scanIn, type ScanRecords, type ScansAnswer } from './scans.ts';
import type { CallbackSettings } from './callback-settings.ts';

type Follower = NonNullable<CallbackSettings['followers']>[number];

export interface FollowOptions {
  readonly followers: readonly Follower[];
  readonly records: ScanRecords;
  readonly clock: Clock;
}

export interface Follow {
  /** The number of the follower; null when the settings name nobody with this token. */
  follower(authorization: string | undefined): number | null;
  /** @param asked `since`, and `wait=0` to be answered at once */
  scans(follower: number, asked: URLSearchParams, gone: AbortSignal): Promise<CallbackAnswer>;
  /** Answers all who wait. */
  close(): void;
}

/** A customer waits in the app. */
const lookEveryMs = 250;
/** Below what proxies let a request wait. */
const answerAfterMs = 20_000;
const maxAtOnce = 500;
/**
 * Connections of one token: a daemon's, that of its predecessor which is not closed yet, and a
 * forgotten one.
 */
const maxWaiting = 4;

export function openFollow({ followers, records, clock }: FollowOptions): Follow {
  const tokens = followers.map(({ token }) => digestOf(token));
  const stickers = followers.map((one) => new Set(one.stickers));
  const waiting = new Map<number, number>();
  const closing = new AbortController();

  async function wait(
    own: ReadonlySet<string>,
    since: number | null,
    signal: AbortSignal,
  ): Promise<ScansAnswer> {
    const untilMs = clock.monotonicMs() + answerAfterMs;
    const end = records.lastSeq();
    // What came before the first question is nobody's any more; a number from another file says
    // nothing.
    if (since === null || since > end) return { last: end, scans: [] };
    for (let last = since; ; ) {
      const batch = records.since(last, maxAtOnce);
      last = batch.at(-1)?.seq ?? last;
      const nowMs = clock.wallMs();
      const scans = batch
        .map((record) => scanIn(record, nowMs))
        .filter((scan) => scan !== null)
        .filter(({ merchantQrId }) => own.has(merchantQrId));
      if (scans.length > 0 || signal.aborted || clock.monotonicMs() >= untilMs)
        return { last, scans };
      if (batch.length < maxAtOnce) await sleep(clock, lookEveryMs, signal).catch(() => {});
    }
  }

  return {
    follower(authorization) {
      const place = placeAmong(bearerOf(authorization ?? '') ?? '', tokens);
      return place === -1 ? null : place;
    },
    async scans(follower, asked, gone) {
      const since = asked.get('since');
      if (since !== null && !/^\d{1,15}$/.test(since))
        return { status: 400, body: { reason: 'since must be the last number that was told' } };
      const before = waiting.get(follower) ?? 0;
      if (before >= maxWaiting) return comeAgain;
      waiting.set(follower, before + 1);
      try {
        const signal = AbortSignal.any([
          gone,
          closing.signal,
          ...(asked.get('wait') === '0' ? [AbortSignal.abort()] : []),
        ]);
        const answer = await wait(
          stickers[follower] ?? new Set(),
          since === null ? null : Number(since),
          signal,
        );
        return { status: 200, body: answer, headers: { 'cache-control': 'no-store' } };
      } finally {
        waiting.set(follower, (waiting.get(follower) ?? 1) - 1);
      }
    },
    close: () => closing.abort(),
  };
}
