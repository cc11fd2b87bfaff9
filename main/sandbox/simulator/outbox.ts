/**
 * Callbacks to merchants: sent over real HTTP, repeated by the world's clock, given up after the
 * documented retries.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAtCallbackPort } from '../../wallets/http/addresses.ts';
import type { WorldClock } from './world-clock.ts';
import { record, type WorldEventLog } from './world-event.ts';
import { httpClient } from '../../support/http-client.ts';

export interface Callback {
  /** Shown on the simulator's page. */
  readonly kind: string;
  readonly url: string;
  /**
   * Called before each attempt, because a token may have to be fetched. A rejection counts as a
   * failed attempt.
   */
  readonly headers: (
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  readonly body: string;
  /** The delay before each repetition, from the attempt before it. */
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
  /**
   * Set where callbacks may go to any port. The rule about ports is one of subscriptions and
   * invoices.
   */
  readonly anyPort?: boolean;
  /**
   * Called with the status of each attempt, or null when there was no answer. Not called during a
   * replay.
   */
  readonly onAnswer?: (status: number | null) => void;
}

export interface Delivery {
  /** Numbers begin at 0, in the order of sending. */
  readonly number: number;
  readonly callback: Callback;
  /** Status of each attempt; null when there was no answer. */
  readonly attempts: { readonly atMs: number; readonly status: number | null }[];
  state: 'waiting' | 'sending' | 'delivered' | 'givenUp';
}

const maxRemembered = 10_000;

export const isDelivered = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** An attempt that has not been answered yet. */
interface Sending {
  /** Origin of the address. */
  readonly origin: string;
  readonly answered: Promise<void>;
  /** Aborts the attempt. */
  readonly giveUp: () => void;
}

/**
 * The real time that a callback's address has to answer while the clock is moved ahead. The
 * callback's own time-out would delay the move for too long.
 */
const patience = { steps: 20, stepMs: 100 } as const;

export class Outbox {
  readonly #clock: WorldClock;
  readonly #eventLog: WorldEventLog;
  readonly deliveries: Delivery[] = [];
  readonly #sending = new Set<Sending>();
  /** Sent and not answered yet, by number. */
  readonly #unanswered = new Map<number, Delivery>();
  #sent = 0;
  #stopped = false;

  constructor(clock: WorldClock, eventLog: WorldEventLog) {
    this.#clock = clock;
    this.#eventLog = eventLog;
  }

  send(callback: Callback): Delivery {
    const delivery: Delivery = { number: this.#sent++, callback, attempts: [], state: 'waiting' };
    this.deliveries.push(delivery);
    if (this.deliveries.length > maxRemembered) this.deliveries.shift();
    this.#attempt(delivery);
    return delivery;
  }

  /** Resolves when every attempt in progress has been answered. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0)
      await Promise.all(Array.from(this.#sending, ({ answered }) => answered));
  }

  /**
   * For one move of the clock. Resolves when every attempt in progress has been answered or given
   * up. A move by days makes hundreds of attempts, so an address that has not answered in time is
   * not waited for again in this move.
   */
  settledInMove(): () => Promise<void> {
    const silent = new Set<string>();
    return async () => {
      while (this.#sending.size > 0)
        await Promise.all(
          Array.from(this.#sending, (sending) => answeredOrGivenUp(sending, silent)),
        );
    };
  }

  /** Ends the attempts in progress without recording an answer. */
  stop(): void {
    this.#stopped = true;
    for (const { giveUp } of this.#sending) giveUp();
  }

  /** @param status null when there was no answer */
  answered(number: number, status: number | null): void {
    record(
      this.#eventLog,
      () => ({ kind: 'calledBack', number, status }),
      () => this.#noteAnswer(number, status),
    );
  }

  /**
   * After a replay: an attempt that was in progress when the process ended counts as unanswered,
   * and is repeated.
   */
  resume(): void {
    for (const number of this.#unanswered.keys()) this.answered(number, null);
  }

  #attempt(delivery: Delivery): void {
    if (this.#stopped) return;
    delivery.state = 'sending';
    this.#unanswered.set(delivery.number, delivery);
    if (this.#eventLog.isReplaying) return;
    const { callback } = delivery;
    const controller = new AbortController();
    const { signal } = controller;
    const answered = Promise.race([this.#post(callback, signal), aborted(signal)])
      .catch(() => null)
      .then((status) => {
        this.#sending.delete(sending);
        delivery.callback.onAnswer?.(status);
        if (!this.#stopped) this.answered(delivery.number, status);
      });
    const sending = {
      origin: URL.parse(callback.url)?.origin ?? '',
      answered,
      giveUp: () => controller.abort(),
    };
    this.#sending.add(sending);
  }

  #noteAnswer(number: number, status: number | null): void {
    const delivery = this.#unanswered.get(number);
    if (delivery === undefined) return;
    this.#unanswered.delete(number);
    delivery.attempts.push({ atMs: this.#clock.wallMs(), status });
    if (isDelivered(status)) {
      delivery.state = 'delivered';
      return;
    }
    const delayMs = delivery.callback.retryDelaysMs[delivery.attempts.length - 1];
    delivery.state = delayMs === undefined ? 'givenUp' : 'waiting';
    if (delayMs !== undefined) this.#clock.after(delayMs, () => this.#attempt(delivery));
  }

  async #post(
    { url, headers, body, timeoutMs, anyPort = false }: Callback,
    signal: AbortSignal,
  ): Promise<number | null> {
    const to = new URL(url);
    if (!anyPort && !isAtCallbackPort(to)) return null;
    const response = await httpClient(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...(await headers(signal)) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return response.status;
  }
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));

/** Waits in steps, so that a delay of this process does not count as the other side's silence. */
async function answeredOrGivenUp(
  { origin, answered, giveUp }: Sending,
  silent: Set<string>,
): Promise<void> {
  let isAnswered = false;
  const waiting = new AbortController();
  void answered.then(() => {
    isAnswered = true;
    waiting.abort();
  });
  const { signal } = waiting;
  for (let step = 0; !isAnswered && !silent.has(origin) && step < patience.steps; step += 1)
    await sleep(patience.stepMs, undefined, { signal }).catch(() => {});
  if (!isAnswered) {
    silent.add(origin);
    giveUp();
  }
  await answered;
}
