import { Backoff } from '../domain/backoff.ts';
import { CappedMap } from '../domain/capped-map.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { PointOfSaleClient } from './wallet-port.ts';
import { displayCodeOf, type DisplayCode } from './sale-code.ts';

export interface StickerOptions {
  readonly wallet: Pick<PointOfSaleClient, 'sticker' | 'codePicture'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: () => void;
}

const retries = { firstMs: 1_000, maxMs: 60_000 };
const maxTokens = 1_000;

/**
 * The code that stands at a till for good, and its scans: a scan is heard once, and none that is
 * older than the last one. That the code cannot be had keeps nobody from paying: it may be printed
 * long since.
 */
export class Sticker {
  readonly #options: StickerOptions;
  readonly #closing = new AbortController();
  #shown: DisplayCode | null = null;
  readonly #tokens = new CappedMap<string, true>(maxTokens);
  #lastAtMs = 0;

  constructor(options: StickerOptions) {
    this.#options = options;
  }

  /** The code as screens show it; null while it is not known. */
  get shown(): DisplayCode | null {
    return this.#shown;
  }

  /** Creates it at the service, and tries again until that succeeds. */
  begin(): void {
    void this.#make();
  }

  close(): void {
    this.#closing.abort(new Error('the lane is closing'));
  }

  /** Why a scan does not count; null when it is a new one. */
  problemOf(token: string, atMs: number): 'heardBefore' | 'olderThanLast' | null {
    if (this.#tokens.has(token)) return 'heardBefore';
    this.#tokens.set(token, true);
    if (atMs < this.#lastAtMs) return 'olderThanLast';
    this.#lastAtMs = atMs;
    return null;
  }

  async #make(): Promise<void> {
    const { signal } = this.#closing;
    let lastError = '';
    const pauses = new Backoff(this.#options.clock, retries);
    while (!signal.aborted) {
      const detail = await this.#attempt();
      if (detail === null || signal.aborted) return;
      if (detail !== lastError)
        this.#options.log.error(
          { detail },
          'the code of the sticker cannot be had from the service',
        );
      lastError = detail;
      await pauses.wait(signal);
    }
  }

  /** @returns why the code cannot be shown; null when it can */
  async #attempt(): Promise<string | null> {
    const { wallet, changed } = this.#options;
    const answer =
      (await wallet.sticker?.()) ?? ({ kind: 'refused', detail: 'this service has none' } as const);
    if (answer.kind !== 'there') return answer.detail;
    const shown = await displayCodeOf(answer.code, wallet);
    if (typeof shown === 'string') return shown;
    this.#shown = shown;
    changed();
    return null;
  }
}
