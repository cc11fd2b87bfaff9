import type { Journal } from '../journal/journal.ts';

const decisions: ReadonlySet<string> = new Set(['captureIntended', 'cancelIntended', 'foundLate']);

/** When what is not settled yet was decided, by the wall clock. By sale, or by refund order. */
export class DecidedAt {
  readonly #known = new Map<string, number>();

  /** After a restart: what the journal tells of it. */
  read(journal: Journal, saleId: string, refundOrderId: string | null): void {
    const own = journal.story(saleId).filter((entry) => entry.refundOrderId === refundOrderId);
    const decided = own.findLast(({ event }) => decisions.has(event.type)) ?? own.at(-1);
    if (decided !== undefined) this.#known.set(refundOrderId ?? saleId, decided.atMs);
  }

  /** The first time counts. */
  decided(key: string, atMs: number): void {
    if (!this.#known.has(key)) this.#known.set(key, atMs);
  }

  of(key: string): number | undefined {
    return this.#known.get(key);
  }

  /** It is settled; should it open again, that is another decision. */
  forget(key: string): void {
    this.#known.delete(key);
  }
}
