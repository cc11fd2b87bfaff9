import { sitting } from './sitting.ts';
import { cashier } from './states/cashier.ts';

sitting({ screen: 'cashier', name: 'the cashier’s screen', states: cashier });
