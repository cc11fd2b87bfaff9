/** Rows fetched at a time. */
const pageRows = 100;
/** Pages kept: ten thousand rows, some screens up and down from where one is. */
const keptPages = 100;
/** More would queue up behind what one has long scrolled past. */
const mostAtOnce = 2;

type Fetch<Row> = (from: number, to: number) => Promise<readonly Row[]>;

/** Rows of a long list, fetched page by page as they are looked at. */
export class Pages<Row> {
  readonly #fetch: Fetch<Row>;
  readonly #count: number;
  readonly #arrived: () => void;
  /** In the order of their last use. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #underWay = new Set<number>();
  readonly #failed = new Set<number>();
  #wanted: readonly number[] = [];

  /** @param arrived told after each page, and after each that failed */
  constructor(fetch: Fetch<Row>, count: number, arrived: () => void) {
    this.#fetch = fetch;
    this.#count = count;
    this.#arrived = arrived;
  }

  /** undefined: not here yet. */
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

  /** What is looked at now; what was wanted before and has not been asked for is not any more. */
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
      if (this.#underWay.size >= mostAtOnce) return;
      if (this.#pages.has(page) || this.#underWay.has(page) || this.#failed.has(page) || page * pageRows >= this.#count) continue;
      void this.#get(page);
    }
  }

  async #get(page: number): Promise<void> {
    this.#underWay.add(page);
    try {
      this.#pages.set(page, await this.#fetch(page * pageRows, Math.min(this.#count, (page + 1) * pageRows)));
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= keptPages) break;
        this.#pages.delete(oldest);
      }
    } catch {
      // Said in the table, with a way to try again.
      this.#failed.add(page);
    }
    this.#underWay.delete(page);
    this.#next();
    this.#arrived();
  }
}
