import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PinCost } from '../../main/managers/pin.ts';

/** For tests that are not about what a PIN costs. */
export const cheapPinCost: PinCost = { cost: 16, blockSize: 8, parallelization: 1 };

/** A data folder of a counter without managers, as if PINs had been measured to cost next to nothing on this machine. */
export function cheapPins(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(join(dataFolder, 'managers.json'), JSON.stringify({ version: 1, cost: cheapPinCost, managers: [] }));
}
