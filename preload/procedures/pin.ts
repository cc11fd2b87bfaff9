/**
 * Why a PIN is easy to guess. `repeated`: such as 0000 or 1212. `run`: such as 1234 or 8765.
 * `year`: such as 1987.
 */
export type PinWeakness = 'repeated' | 'run' | 'year';

/** @param pin digits @returns null for a PIN that is not weak */
export function pinWeakness(pin: string): PinWeakness | null {
  if (/^(\d+?)\1+$/.test(pin)) return 'repeated';
  if (isRun(pin)) return 'run';
  return /^(?:19|20)\d\d$/.test(pin) ? 'year' : null;
}

/** Whether the digits go up or down by one; 0 follows 9, as on a keypad. */
function isRun(pin: string): boolean {
  const steps = Array.from(
    pin.slice(1),
    (digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10,
  );
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
