/** What a rule found in a run's records. */
import type { ObservedExchange } from './exchange.ts';

export interface Finding {
  readonly verdict: 'shown' | 'broken' | 'notShown';
  /** The observation, or the reason for its absence. */
  readonly detail: string;
  /** The numbers of the exchanges that show it. */
  readonly exchanges: readonly number[];
}

/**
 * The service under test does not offer what a case needs: the case is neither passed nor failed.
 */
export class NotShownError extends Error {
  override readonly name = 'NotShownError';
}

const numbers = (exchanges: readonly ObservedExchange[]): number[] =>
  exchanges.map(({ number }) => number);

export const holds = (detail: string, exchanges: readonly ObservedExchange[] = []): Finding => ({
  verdict: 'shown',
  detail,
  exchanges: numbers(exchanges),
});
export const broken = (detail: string, exchanges: readonly ObservedExchange[] = []): Finding => ({
  verdict: 'broken',
  detail,
  exchanges: numbers(exchanges),
});
export const notShown = (detail: string): Finding => ({
  verdict: 'notShown',
  detail,
  exchanges: [],
});

/**
 * A rule for each of `exchanges`. Not shown when the list is empty.
 * @param wrong the objection to an exchange, or null
 * @param what the singular for one of them, e.g. "call"
 * @param rest text that follows it
 */
export function each(
  exchanges: readonly ObservedExchange[],
  wrong: (exchange: ObservedExchange) => string | null,
  what: string,
  rest = '',
): Finding {
  if (exchanges.length === 0) return notShown(`no ${what}${rest} was seen`);
  for (const exchange of exchanges) {
    const objection = wrong(exchange);
    if (objection !== null)
      return broken(`request ${exchange.number} (${exchange.operation}): ${objection}`, [exchange]);
  }
  return holds(`${counted(exchanges.length, what)}${rest}`, exchanges);
}

/** "1 request", "3 requests". */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
