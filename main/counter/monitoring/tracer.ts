import { randomBytes } from 'node:crypto';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { isPayment, type Settlement, nounOf } from '../../core/settlement/payment-or-refund.ts';
import { httpClient } from '../../support/http-client.ts';

/** The collector of traces, which takes OTLP over HTTP as JSON at /v1/traces below `endpoint`. */
export interface TracesTo {
  readonly endpoint: string;
  /** Sent as a bearer token. */
  readonly token?: string;
}

/** One payment or refund under way. */
export interface OpenTrace {
  /** To be called when a state has ended. @param name the state */
  phase(name: string): void;
  /** @param outcome as the metrics' label `outcome`; null while it is undecided */
  end(state: string, outcome: string | null): void;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failed: boolean;
}

interface TracerOptions {
  /** The collector in the settings; null when nothing is traced. */
  readonly to: () => TracesTo | null;
  readonly version: string;
  /** This computer's name. */
  readonly host: string;
  readonly dropped: (count: number) => void;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

const gatheredMs = 5_000;
/** The pause after a failure. */
const retryMs = 30_000;
const timeoutMs = 5_000;
/** Enough for some 150 payments. The oldest spans are dropped first. */
const maxSpans = 1_000;
const closesWithinMs = 500;

/**
 * Traces of payments and refunds: a span for each, and within it one for each state. The trace id
 * is the sale's id, which logs and journal have too. Spans are gathered and sent independently of
 * payments, so that a slow, absent or hostile collector only costs spans. The format is written
 * here without the SDK, which would take 79 kB and 23 MB of memory for six spans a payment.
 */
export class Tracer {
  readonly #options: TracerOptions;
  #spans: Span[] = [];
  #cancel: Cancel | null = null;
  #sending: Promise<void> | null = null;
  #abort: AbortController | null = null;
  #hasFailed = false;
  #closed = false;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /** @returns null when nothing is traced */
  begin(laneId: string, state: Settlement): OpenTrace | null {
    const { to, clock } = this.#options;
    if (to() === null || this.#closed) return null;
    const traceId = (isPayment(state) ? state.sale : state.request).saleId
      .replaceAll('-', '')
      .toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(traceId)) return null;
    const noun = nounOf(state);
    const root = spanId();
    const startMs = clock.monotonicMs();
    // All times of a trace follow the monotonic clock, so that a jump of the wall clock does not
    // distort it.
    const wallMs = clock.wallMs() - startMs;
    let phaseMs = startMs;
    const add = (
      span: Pick<Span, 'spanId' | 'parentSpanId' | 'name' | 'startMs' | 'attributes' | 'failed'>,
    ): void =>
      this.#add({
        ...span,
        traceId,
        startMs: wallMs + span.startMs,
        endMs: wallMs + clock.monotonicMs(),
      });
    return {
      phase: (name) => {
        add({
          spanId: spanId(),
          parentSpanId: root,
          name,
          startMs: phaseMs,
          attributes: {},
          failed: false,
        });
        phaseMs = clock.monotonicMs();
      },
      end: (state, outcome) => {
        const attributes = {
          'tillbeacon.lane': laneId,
          'tillbeacon.state': state,
          ...(outcome !== null && { 'tillbeacon.outcome': outcome }),
        };
        add({
          spanId: root,
          parentSpanId: null,
          name: noun,
          startMs,
          attributes,
          failed: state === 'needsPerson',
        });
      },
    };
  }

  /** Sends the remaining spans, for half a second at most. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#abort?.abort(new Error('the daemon is stopping'));
    await this.#sending;
    await this.#send(closesWithinMs);
  }

  #add(span: Span): void {
    this.#spans.push(span);
    if (this.#spans.length > maxSpans) {
      this.#spans.shift();
      this.#options.dropped(1);
    }
    if (!this.#closed) this.#cancel ??= this.#sendAfter(gatheredMs);
  }

  #sendAfter(ms: number): Cancel {
    return this.#options.clock.after(ms, () => {
      this.#sending = this.#send(timeoutMs).finally(() => {
        this.#sending = null;
        this.#cancel =
          this.#spans.length === 0 || this.#closed
            ? null
            : this.#sendAfter(this.#hasFailed ? retryMs : gatheredMs);
      });
    });
  }

  async #send(withinMs: number): Promise<void> {
    const { to: where, dropped, clock, log } = this.#options;
    const to = where();
    const spans = this.#spans;
    if (spans.length === 0) return;
    this.#spans = [];
    if (to === null) return;
    const abort = new AbortController();
    this.#abort = abort;
    const cancel = clock.after(withinMs, () =>
      abort.abort(new Error(`no answer within ${withinMs / 1000} s`)),
    );
    try {
      const response = await httpClient(`${to.endpoint.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(to.token !== undefined && { authorization: `Bearer ${to.token}` }),
        },
        body: JSON.stringify(this.#asOtlp(spans)),
        signal: abort.signal,
      });
      await response.body?.cancel();
      if (!response.ok) throw new Refused(response.status);
      if (this.#hasFailed) log.info({}, 'the collector of traces answers again');
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        log.warn(
          { detail: messageOf(error) },
          'the collector of traces does not accept spans: payments continue, and the newest spans are kept',
        );
      this.#hasFailed = true;
      // Spans that the collector refuses with a 4xx other than 429 would be refused again.
      const isRefused = error instanceof Refused && !error.mayBeRepeated;
      const all = spans.length + this.#spans.length;
      this.#spans = (isRefused ? this.#spans : [...spans, ...this.#spans]).slice(-maxSpans);
      if (all > this.#spans.length) dropped(all - this.#spans.length);
    } finally {
      cancel();
    }
  }

  #asOtlp(spans: readonly Span[]): object {
    const { version, host } = this.#options;
    const resource = {
      attributes: attributesOf({
        'service.name': 'tillbeacon',
        'service.version': version,
        'host.name': host,
      }),
    };
    return {
      resourceSpans: [
        {
          resource,
          scopeSpans: [{ scope: { name: 'tillbeacon', version }, spans: spans.map(spanAsOtlp) }],
        },
      ],
    };
  }
}

class Refused extends Error {
  readonly mayBeRepeated: boolean;

  constructor(status: number) {
    super(`status ${status}`);
    this.mayBeRepeated = status === 429 || status >= 500;
  }
}

const spanId = (): string => randomBytes(8).toString('hex');
const attributesOf = (named: Readonly<Record<string, string>>): object[] =>
  Object.entries(named).map(([key, stringValue]) => ({ key, value: { stringValue } }));
/** Rounded to microseconds. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

const internalSpan = 1;
const statusError = 2;

function spanAsOtlp({
  traceId,
  spanId: id,
  parentSpanId,
  name,
  startMs,
  endMs,
  attributes,
  failed,
}: Span): object {
  return {
    traceId,
    spanId: id,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: internalSpan,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(attributes),
    status: failed ? { code: statusError } : {},
  };
}
