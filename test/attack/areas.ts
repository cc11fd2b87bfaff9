import type { AttackArea } from './attack.ts';
import { filesArea } from './files.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [filesArea];
