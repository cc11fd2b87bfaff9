import { screenSuite } from './screen-suite.ts';
import { customer } from './states/customer.ts';

screenSuite({
  screen: 'customer',
  name: 'the customer’s screen',
  states: customer,
  sizes: { small: { width: 800, height: 480 }, standing: { width: 768, height: 1024 } },
});
