/** Sums of users' subscription payments by day and month in UTC. One-off payments do not count, because document 1, "Limits", names subscription payments. */

/** The day of a time in ISO 8601. */
export const dayOf = (at: string): string => at.slice(0, 'YYYY-MM-DD'.length);
const monthOf = (at: string): string => at.slice(0, 'YYYY-MM'.length);

export class Spending {
  readonly #sums = new Map<string, number>();

  /** @param at ISO 8601 */
  add(phoneNumber: string, at: string, amountMinor: number): void {
    for (const period of [dayOf(at), monthOf(at)]) this.#sums.set(`${phoneNumber} ${period}`, this.#in(phoneNumber, period) + amountMinor);
  }

  onDay = (phoneNumber: string, at: string): number => this.#in(phoneNumber, dayOf(at));
  inMonth = (phoneNumber: string, at: string): number => this.#in(phoneNumber, monthOf(at));

  #in(phoneNumber: string, period: string): number {
    return this.#sums.get(`${phoneNumber} ${period}`) ?? 0;
  }
}
