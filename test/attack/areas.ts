import type { AttackArea } from './attack.ts';
import { screensArea } from './screens.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [screensArea];
