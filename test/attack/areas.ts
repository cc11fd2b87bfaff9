import type { AttackArea } from './attack.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [];
