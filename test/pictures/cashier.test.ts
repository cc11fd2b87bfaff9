import { screenSuite } from './screen-suite.ts';
import { cashier } from './states/cashier.ts';

screenSuite({ screen: 'cashier', name: 'the cashier’s screen', states: cashier });
