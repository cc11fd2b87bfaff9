import { sitting } from './sitting.ts';
import { setup } from './states/setup.ts';

sitting({ screen: 'setup', name: 'the installer’s screen', states: setup });
