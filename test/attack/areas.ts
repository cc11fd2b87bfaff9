import type { AttackArea } from './attack.ts';
import { backupArea } from './backup.ts';
import { callbacksArea } from './callbacks.ts';
import { filesArea } from './files.ts';
import { floodsArea } from './floods.ts';
import { monitoringArea } from './monitoring.ts';
import { namedCustomersArea } from './named-customers.ts';
import { networkArea } from './network.ts';
import { screensArea } from './screens.ts';
import { serviceArea } from './service.ts';
import { textsArea } from './texts.ts';
import { tillConcertArea } from './till-concert.ts';
import { tillSetupArea } from './till-setup.ts';
import { tillReservationsArea } from './till-reservations.ts';
import { tillHttpArea } from './till-http.ts';
import { tillNexoArea } from './till-nexo.ts';
import { tillArea } from './till.ts';
import { updatesArea } from './updates.ts';

/** Every area that `npm run attack` attacks. */
export const attackAreas: readonly AttackArea[] = [
  tillArea,
  tillReservationsArea,
  tillConcertArea,
  tillHttpArea,
  tillNexoArea,
  tillSetupArea,
  callbacksArea,
  filesArea,
  updatesArea,
  backupArea,
  textsArea,
  serviceArea,
  networkArea,
  screensArea,
  namedCustomersArea,
  monitoringArea,
  floodsArea,
];
