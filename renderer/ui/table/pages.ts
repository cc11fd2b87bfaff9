/** Rows in one page. */
const pageRows = 100;
/** Pages kept in memory, which is ten thousand rows. */
const maxCachedPages = 100;
/**
 * Pages fetched at a time. With more, the visible page would wait behind pages that were scrolled
 * past long ago.
 */
const maxAtOnce = 2;

type Fetch<Row> = (from: number, to: number) => Promise<readonly Row[]>;

/** The rows of a long list, fetched page by page as they become visible. */
export class Pages<Row> {
  readonly #fetch: Fetch<Row>;
  readonly #count: number;
  readonly #arrived: () => void;
  /** The least recently used page is the first. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #underWay = new Set<number>();
  readonly #failed = new Set<number>();
  #wanted: readonly number[] = [];

  /** @param arrived called after each page, whether it was loaded or has failed */
  constructor(fetch: Fetch<Row>, count: number, arrived: () => void) {
    this.#fetch = fetch;
    this.#count = count;
    this.#arrived = arrived;
  }

  /** The row; undefined until its page is loaded. */
  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  get hasFailed(): boolean {
    return this.#wanted.some((page) => this.#failed.has(page));
  }

  tryAgain(): void {
    this.#failed.clear();
    this.#next();
    this.#arrived();
  }

  /**
   * Sets the visible rows, from `from` to `to`, exclusive. Pages that were wanted before and are
   * not requested yet are dropped.
   */
  want(from: number, to: number): void {
    const first = Math.floor(from / pageRows);
    const last = Math.floor(Math.max(from, to - 1) / pageRows);
    this.#wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    for (const page of this.#wanted) {
      const rows = this.#pages.get(page);
      if (rows === undefined) continue;
      this.#pages.delete(page);
      this.#pages.set(page, rows);
    }
    this.#next();
  }

  #next(): void {
    for (const page of this.#wanted) {
      if (this.#underWay.size >= maxAtOnce) return;
      if (
        this.#pages.has(page) ||
        this.#underWay.has(page) ||
        this.#failed.has(page) ||
        page * pageRows >= this.#count
      )
        continue;
      void this.#get(page);
    }
  }

  async #get(page: number): Promise<void> {
    this.#underWay.add(page);
    try {
      this.#pages.set(
        page,
        await this.#fetch(page * pageRows, Math.min(this.#count, (page + 1) * pageRows)),
      );
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= maxCachedPages) break;
        this.#pages.delete(oldest);
      }
    } catch {
      // The table shows the failure, with a button to try again.
      this.#failed.add(page);
    }
    this.#underWay.delete(page);
    this.#next();
    this.#arrived();
  }
}
