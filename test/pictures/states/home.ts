import type { DemoView } from '../../../preload/contract.ts';
import { restored } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import type { State } from './state.ts';

const demo: DemoView = {
  service: 'v10',
  till: {
    connected: true,
    busy: false,
    display: { kind: 'ready', command: null, amount: null, text: null },
    receipt: [],
    log: [],
  },
  phone: { state: 'away', amount: null, refusal: null },
  frozen: false,
  manager: null,
};

/** The page without a screen's name in its address. */
export const home: readonly State[] = [
  { name: 'home', scene: {}, main: true },
  {
    name: 'lanes',
    scene: { lanes: [quietLane, { ...quietLane, laneId: '2', name: 'Itsepalvelukassa 2' }] },
  },
  { name: 'demo', scene: { demo } },
  {
    name: 'demoNothingToScan',
    scene: { demo: { ...demo, phone: { ...demo.phone, refusal: 'nothingToScan' } } },
    likeAnother: true,
  },
  { name: 'noLane', scene: { lanes: [] } },
  { name: 'notOpened', scene: { lanes: [], isSetUp: true } },
  { name: 'restored', scene: { lanes: [], restored } },
  {
    name: 'wrongLane',
    at: '&lane=9',
    scene: { lanes: [quietLane, { ...quietLane, laneId: '2', name: 'Check-out 2' }] },
  },
];
