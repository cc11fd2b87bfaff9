import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Managers } from '../../main/counter/manager/people/managers.ts';
import type { PinCost } from '../../main/counter/manager/people/pin.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';

/** A cheap hash for tests that are not about the cost of a PIN. */
export const cheapPinCost: PinCost = { cost: 16, blockSize: 8, parallelization: 1 };

/**
 * A data folder of a counter without managers, as if PINs had been measured to cost next to nothing
 * on this machine.
 */
export function cheapPins(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(
    join(dataFolder, 'managers.json'),
    JSON.stringify({ version: 1, cost: cheapPinCost, managers: [] }),
  );
}

/** Creates the first manager of a counter that is not running. */
export async function makeFirstManager(
  dataFolder: string,
  { name, pin }: { readonly name: string; readonly pin: string },
): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  const path = join(dataFolder, 'managers.json');
  await new Managers({
    path,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    cost: cheapPinCost,
  }).add(name, pin, true);
}

/** The one-time code of a counter with settings, for somebody who can read its data folder. */
export function firstManagerCode(dataFolder: string): string {
  return readFileSync(join(dataFolder, 'first-manager-code.txt'), 'utf8').trim();
}
