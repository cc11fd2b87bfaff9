import type { AttackArea } from './attack.ts';
import { filesArea } from './files.ts';
import { screensArea } from './screens.ts';
import { serviceArea } from './service.ts';
import { tillSetup } from './till-setup.ts';
import { tillAttacks } from './till.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [tillAttacks, tillSetup, filesArea, serviceArea, screensArea];
