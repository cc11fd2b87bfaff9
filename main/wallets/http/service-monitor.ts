import { backoffMs } from '../../core/domain/backoff.ts';
import { CappedMap } from '../../core/domain/capped-map.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { isClockToTell, secondsAhead } from '../../core/domain/clock-off.ts';
import { currentCorrelation } from '../../core/domain/correlation.ts';
import type { Log } from '../../core/domain/log.ts';
import { failureOf, type HttpSend, NoAnswerInTimeError } from './http.ts';

/** When the service counts as away, and how often it is asked only to find out. */
export const monitorLimits = {
  /**
   * Nothing was asked for this long: the monitor asks once. A payment asks as much in a second, so
   * this is seldom, also where a service limits reads (the strictest document: 120 a minute), and
   * "Ready" is true of the last minute.
   */
  quietMs: 60_000,
  /**
   * How long the monitor waits after an unanswered request before it sends a probe. Usually the
   * payment's next request comes first.
   */
  probeAfterMs: 1_000,
  /**
   * Away: so many requests without an answer, over so long, with nothing answered in between, one
   * of them the monitor's own. One slow call, one operation that always fails or a router that
   * restarts its connection does not close a lane.
   */
  awayAfterRequests: 3,
  awayAfterMs: 5_000,
  /**
   * While the service is away, the pause between reads doubles up to this. Somebody at a counter
   * waits for this and a read's time-out at most.
   */
  maxPauseMs: 4_000,
  /**
   * From when on a payment's request counts as unanswered on the screens. Most answers take less
   * than one second.
   */
  unansweredMs: 3_000,
} as const;

/** The newest are last; for the diagnostics. */
const maxOutages = 20;
/** Limit of sales that wait for an answer; even a busy chain's server has fewer. */
const maxSilences = 200;

/** The wallet service as its answers show it. Times by the wall clock, for people. */
export interface ServiceSeen {
  /** silent: the latest request was not answered, which alone does not mean that it is away. */
  readonly state: 'answers' | 'silent' | 'away';
  /** When the current state began. */
  readonly sinceMs: number;
  readonly lastAnswerMs: number | null;
  /** The system's error of the last request without an answer. */
  readonly detail: string | null;
  /** Whether the service accepted our credentials at the last answer that shows it. */
  readonly credentials: 'accepted' | 'refused' | 'notTried';
}

export interface Outage {
  readonly fromMs: number;
  /** null while it lasts. */
  readonly untilMs: number | null;
  readonly detail: string;
}

/** Since when there has been no answer. */
interface Silence {
  readonly sinceMs: number;
  readonly wallMs: number;
  readonly requests: number;
  readonly detail: string;
}

/** The requests of one sale since the last answer. */
interface SaleSilence {
  readonly sinceMs: number;
  readonly cancel: Cancel;
  underWay: number;
  hasFailed: boolean;
}

interface ServiceMonitorOptions {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Takes the date of each answer, and returns how far this computer's clock is ahead, in seconds.
   */
  readonly compareClock?: (dateMs: number) => number;
}

/**
 * Whether the wallet service answers: one for all lanes of a daemon. It is fed by every request
 * that is made anyway, and asks for itself only in doubt, while the service is away, and when
 * nothing was asked for long. A 5xx counts as silence, like a failed network. Any other status
 * counts as an answer.
 */
export class ServiceMonitor {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #compareClock: (dateMs: number) => number;
  readonly #listeners = new Set<() => void>();
  readonly #bySale = new CappedMap<string, SaleSilence>(maxSilences, ({ cancel }) => cancel());
  #read: ((signal: AbortSignal) => Promise<unknown>) | null = null;
  #stop = new AbortController();
  #reading: Promise<void> | null = null;
  #cancelNext: Cancel = () => {};
  /** Reads while the service was away. */
  #readsAway = 0;
  /** No request before this time, which the service asked for; by the monotonic clock. */
  #notBeforeMs = 0;
  #answeredAt: { readonly monotonicMs: number; readonly wallMs: number } | null = null;
  #answersSinceMs = 0;
  #silence: Silence | null = null;
  #credentials: ServiceSeen['credentials'] = 'notTried';
  #outages: Outage[] = [];
  #clockOffSeconds: number | null = null;

  constructor({ clock, log, compareClock }: ServiceMonitorOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#compareClock = compareClock ?? ((dateMs) => secondsAhead(clock.wallMs(), dateMs));
  }

  /** null before the first answer or failure. */
  get seen(): ServiceSeen | null {
    const credentials = this.#credentials;
    const lastAnswerMs = this.#answeredAt?.wallMs ?? null;
    if (this.#silence !== null) {
      const { wallMs: sinceMs, detail } = this.#silence;
      return {
        state: this.awaySinceMs === null ? 'silent' : 'away',
        sinceMs,
        lastAnswerMs,
        detail,
        credentials,
      };
    }
    return lastAnswerMs === null
      ? null
      : {
          state: 'answers',
          sinceMs: this.#answersSinceMs,
          lastAnswerMs,
          detail: null,
          credentials,
        };
  }

  /** See `ServiceContact`. */
  get awaySinceMs(): number | null {
    const last = this.#outages.at(-1);
    return last?.untilMs === null ? last.fromMs : null;
  }

  get outages(): readonly Outage[] {
    return this.#outages;
  }

  /**
   * How far this computer's clock was ahead at the last answer that had a date; null when none had.
   */
  get clockOffSeconds(): number | null {
    return this.#clockOffSeconds;
  }

  unansweredMs(saleId: string): number | null {
    const silence = this.#bySale.get(saleId);
    const forMs =
      silence === undefined ? 0 : Math.round(this.#clock.monotonicMs() - silence.sinceMs);
    return forMs >= monitorLimits.unansweredMs ? forMs : null;
  }

  /** Is called when something that lanes show may be different. @returns stops that */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Begins anew, with the service of these settings.
   * @param read the cheapest read, sent once through {@link watching}
   * @returns stops asking
   */
  begin(read: (signal: AbortSignal) => Promise<unknown>): () => void {
    this.#end();
    const stop = new AbortController();
    this.#stop = stop;
    this.#read = read;
    this.#answeredAt = null;
    this.#silence = null;
    this.#credentials = 'notTried';
    this.#clockOffSeconds = null;
    this.#schedule(monitorLimits.quietMs);
    return () => {
      if (this.#stop === stop) this.#end();
    };
  }

  /** Asks at once. Resolves when there is an answer, or none came in time. */
  async ask(): Promise<void> {
    await (this.#reading ?? this.#ask());
  }

  /** Wraps the network so that every request is seen. */
  watching(send: HttpSend): HttpSend {
    return async (request, signal) => {
      const saleId = currentCorrelation();
      const sent = { monotonicMs: this.#clock.monotonicMs(), wallMs: this.#clock.wallMs() };
      const proof = request.headers['authorization'] ?? '';
      // The token endpoint is another service: nothing works without it, but its answers do not
      // mean that this service is there.
      const isToken = proof.startsWith('Basic ');
      this.#sent(saleId);
      try {
        const answer = await send(request, signal);
        const { status, retryAfterMs, dateMs } = answer;
        this.#compareClocks(dateMs);
        if (retryAfterMs !== null && (status === 429 || status >= 500))
          this.#notBeforeMs = this.#clock.monotonicMs() + retryAfterMs;
        if (status >= 500) this.#failed(sent, `status ${status}`, saleId);
        else this.#answered(status, { isToken, isProved: proof !== '' }, saleId);
        return answer;
      } catch (error) {
        // A request that its caller gave up says nothing about the service.
        if (signal.aborted && !(signal.reason instanceof NoAnswerInTimeError))
          this.#givenUp(saleId);
        else this.#failed(sent, failureOf(error), saleId);
        throw error;
      }
    };
  }

  #compareClocks(dateMs: number | undefined): void {
    if (dateMs === undefined) return;
    const seconds = this.#compareClock(dateMs);
    const wasClockWrong = isClockToTell(this.#clockOffSeconds);
    this.#clockOffSeconds = seconds;
    if (isClockToTell(seconds) === wasClockWrong) return;
    if (!wasClockWrong)
      this.#log.warn(
        { secondsAhead: seconds },
        "this computer's clock is not the wallet service's: set date and time",
      );
    this.#tell();
  }

  #answered(
    status: number,
    { isToken, isProved }: { readonly isToken: boolean; readonly isProved: boolean },
    saleId: string | undefined,
  ): void {
    // The token endpoint also answers 400 (interface document 2, "Authentication"). A 429 says
    // nothing about the credentials.
    const isRefusal = status === 401 || (isToken && status >= 400 && status !== 429);
    if (isRefusal) this.#credentials = 'refused';
    else if (status < 300 && isProved) this.#credentials = 'accepted';
    if (isToken) return this.#givenUp(saleId);
    const wallMs = this.#clock.wallMs();
    if (this.#answeredAt === null || this.#silence !== null) this.#answersSinceMs = wallMs;
    this.#answeredAt = { monotonicMs: this.#clock.monotonicMs(), wallMs };
    const wasAway = this.awaySinceMs !== null;
    const wasSilent = this.#silence !== null;
    this.#silence = null;
    this.#readsAway = 0;
    if (wasAway) this.#back(wallMs);
    if (wasSilent && this.#reading === null) this.#schedule(monitorLimits.quietMs);
    if (this.#endSilenceOf(saleId) || wasAway) this.#tell();
  }

  #failed(
    sent: { readonly monotonicMs: number; readonly wallMs: number },
    detail: string,
    saleId: string | undefined,
  ): void {
    const ofSale = saleId === undefined ? undefined : this.#bySale.get(saleId);
    if (ofSale !== undefined) {
      ofSale.underWay -= 1;
      ofSale.hasFailed = true;
    }
    // It was sent before the last answer came, which is newer.
    if (this.#answeredAt !== null && sent.monotonicMs < this.#answeredAt.monotonicMs) return;
    const first = this.#silence ?? { sinceMs: sent.monotonicMs, wallMs: sent.wallMs, requests: 0 };
    const isNew = this.#silence === null;
    this.#silence = {
      sinceMs: Math.min(first.sinceMs, sent.monotonicMs),
      wallMs: Math.min(first.wallMs, sent.wallMs),
      requests: first.requests + 1,
      detail,
    };
    if (isNew && this.#reading === null) this.#schedule(monitorLimits.probeAfterMs);
  }

  #back(wallMs: number): void {
    const fromMs = this.awaySinceMs ?? wallMs;
    this.#endOutage(wallMs);
    this.#log.info(
      { from: new Date(fromMs).toISOString(), seconds: Math.round((wallMs - fromMs) / 1000) },
      'the wallet service answers again',
    );
  }

  #endOutage(untilMs: number): void {
    this.#outages = this.#outages.map((one) => (one.untilMs === null ? { ...one, untilMs } : one));
  }

  #schedule(delayMs: number): void {
    this.#cancelNext();
    if (this.#read === null) return;
    const waitMs = Math.max(delayMs, this.#notBeforeMs - this.#clock.monotonicMs());
    this.#cancelNext = this.#clock.after(waitMs, () => {
      // Another request was answered meanwhile, so that none need be sent.
      const restMs =
        this.#silence === null && this.#answeredAt !== null
          ? this.#answeredAt.monotonicMs + monitorLimits.quietMs - this.#clock.monotonicMs()
          : 0;
      if (restMs > 0) this.#schedule(restMs);
      else void this.#ask();
    });
  }

  #ask(): Promise<void> {
    const read = this.#read;
    if (read === null) return Promise.resolve();
    const { signal } = this.#stop;
    this.#cancelNext();
    const reading = read(signal)
      .catch(() => {})
      .then(() => {
        if (this.#reading === reading) this.#reading = null;
        if (signal.aborted) return;
        if (this.#silence === null) return this.#schedule(monitorLimits.quietMs);
        this.#judge(this.#silence);
        this.#schedule(
          backoffMs(this.#readsAway, {
            firstMs: monitorLimits.probeAfterMs,
            maxMs: monitorLimits.maxPauseMs,
          }),
        );
        if (this.awaySinceMs !== null) this.#readsAway += 1;
      });
    this.#reading = reading;
    return reading;
  }

  /**
   * Judges only after a read of our own, which is the same for every lane: one operation that
   * always fails says little.
   */
  #judge({ sinceMs, wallMs: fromMs, requests, detail }: Silence): void {
    const { awayAfterRequests, awayAfterMs } = monitorLimits;
    if (
      this.awaySinceMs !== null ||
      requests < awayAfterRequests ||
      this.#clock.monotonicMs() - sinceMs < awayAfterMs
    )
      return;
    this.#outages = [...this.#outages, { fromMs, untilMs: null, detail }].slice(-maxOutages);
    this.#log.warn(
      { from: new Date(fromMs).toISOString(), requests, detail },
      'the wallet service does not answer: no payment is begun until it does',
    );
    this.#tell();
  }

  #sent(saleId: string | undefined): void {
    if (saleId === undefined) return;
    const known = this.#bySale.get(saleId);
    if (known !== undefined) {
      known.underWay += 1;
      return;
    }
    const cancel = this.#clock.after(monitorLimits.unansweredMs, () => this.#tell());
    this.#bySale.set(saleId, {
      sinceMs: this.#clock.monotonicMs(),
      cancel,
      underWay: 1,
      hasFailed: false,
    });
  }

  #givenUp(saleId: string | undefined): void {
    const silence = saleId === undefined ? undefined : this.#bySale.get(saleId);
    if (silence === undefined) return;
    silence.underWay -= 1;
    if (silence.underWay <= 0 && !silence.hasFailed && this.#endSilenceOf(saleId)) this.#tell();
  }

  /** @returns whether it was long enough to be shown */
  #endSilenceOf(saleId: string | undefined): boolean {
    if (saleId === undefined) return false;
    const wasShown = this.unansweredMs(saleId) !== null;
    this.#bySale.get(saleId)?.cancel();
    this.#bySale.delete(saleId);
    return wasShown;
  }

  #end(): void {
    this.#stop.abort(new Error('the service is not watched any more'));
    this.#cancelNext();
    this.#read = null;
    this.#reading = null;
    this.#readsAway = 0;
    this.#notBeforeMs = 0;
    for (const saleId of this.#bySale.keys()) this.#endSilenceOf(saleId);
    // With other settings nothing is known yet.
    this.#endOutage(this.#clock.wallMs());
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
