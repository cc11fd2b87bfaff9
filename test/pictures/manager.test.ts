import { screenSuite } from './screen-suite.ts';
import { backup } from './states/manager-backup.ts';
import { health } from './states/manager-health.ts';
import { people } from './states/manager-people.ts';
import { refunds } from './states/manager-refunds.ts';
import { reservations } from './states/manager-reservations.ts';
import { thisPc } from './states/manager-this-pc.ts';

screenSuite({
  screen: 'manager',
  name: 'the manager’s screen',
  states: [...people, ...refunds, ...reservations, ...health, ...backup, ...thisPc],
});
