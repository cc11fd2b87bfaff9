/** Sums of users' payments by day, month and year in UTC. */

/** The day of a time in ISO 8601. */
export const dayOf = (at: string): string => at.slice(0, 'YYYY-MM-DD'.length);
const monthOf = (at: string): string => at.slice(0, 'YYYY-MM'.length);
export const yearOf = (at: string): string => at.slice(0, 'YYYY'.length);

export class Spending {
  readonly #sums = new Map<string, number>();

  /** @param at ISO 8601 @param amountMinor negative for what is released again */
  add(phoneNumber: string, at: string, amountMinor: number): void {
    for (const period of [dayOf(at), monthOf(at), yearOf(at)])
      this.#sums.set(`${phoneNumber} ${period}`, this.#in(phoneNumber, period) + amountMinor);
  }

  onDay = (phoneNumber: string, at: string): number => this.#in(phoneNumber, dayOf(at));
  inMonth = (phoneNumber: string, at: string): number => this.#in(phoneNumber, monthOf(at));
  inYear = (phoneNumber: string, at: string): number => this.#in(phoneNumber, yearOf(at));

  #in(phoneNumber: string, period: string): number {
    return this.#sums.get(`${phoneNumber} ${period}`) ?? 0;
  }
}
