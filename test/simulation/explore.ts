/**
 * Every state that a machine can come into inside its run, and every input that can meet it there.
 */

export interface Decided<State> {
  readonly state: State;
  readonly isWritten: boolean;
  readonly effects: readonly string[];
}

/** Something that may still happen: the answer to an effect, a person, the end of a time. */
export interface Coming<Input, Fact> {
  /** null when the run is not told about it. */
  readonly input: Input | null;
  /** What can no longer happen after this. */
  readonly ends?: readonly string[];
  /** What can happen from then on. */
  readonly begins?: readonly string[];
  /** The state of the service from then on. */
  readonly fact?: Fact;
}

export interface Explored<State, Input, Fact> {
  readonly first: readonly {
    readonly state: State;
    readonly effects: readonly string[];
    readonly around: readonly string[];
    readonly fact: Fact;
  }[];
  readonly next: (state: State, input: Input) => Decided<State>;
  /** The possible results of an effect that is under way, or of a person or clock around it. */
  readonly coming: (
    source: string,
    state: State,
    sources: ReadonlySet<string>,
    fact: Fact,
  ) => readonly Coming<Input, Fact>[];
  /** The effects under way that an effect ends. It always replaces one of its own kind. */
  readonly replaced: (effect: string) => readonly string[];
  readonly restarted: Input;
  /**
   * Whether what the disk refused is taken in again later (`SettlementRunner.take`), or never
   * (`attempt`); missing when it is.
   */
  readonly isRepeated?: (input: Input) => boolean;
  /** The people and clocks that exist after a restart. */
  readonly aroundAfterRestart: readonly string[];
  /** The part of a state that decides what can come. The reason of a stop is not part of it. */
  readonly keyOf: (state: State) => string;
  readonly isFinal: (state: State) => boolean;
  /**
   * What can still happen to a final state. Its run is stopped, and a later run can take it up
   * again.
   */
  readonly aroundFinal: (state: State) => readonly string[];
  readonly pair: (state: State, input: Input) => string;
}

/** Inputs that wait for the disk at the same time: with two of them no other pair is reached. */
const maxPostponed = 1;

export function explore<State, Input, Fact>(machine: Explored<State, Input, Fact>): Set<string> {
  const pairs = new Set<string>();
  const seen = new Set<string>();
  const open: {
    state: State;
    sources: readonly string[];
    postponed: readonly Input[];
    fact: Fact;
  }[] = [];
  const visit = (
    state: State,
    before: readonly string[],
    effects: readonly string[],
    postponed: readonly Input[],
    fact: Fact,
  ): void => {
    let sources = [...before];
    for (const effect of effects)
      sources = [
        ...sources.filter((other) => other !== effect && !machine.replaced(effect).includes(other)),
        effect,
      ];
    const key = JSON.stringify([
      machine.keyOf(state),
      sources.toSorted(),
      postponed.map((input) => JSON.stringify(input)).toSorted(),
      fact,
    ]);
    if (seen.has(key)) return;
    seen.add(key);
    open.push({ state, sources, postponed, fact });
  };
  for (const { state, effects, around, fact } of machine.first)
    visit(state, around, effects, [], fact);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { state, sources, postponed, fact } = at;
    const take = (
      input: Input,
      rest: readonly string[],
      waiting: readonly Input[],
      known: Fact,
    ): void => {
      pairs.add(machine.pair(state, input));
      const { state: after, isWritten, effects } = machine.next(state, input);
      if (machine.isFinal(after) && !machine.isFinal(state))
        visit(after, machine.aroundFinal(after), [], [], known);
      else visit(after, rest, effects, waiting, known);
      // The disk refused: nothing has happened, and a second later the run takes it in again,
      // whatever came between.
      const isWaiting = waiting.some((other) => JSON.stringify(other) === JSON.stringify(input));
      if (
        isWritten &&
        machine.isRepeated?.(input) !== false &&
        waiting.length < maxPostponed &&
        !isWaiting
      )
        visit(state, rest, [], [...waiting, input], known);
    };
    const around = new Set(sources);
    for (const source of sources) {
      for (const { input, ends = [], begins = [], fact: known = fact } of machine.coming(
        source,
        state,
        around,
        fact,
      )) {
        const rest = [...new Set([...sources.filter((other) => !ends.includes(other)), ...begins])];
        if (input === null) visit(state, rest, [], postponed, known);
        else take(input, rest, postponed, known);
      }
    }
    postponed.forEach((input, index) => take(input, sources, postponed.toSpliced(index, 1), fact));
    if (!machine.isFinal(state)) take(machine.restarted, machine.aroundAfterRestart, [], fact);
  }
  return pairs;
}
