import { sitting } from './sitting.ts';
import { home } from './states/home.ts';

sitting({ screen: 'home', name: 'the first page', states: home });
