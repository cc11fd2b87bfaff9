import { restored } from '../stage.ts';
import { customersStates } from './setup-customers.ts';
import { finishStates } from './setup-finish.ts';
import { overviewStates } from './setup-overview.ts';
import { storeStates } from './setup-store.ts';
import { testStates } from './setup-test.ts';
import { tillStates } from './setup-till.ts';
import { waysStates } from './setup-ways.ts';
import { walletStates } from './setup-wallet.ts';
import { nothing, path } from './setup-shared.ts';
import type { State } from './state.ts';

/** The setup's steps, and the overview of what is in use. */
export const setup: readonly State[] = [
  { name: 'restored', at: '', scene: { ...path(nothing), lanes: [], restored } },
  ...walletStates,
  ...storeStates,
  ...tillStates,
  ...testStates,
  ...finishStates,
  ...overviewStates,
  ...customersStates,
  ...waysStates,
];
