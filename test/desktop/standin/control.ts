/**
 * The controls by which a test acts on the stand-in as a person, the system or an attacker would,
 * and asks about its state.
 */
type Control = (input: never) => unknown;
const controls = new Map<string, Control>();

/** @param run its result crosses to the test */
export function control<Input>(name: string, run: (input: Input) => unknown): void {
  controls.set(name, run);
}

interface Asked {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

process.on('message', ({ id, name, input }: Asked) => {
  void (async () => {
    const run = controls.get(name);
    if (run === undefined) throw new Error(`the stand-in has no control ${name}`);
    return run(input as never);
  })().then(
    (value: unknown) => process.send?.({ id, value: value ?? null }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});

/** An event that listeners can prevent. @returns whether one did */
export function isPrevented(
  emit: (event: { readonly defaultPrevented: boolean; preventDefault(): void }) => void,
): boolean {
  let defaultPrevented = false;
  emit({
    get defaultPrevented() {
      return defaultPrevented;
    },
    preventDefault() {
      defaultPrevented = true;
    },
  });
  return defaultPrevented;
}
