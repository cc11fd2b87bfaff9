/** Longer lines are cut, because only an error makes them. */
const maxLine = 4_000;

/** Keeps the newest lines in order and drops older ones. */
export class RecentLines {
  readonly #maxLines: number;
  readonly #lines: string[] = [];
  #oldest = 0;

  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  add(line: string): void {
    const cut = line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
    if (this.#lines.length < this.#maxLines) {
      this.#lines.push(cut);
      return;
    }
    this.#lines[this.#oldest] = cut;
    this.#oldest = (this.#oldest + 1) % this.#maxLines;
  }

  list(): string[] {
    return [...this.#lines.slice(this.#oldest), ...this.#lines.slice(0, this.#oldest)];
  }
}
