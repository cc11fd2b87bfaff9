import type { AttackArea } from './attack.ts';
import { tillSetup } from './till-setup.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [tillSetup];
