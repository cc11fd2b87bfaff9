import { type Clock, sleep } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { PaymentCode, PointOfSaleClient } from './wallet-port.ts';

/** A code as screens show it. */
export type DisplayCode =
  | { readonly kind: 'text'; readonly text: string }
  /** `data:image/png;base64,…`: a page loads nothing from anywhere else. */
  | { readonly kind: 'picture'; readonly picture: string };

/** Codes that fill a screen have a tenth of this. */
const maxBytes = 100_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Between two attempts to fetch a picture. */
const retryMs = 1_000;
/** A code that is shown later leaves the customer no time to scan it and approve. */
const minTimeToPayMs = 15_000;

type WithPictures = Pick<PointOfSaleClient, 'codePicture'>;

/** The code as screens show it, or why it cannot be shown. */
export async function displayCodeOf(
  namedCode: PaymentCode,
  { codePicture }: WithPictures,
): Promise<DisplayCode | string> {
  if (namedCode.kind === 'text') return namedCode;
  const answer =
    (await codePicture?.(namedCode.address)) ??
    ({ kind: 'unknown', detail: 'this service has no pictures' } as const);
  if (answer.kind === 'unknown') return answer.detail;
  const png = Buffer.from(answer.png);
  if (!png.subarray(0, pngSignature.length).equals(pngSignature))
    return 'the picture of the code is no PNG';
  if (png.length > maxBytes) return `the picture of the code has ${png.length} bytes`;
  return { kind: 'picture', picture: `data:image/png;base64,${png.toString('base64')}` };
}

/**
 * The code that a customer scans for one payment, of a service that has one for each. In memory
 * only, and gone with its payment: what comes after that is never shown, so that no customer can
 * approve the payment of another.
 */
export class SaleCode {
  #named: PaymentCode | null = null;
  #shown: DisplayCode | 'awaited' | null = null;
  #isOver = false;

  /** `awaited` while the code is loading; null without a code. */
  get shown(): DisplayCode | 'awaited' | null {
    return this.#shown;
  }

  /** Takes the code that the service answered when the payment was created, or looked up. */
  learn(code: PaymentCode | undefined): void {
    if (this.#isOver) return;
    this.#named = code ?? null;
    this.#shown = 'awaited';
  }

  /**
   * Shows the code. Fetches its picture again after a failure, while enough of the payment's time
   * is left to pay.
   * @param endsAtMs when the payment's time is over, monotonic @returns why the code cannot be
   * shown; null when it is shown or its payment is over
   */
  async show(
    wallet: WithPictures,
    {
      clock,
      log,
      endsAtMs,
    }: { readonly clock: Clock; readonly log: Pick<Log, 'warn'>; readonly endsAtMs: number },
  ): Promise<string | null> {
    for (;;) {
      const named = this.#named;
      if (this.#isOver) return null;
      if (named === null) return 'the service named no code';
      const shown = await displayCodeOf(named, wallet);
      if (this.#isOver) return null;
      if (typeof shown !== 'string') {
        this.#shown = shown;
        return null;
      }
      if (clock.monotonicMs() + retryMs + minTimeToPayMs > endsAtMs) return shown;
      log.warn({ detail: shown }, 'the picture of a code could not be fetched: trying again');
      await sleep(clock, retryMs);
    }
  }

  forget(): void {
    this.#isOver = true;
    this.#named = null;
    this.#shown = null;
  }
}
