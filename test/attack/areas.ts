import type { AttackArea } from './attack.ts';
import { serviceArea } from './service.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [serviceArea];
