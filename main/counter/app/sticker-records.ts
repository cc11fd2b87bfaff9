import { z } from 'zod';
import { Backoff } from '../../core/domain/backoff.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import { type ListFile, listFile } from '../../support/list-file.ts';
import type { SalesUnitStickers } from '../../wallets/wallet-provider.ts';

const StickerRecord = z.object({
  /** The sales unit and its address: only its keys can end the code. */
  msn: z.string(),
  baseUrl: z.string(),
  merchantQrId: z.string(),
});
type StickerRecord = z.infer<typeof StickerRecord>;

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
 * The sticker codes that this counter creates at the service. Each is on disk before it is created,
 * so that a code which no lane has any more can be ended: a customer who scans it would wait for a
 * till that is gone. A lane is removed only once it has nothing to settle.
 */
export class StickerRecords {
  readonly #path: string;
  readonly #file: ListFile<StickerRecord>;
  readonly #log: Log;
  #stickers: readonly StickerRecord[];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#file = listFile({
      path,
      name: 'stickers',
      item: StickerRecord,
      what: 'stickers at the service',
      log,
    });
    this.#stickers = this.#file.read();
  }

  /**
   * Ends the codes that no lane has any more. Call it before the lanes create theirs. Lanes do not
   * wait for it, and open even when it fails. @returns stops retrying
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
          'sticker code of no lane stays at the service: the settings have no keys of its sales unit',
        );
      else void this.#end(sticker, at, { notices, clock, signal: closing.signal });
    }
    return () => closing.abort(new Error('the counter is closing'));
  }

  async #end(
    sticker: StickerRecord,
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
          'sticker code of a removed lane was ended at the service',
        );
        return notices.settle('stickerLeft', merchantQrId);
      } catch (error) {
        if (signal.aborted) return;
        const detail = messageOf(error);
        this.#log.warn(
          { sticker: merchantQrId, detail },
          'sticker code of a removed lane could not be ended at the service',
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
  #write(stickers: readonly StickerRecord[]): void {
    if (JSON.stringify(stickers) === JSON.stringify(this.#stickers)) return;
    this.#stickers = stickers;
    try {
      this.#file.write(stickers);
    } catch (error) {
      this.#log.error(
        { path: this.#path, detail: messageOf(error) },
        'the list of sticker codes could not be written',
      );
    }
  }
}

const isSame = (one: StickerRecord, other: StickerRecord): boolean =>
  one.msn === other.msn &&
  one.baseUrl === other.baseUrl &&
  one.merchantQrId.toLowerCase() === other.merchantQrId.toLowerCase();
