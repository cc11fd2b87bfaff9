/** Longer lines are cut, because only an error makes them. */
const longestLine = 4_000;

/** Keeps the newest lines in order and drops older ones. */
export class RecentLines {
  readonly #most: number;
  readonly #lines: string[] = [];
  #oldest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(line: string): void {
    const kept = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    if (this.#lines.length < this.#most) {
      this.#lines.push(kept);
      return;
    }
    this.#lines[this.#oldest] = kept;
    this.#oldest = (this.#oldest + 1) % this.#most;
  }

  list(): string[] {
    return [...this.#lines.slice(this.#oldest), ...this.#lines.slice(0, this.#oldest)];
  }
}
