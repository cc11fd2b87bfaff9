import { screenSuite } from './screen-suite.ts';
import { day } from './states/manager-day.ts';
import { reconciliation } from './states/manager-reconciliation.ts';

screenSuite({
  screen: 'manager',
  album: 'manager-money',
  name: 'the manager’s day and reconciliation',
  states: [...day, ...reconciliation],
});
