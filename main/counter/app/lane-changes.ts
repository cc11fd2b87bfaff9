/** Tells pages that a lane changed; null when the lanes were replaced. */
export class LaneChanges {
  readonly #listeners = new Set<(laneId: string | null) => void>();

  notify(laneId: string | null): void {
    for (const listener of this.#listeners) listener(laneId);
  }

  /** @returns ends it */
  subscribe(listener: (laneId: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
