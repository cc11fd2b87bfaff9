import { screenSuite } from './screen-suite.ts';
import { setup } from './states/setup.ts';

screenSuite({ screen: 'setup', name: 'the installer’s screen', states: setup });
