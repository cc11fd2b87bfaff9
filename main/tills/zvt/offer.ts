import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { BMP, type Fields } from './bitmaps.ts';
import type { ZvtExchange, ExchangeResult } from './exchange.ts';
import { fieldByte } from './packets.ts';
import { RESULT } from './result-codes.ts';

/** ZVT PA00P015, section 9: after 84 9C the till is asked again. */
const askAgainMs = 2_000;
/**
 * ZVT PA00P015, section 9: how long a till may say "please wait" to a result, unless it named its
 * own limits.
 */
const defaultGoodsTimeoutMs = 30_000;

export interface Patience {
  /** Limits for the till's "please wait" answers to the result. */
  readonly goodsTimeoutMs: number;
  readonly maxStatusInformations: number;
}

export function patienceOf(fields: Fields): Patience {
  const seconds = fieldByte(fields, BMP.goodsTimeout);
  const count = fieldByte(fields, BMP.maxStatusInformations);
  return {
    // A count without a time is the limit: a vending machine that names 255 needs more than the
    // usual half minute.
    goodsTimeoutMs:
      seconds === null
        ? Math.max(defaultGoodsTimeoutMs, (count ?? 0) * askAgainMs)
        : seconds * 1_000,
    maxStatusInformations: count ?? Number.POSITIVE_INFINITY,
  };
}

/** How long to wait after commands that name no limits. */
export const defaultGoodsTerms: Patience = patienceOf(new Map());

/**
 * Sends 04 0F until the till accepts or refuses it. `postponed`: the till has said "please
 * wait" too often, or its connection has ended.
 */
export async function offerStatusInformation(
  packet: Uint8Array,
  patience: Patience,
  {
    exchange,
    clock,
    log,
    isOver,
  }: {
    readonly exchange: ZvtExchange;
    readonly clock: Clock;
    readonly log: Log;
    readonly isOver: () => boolean;
  },
): Promise<ExchangeResult | 'postponed'> {
  const giveUpAtMs = clock.monotonicMs() + patience.goodsTimeoutMs;
  for (let sent = 1; ; sent += 1) {
    const result = await exchange.send(packet, { decisive: true });
    if (result === 'positive') return result;
    log.warn(
      { result: result === 'silent' ? result : result.refused },
      'the till did not take the status information',
    );
    if (result === 'silent' || result.refused !== RESULT.pleaseWait) return result;
    if (sent > patience.maxStatusInformations || clock.monotonicMs() + askAgainMs > giveUpAtMs)
      return 'postponed';
    await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
    if (isOver()) return 'postponed';
  }
}
