const threeDigits = Array.from({ length: 0x1000 }, (_, value) =>
  value.toString(16).padStart(3, '0'),
);
const fourDigits = Array.from({ length: 0x1_0000 }, (_, value) =>
  value.toString(16).padStart(4, '0'),
);

/**
 * Chance from a seed: the same on every machine. Each actor has a stream of its own, so that one
 * more throw here changes nothing there.
 */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A random number from 0 to just below 1 (mulberry32). */
  next(): number {
    return this.#word() / 4_294_967_296;
  }

  #word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  is(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** As `between`, but on a logarithmic scale: as many between 1 and 10 as between 10 and 100. */
  steeply(least: number, most: number): number {
    return Math.floor(least * (most / least) ** this.next());
  }

  one<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  /** An independent stream of random numbers. */
  fork(): Chance {
    return new Chance(Math.floor(this.next() * 4_294_967_296));
  }

  uuid(): string {
    const a = this.#word();
    const b = this.#word();
    const c = this.#word();
    const d = this.#word();
    return `${high(a)}${low(a)}-${high(b)}-4${threeDigits[b & 0xfff]}-8${threeDigits[c >>> 20]}-${low(c)}${high(d)}${low(d)}`;
  }
}

const high = (word: number): string => fourDigits[word >>> 16] as string;
const low = (word: number): string => fourDigits[word & 0xffff] as string;
