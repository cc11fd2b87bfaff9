import { sitting } from './sitting.ts';
import { day } from './states/manager-day.ts';
import { reconciliation } from './states/manager-reconciliation.ts';

sitting({ screen: 'manager', album: 'manager-money', name: 'the manager’s day and reconciliation', states: [...day, ...reconciliation] });
