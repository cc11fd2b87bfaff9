/** Callbacks to merchants: sent over real HTTP, repeated by the world's clock, given up after the documented retries. */
import { isAtCallbackPort } from '../../wallet/http/addresses.ts';
import type { WorldClock } from './world-clock.ts';
import type { WorldEventLog } from './world-event.ts';
import { httpClient } from '../../wallet/http/client.ts';

export interface Callback {
  /** Shown on the simulator's page. */
  readonly kind: string;
  readonly url: string;
  /** Called before each attempt, because a token may have to be fetched. A rejection counts as a failed attempt. */
  readonly headers: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  readonly body: string;
  /** The delay before each repetition, from the attempt before it. */
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
  /** The rule of the ports is one of subscriptions and invoices. */
  readonly anyPort?: boolean;
  /** Told the status of each attempt as it is answered; null: no answer. Not during a replay. */
  readonly onAnswer?: (status: number | null) => void;
}

export interface Delivery {
  /** From 0 on, in the order of sending. */
  readonly number: number;
  readonly callback: Callback;
  /** Status of each attempt; null: no answer. */
  readonly attempts: { readonly atMs: number; readonly status: number | null }[];
  state: 'waiting' | 'sending' | 'delivered' | 'givenUp';
}

const mostRemembered = 10_000;

export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

export class Outbox {
  readonly #clock: WorldClock;
  readonly #eventLog: WorldEventLog;
  readonly deliveries: Delivery[] = [];
  readonly #sending = new Set<Promise<void>>();
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
    if (this.deliveries.length > mostRemembered) this.deliveries.shift();
    this.#attempt(delivery);
    return delivery;
  }

  /** Resolves when every attempt in progress has been answered. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** @param status null: there was no answer */
  answered(number: number, status: number | null): void {
    this.#eventLog.record(
      () => ({ kind: 'calledBack', number, status }),
      () => this.#noteAnswer(number, status),
    );
  }

  /** After a replay: an attempt that was in progress when the process ended counts as unanswered, and is repeated. */
  resume(): void {
    for (const number of this.#unanswered.keys()) this.answered(number, null);
  }

  #attempt(delivery: Delivery): void {
    if (this.#stopped) return;
    delivery.state = 'sending';
    this.#unanswered.set(delivery.number, delivery);
    if (this.#eventLog.isReplaying) return;
    const sending = this.#post(delivery.callback)
      .catch(() => null)
      .then((status) => {
        this.#sending.delete(sending);
        delivery.callback.onAnswer?.(status);
        if (!this.#stopped) this.answered(delivery.number, status);
      });
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

  async #post({ url, headers, body, timeoutMs, anyPort = false }: Callback): Promise<number | null> {
    const to = new URL(url);
    if (!anyPort && !isAtCallbackPort(to)) return null;
    const response = await httpClient.post(url, {
      headers: { 'content-type': 'application/json; charset=utf-8', ...(await headers()) },
      body,
      timeout: timeoutMs,
    });
    await response.body?.cancel();
    return response.status;
  }
}
