import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomically } from '../../../support/atomic-file.ts';
import { HashedPin, PinCost } from './pin.ts';
import { PinTries } from './pin-tries.ts';
import { messageOf, systemCodeOf } from '../../../core/domain/errors.ts';

/** In the data folder. */
export const managerFiles = {
  managers: 'managers.json',
  knownScreens: 'known-screens.json',
  unlockRequest: 'unlock-managers.txt',
} as const;

const ManagerRecord = z.strictObject({
  managerId: z.uuid(),
  name: z.string(),
  pin: HashedPin,
  /** Tries from all screens at which no manager has signed in. */
  ...PinTries.shape,
});
export type ManagerRecord = z.infer<typeof ManagerRecord>;

const ManagersFile = z.strictObject({
  version: z.literal(1),
  /** Cost of new PINs, as measured on this machine; absent before the measurement. */
  cost: PinCost.optional(),
  managers: z.array(ManagerRecord),
});
type ManagersFile = z.infer<typeof ManagersFile>;

/**
 * Empty for a counter that never had a manager. @throws Error when the file is damaged, so that
 * nobody can become the first manager again
 */
export function readManagers(path: string): Pick<ManagersFile, 'cost' | 'managers'> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return { managers: [] };
    throw new Error(`the file of the managers cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
  try {
    return ManagersFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`the file of the managers, ${path}, is damaged`, { cause });
  }
}

export function writeManagers(
  path: string,
  {
    cost,
    managers,
  }: { readonly cost: PinCost | undefined; readonly managers: readonly ManagerRecord[] },
): void {
  const file: z.input<typeof ManagersFile> = {
    version: 1,
    ...(cost && { cost }),
    managers: [...managers],
  };
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
}
