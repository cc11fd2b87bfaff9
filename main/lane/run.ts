import type { Cancel, Clock } from '../domain/clock.ts';

/** What carries one machine along: its pure half, its place on disk, and its hands. */
export interface RunParts<State, Input, Event, Effect> {
  readonly decide: (state: State, input: Input) => { readonly events: readonly Event[]; readonly effects: readonly Effect[] };
  readonly apply: (state: State, event: Event) => State;
  /** @throws when the disk refuses; then nothing was written */
  readonly write: (events: readonly Event[]) => void;
  /** Carries an effect out. Its answer comes back with `run.take`. */
  readonly perform: (effect: Effect, run: Run<State, Input, Event, Effect>) => void;
  readonly clock: Clock;
  /** After each change of the state, once its effects have been begun. */
  readonly changed: (run: Run<State, Input, Event, Effect>) => void;
  /** After each failure or success of the disk. */
  readonly storage: (working: boolean, error: Error | null) => void;
}

/** How long until something that could not be written is tried again. */
const storageRetryMs = 1_000;

/**
 * Carries a payment or a refund along: input → decision → events on disk → effects → inputs again. One loop, one direction;
 * a restart enters it with an input like any other.
 */
export class Run<State, Input, Event, Effect> {
  #state: State;
  readonly #parts: RunParts<State, Input, Event, Effect>;
  readonly #timers = new Set<Cancel>();
  #poll: AbortController | null = null;
  #stopped = false;

  /** @param state what the journal already says */
  constructor(state: State, parts: RunParts<State, Input, Event, Effect>) {
    this.#state = state;
    this.#parts = parts;
  }

  get state(): State {
    return this.#state;
  }

  /** Takes in what happened. Never throws: what cannot be written is tried again, and nothing is done about it before it is. */
  take(input: Input): void {
    if (this.#stopped) return;
    const { events, effects } = this.#parts.decide(this.#state, input);
    if (!this.#commit(events)) {
      this.after(storageRetryMs, () => this.take(input));
      return;
    }
    this.carryOut(effects);
    if (events.length > 0) this.#parts.changed(this);
  }

  carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) this.#parts.perform(effect, this);
  }

  after(delayMs: number, run: () => void): void {
    const cancel = this.#parts.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  /**
   * One poll at a time: one that was asked for in an earlier state is dropped, its answer belongs to no question any more (null).
   * @param poll rejects only when its signal is aborted
   */
  async poll<Answer>(poll: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
    this.dropPoll();
    const abort = new AbortController();
    this.#poll = abort;
    const answer = await poll(abort.signal).catch(() => null);
    if (abort.signal.aborted || this.#poll !== abort) return null;
    this.#poll = null;
    return answer;
  }

  /** The poll under way asks about a state that is over. */
  dropPoll(): void {
    this.#poll?.abort(new Error('superseded'));
    this.#poll = null;
  }

  /** Lets go of everything. What is under way ends without effect; the journal knows the rest. */
  stop(): void {
    this.#stopped = true;
    this.#poll?.abort(new Error('stopped'));
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #commit(events: readonly Event[]): boolean {
    if (events.length === 0) return true;
    const next = events.reduce<State>((state, event) => this.#parts.apply(state, event), this.#state);
    try {
      this.#parts.write(events);
    } catch (error) {
      this.#parts.storage(false, error as Error);
      return false;
    }
    this.#parts.storage(true, null);
    this.#state = next;
    return true;
  }
}
