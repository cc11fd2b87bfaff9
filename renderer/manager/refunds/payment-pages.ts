import type { OutputOf, AnswerTo, InputOf } from '../../../preload/procedures.ts';
import type { SaleSummary } from '../../../preload/procedures/refunds.ts';

type Ask = (asked: InputOf<'findSales'>) => Promise<AnswerTo<'findSales'>>;
type Refused = Extract<AnswerTo<'findSales'>, { ok: false }>;

interface Part {
  readonly asked: InputOf<'findSales'>;
  readonly sales: readonly SaleSummary[];
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

/**
 * The merged results of several searches, newest first and each payment once, page by page.
 * Immutable: `more` returns the next value.
 */
export class PaymentPages {
  readonly #ask: Ask;
  readonly #parts: readonly Part[];
  /** Only payments since the time from which on the results of all searches are complete. */
  readonly sales: readonly SaleSummary[];

  private constructor(ask: Ask, parts: readonly Part[]) {
    this.#ask = ask;
    this.#parts = parts;
    const horizonMs = horizonOf(parts);
    const all = parts.flatMap(({ sales }) => sales).filter(({ atMs }) => atMs >= horizonMs);
    this.sales = [...new Map(all.map((sale) => [sale.saleId, sale])).values()].sort(
      (a, b) => b.atMs - a.atMs,
    );
  }

  /** The first page of the results of all searches. */
  static async find(
    ask: Ask,
    questions: readonly InputOf<'findSales'>[],
  ): Promise<PaymentPages | Refused> {
    return PaymentPages.#fetched(
      ask,
      questions.map((asked) => ({ asked, sales: [], next: null })),
      () => true,
    );
  }

  get hasMore(): boolean {
    return this.#parts.some(({ next }) => next !== null);
  }

  /** The same payments with the next page. */
  more(): Promise<PaymentPages | Refused> {
    const horizonMs = horizonOf(this.#parts);
    return PaymentPages.#fetched(
      this.#ask,
      this.#parts,
      (part) => part.next !== null && lastMs(part) >= horizonMs,
    );
  }

  /** The same results with newer data of one payment. */
  with(sale: SaleSummary): PaymentPages {
    const updated = this.#parts.map((part) => ({
      ...part,
      sales: part.sales.map((known) => (known.saleId === sale.saleId ? sale : known)),
    }));
    return new PaymentPages(this.#ask, updated);
  }

  static async #fetched(
    ask: Ask,
    parts: readonly Part[],
    isDue: (part: Part) => boolean,
  ): Promise<PaymentPages | Refused> {
    const answers = await Promise.all(
      parts.map(async (part) => (isDue(part) ? ask({ ...part.asked, after: part.next }) : null)),
    );
    const refused = answers.find((answer): answer is Refused => answer?.ok === false);
    if (refused !== undefined) return refused;
    const grown = parts.map((part, index) => {
      const answer = answers[index];
      return answer?.ok === true ? grownBy(part, answer.value) : part;
    });
    return new PaymentPages(ask, grown);
  }
}

function grownBy(part: Part, { sales, next }: OutputOf<'findSales'>): Part {
  return { ...part, sales: [...part.sales, ...sales], next };
}

function lastMs({ sales }: Part): number {
  return sales.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
}

/**
 * The time from which on the results are complete. Before the last payment of a search with further
 * pages, some may be missing.
 */
function horizonOf(parts: readonly Part[]): number {
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...parts.filter(({ next }) => next !== null).map(lastMs),
  );
}
