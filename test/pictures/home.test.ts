import { screenSuite } from './screen-suite.ts';
import { home } from './states/home.ts';

screenSuite({ screen: 'home', name: 'the first page', states: home });
