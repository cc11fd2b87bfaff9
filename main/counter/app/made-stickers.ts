import { z } from 'zod';
import { Backoff } from '../../core/domain/backoff.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import { type KeptList, keptList } from '../../support/kept-list.ts';
import type { SalesUnitStickers } from '../../wallets/wallet-provider.ts';

const MadeSticker = z.object({
  /** The sales unit and its address: only its keys can end the code. */
  msn: z.string(),
  baseUrl: z.string(),
  merchantQrId: z.string(),
});
type MadeSticker = z.infer<typeof MadeSticker>;

interface Ending {
  /** The stickers of the lanes, which are kept. */
  readonly inUse: readonly string[];
  /** The sales units of the service in use and of the former one. */
  readonly units: readonly SalesUnitStickers[];
  readonly notices: Notices;
  readonly clock: Clock;
}

const retries = { firstMs: 60_000, maxMs: 60 * 60_000 };

/**
 * The codes of stickers that this counter makes at the service, on disk before they are made, so
 * that what no lane has any more is ended there: whoever scans it would wait for a till that is
 * gone. A lane is removed only once it has nothing to settle.
 */
export class MadeStickers {
  readonly #path: string;
  readonly #kept: KeptList<MadeSticker>;
  readonly #log: Log;
  #stickers: readonly MadeSticker[];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#kept = keptList({
      path,
      name: 'stickers',
      item: MadeSticker,
      what: 'stickers at the service',
      log,
    });
    this.#stickers = this.#kept.read();
  }

  /**
   * Called before the lanes make theirs. Nothing waits for what is ended, and lanes open whatever
   * comes of it. @returns stops trying
   */
  take({ inUse, units, notices, clock }: Ending): Cancel {
    const [unit] = units;
    const own =
      unit === undefined
        ? []
        : inUse.map((merchantQrId) => ({ msn: unit.msn, baseUrl: unit.baseUrl, merchantQrId }));
    const left = this.#stickers.filter((one) => !own.some((other) => isSame(one, other)));
    this.#write([...left, ...own]);
    const closing = new AbortController();
    for (const sticker of left) {
      const at = units.find(
        ({ msn, baseUrl }) => msn === sticker.msn && baseUrl === sticker.baseUrl,
      );
      if (at === undefined)
        this.#log.warn(
          { ...sticker },
          'the code of a sticker that no lane has is left at the service: the settings have no keys of its sales unit',
        );
      else void this.#end(sticker, at, { notices, clock, signal: closing.signal });
    }
    return () => closing.abort(new Error('the counter is closing'));
  }

  async #end(
    sticker: MadeSticker,
    at: SalesUnitStickers,
    {
      notices,
      clock,
      signal,
    }: Pick<Ending, 'notices' | 'clock'> & { readonly signal: AbortSignal },
  ) {
    const { merchantQrId } = sticker;
    const pauses = new Backoff(clock, retries);
    while (!signal.aborted) {
      try {
        await at.end(merchantQrId, signal);
        if (signal.aborted) return;
        this.#write(this.#stickers.filter((one) => !isSame(one, sticker)));
        this.#log.info(
          { sticker: merchantQrId },
          'the code of a sticker that no lane has any more has ended at the service',
        );
        return notices.settle('stickerLeft', merchantQrId);
      } catch (error) {
        if (signal.aborted) return;
        const detail = messageOf(error);
        this.#log.warn(
          { sticker: merchantQrId, detail },
          'the code of a sticker that no lane has any more could not be ended at the service',
        );
        notices.raise({ code: 'stickerLeft', subject: merchantQrId, detail });
        await pauses.wait(signal);
      }
    }
  }

  /**
   * Saves the list. A code that is missing in it may stay at the service one day, which keeps
   * nobody from paying now.
   */
  #write(stickers: readonly MadeSticker[]): void {
    if (JSON.stringify(stickers) === JSON.stringify(this.#stickers)) return;
    this.#stickers = stickers;
    try {
      this.#kept.write(stickers);
    } catch (error) {
      this.#log.error(
        { path: this.#path, detail: messageOf(error) },
        'the list of stickers at the service cannot be written',
      );
    }
  }
}

const isSame = (one: MadeSticker, other: MadeSticker): boolean =>
  one.msn === other.msn &&
  one.baseUrl === other.baseUrl &&
  one.merchantQrId.toLowerCase() === other.merchantQrId.toLowerCase();
