import type { AttackArea } from './attack.ts';
import { callbackAttacks } from './callbacks.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [callbackAttacks];
