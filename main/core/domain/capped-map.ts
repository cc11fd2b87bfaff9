/** A map with a limit. The entry that was set longest ago makes room for a new one. */
export class CappedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;
  readonly #dropped: (value: Value, key: Key) => void;

  /** @param dropped called with each entry that made room */
  constructor(max: number, dropped: (value: Value, key: Key) => void = () => {}) {
    super();
    this.#max = max;
    this.#dropped = dropped;
  }

  /** Sets an entry, which is the newest then, also when its key was there. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const [oldest, last] of this) {
      if (this.size <= this.#max) break;
      this.delete(oldest);
      this.#dropped(last, oldest);
    }
    return this;
  }
}
