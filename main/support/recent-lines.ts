/** So much of a line is kept: one that is longer is a program's mistake, and the rest of it says no more. */
const longestLine = 4_000;

/** The newest lines of something, in their order; older ones make room. */
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
