/** Why somebody would try this PIN among the first. `repeated`: 0000, 1212. `run`: 1234, 8765. `year`: 1987. */
export type PinWeakness = 'repeated' | 'run' | 'year';

/** @param pin digits. @returns null when there is nothing */
export function pinWeakness(pin: string): PinWeakness | null {
  if (/^(\d+?)\1+$/.test(pin)) return 'repeated';
  if (isRun(pin)) return 'run';
  return /^(?:19|20)\d\d$/.test(pin) ? 'year' : null;
}

/** Up or down by one at each digit; 0 follows 9, as on a keypad. */
function isRun(pin: string): boolean {
  const steps = Array.from(pin.slice(1), (digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
