import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import {
  type CustomerRefusal,
  readPersonalCode,
  readPhoneNumber,
} from '../domain/named-customer.ts';
import type { LanePayments } from './sales.ts';
import type { Sticker } from './sticker.ts';

interface CustomerNamingOptions {
  readonly currency: Currency;
  /** Whether customers may type their own number. */
  readonly typesNumber: boolean;
  /** The till's sticker; null when it has none. */
  readonly sticker: { readonly scans: Sticker; readonly needsPayment: boolean } | null;
  /** Whether the lane takes payments. */
  readonly isOpen: () => boolean;
  readonly sales: Pick<
    LanePayments,
    'isBusy' | 'name' | 'named' | 'refuseScan' | 'scanned' | 'typed'
  >;
  readonly log: Log;
}

/**
 * Names the customer of the current payment, or of the next one. The log holds no customer data,
 * only why a customer was not named.
 */
export class CustomerNaming {
  readonly #options: CustomerNamingOptions;

  constructor(options: CustomerNamingOptions) {
    this.#options = options;
  }

  /**
   * @param by null to name nobody any more. @returns `notHere` when customers are not named here,
   * `tooLate` when the request has been sent.
   */
  byCashier(
    by: { readonly scanned: string } | { readonly phoneNumber: string } | null,
  ): 'named' | CustomerRefusal | 'notHere' | 'tooLate' {
    const { sales, currency, log } = this.#options;
    if (sales.named === null) return 'notHere';
    const read =
      by === null
        ? null
        : 'scanned' in by
          ? readPersonalCode(by.scanned)
          : readPhoneNumber(by.phoneNumber, currency);
    const answer = typeof read === 'string' ? read : sales.name(read) ? 'named' : 'tooLate';
    if (answer !== 'named') log.warn({ reason: answer }, 'a customer could not be named');
    return answer;
  }

  /** Takes a number typed at the customer's screen of this lane. */
  byCustomer(phoneNumber: string): 'named' | 'wrongNumber' | 'notHere' | 'tooLate' {
    const { sales, currency, typesNumber, log } = this.#options;
    if (!typesNumber || sales.named === null) return 'notHere';
    const read = readPhoneNumber(phoneNumber, currency);
    const answer =
      typeof read === 'string' ? 'wrongNumber' : sales.typed(read) ? 'named' : 'tooLate';
    if (answer !== 'named')
      log.warn(
        { reason: answer },
        'a number that was typed at the customer’s screen asks nobody to pay',
      );
    return answer;
  }

  /** Takes a code from the lane's scanner, which has no screen to say what was wrong. */
  byScanner(text: string): void {
    const answer = this.byCashier({ scanned: text });
    if (answer !== 'named' && answer !== 'notHere' && answer !== 'tooLate')
      this.#options.sales.refuseScan(answer);
  }

  /** Takes a scan of the till's sticker. @param atMs when, by the service's clock */
  bySticker(token: string, atMs: number): void {
    const { log } = this.#options;
    const reason = this.#problemOf(token, atMs);
    if (reason === null) log.info({}, 'a customer scanned the sticker');
    else log.warn({ reason }, 'a scan of the sticker asks nobody to pay');
  }

  #problemOf(token: string, atMs: number): string | null {
    const { sticker, sales, isOpen } = this.#options;
    if (sticker === null) return 'noSticker';
    if (!isOpen() && !sales.isBusy) return 'notReady';
    return sticker.scans.problemOf(token, atMs) ?? sales.scanned(token, sticker);
  }
}
