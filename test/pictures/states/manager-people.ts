import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Handlers } from '../../../main/counter/server/router.ts';
import { unsettledMoney } from '../../support/cashier-states.ts';
import { nowMs, restored } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { managers, managerScene, refuses, session } from './manager-shared.ts';
import { anew, type State } from './state.ts';

const codeFile = '/var/lib/tillbeacon/first-manager-code.txt';
const [ada] = managers;
const one = ada === undefined ? [] : [ada];

const tills: Handlers = {
  tillTokens: () => ({
    address: 'http://127.0.0.1:4182',
    lanes: [
      { laneId: '1', name: 'Check-out 1' },
      { laneId: '2', name: 'Check-out 2' },
    ],
    tokens: [
      {
        tokenId: '70ce0000-0000-4000-8000-000000000001',
        name: 'Kiosk by the door',
        laneId: '1',
        scopes: ['pay', 'read'],
        madeAtMs: nowMs,
      },
      {
        tokenId: '70ce0000-0000-4000-8000-000000000002',
        name: 'Back office',
        laneId: '2',
        scopes: ['refund', 'read'],
        madeAtMs: nowMs,
      },
    ],
  }),
};

/** Signing in, what is asked first of a counter that was restored, and the list of managers. */
export const people: readonly State[] = [
  { name: 'restored', at: '', scene: managerScene({}, { lanes: [], restored }), main: true },
  {
    name: 'restored-settled',
    at: '',
    scene: managerScene({}, { lanes: [], restored: { ...restored, unsettled: 0 } }),
    likeAnother: true,
  },
  {
    name: 'restored-copied',
    at: '',
    scene: managerScene({}, { lanes: [], restored: { ...restored, unsettled: 0, isCopy: true } }),
    likeAnother: true,
  },
  {
    name: 'restored-refused',
    at: '',
    scene: managerScene(
      { confirmRestored: refuses(new Refusal('failed', 'disk')) },
      { lanes: [], restored },
    ),
    reach: async (page) => {
      await page.getByTestId('looked').check();
      await page.getByTestId('confirm-restored').click();
      await page.locator('tb-restored [role="alert"]').waitFor();
    },
  },
  {
    name: 'signIn-first',
    at: '',
    scene: { answers: session([], false) },
    main: true,
    reach: (page) => page.locator('#manager-name:focus').waitFor(),
  },
  { name: 'signIn-code', at: '', scene: { answers: session([], false, codeFile) }, main: true },
  {
    name: 'signIn-code-wrong',
    scene: {
      answers: {
        ...session([], false, codeFile),
        enterCode: refuses(new Refusal('wrongCode', '', { facts: { triesLeft: 3 } })),
      },
    },
    reach: async (page) => {
      await page.locator('#code').fill('AAAA-AAAA');
      await page.keyboard.press('Enter');
      await page.locator('#code-problem span').waitFor();
    },
  },
  {
    name: 'signIn-code-locked',
    scene: {
      answers: {
        ...session([], false, codeFile),
        enterCode: refuses(new Refusal('locked', '', { facts: { seconds: 1_795 } })),
      },
    },
    reach: async (page) => {
      await page.locator('#code').fill('AAAA-AAAA');
      await page.keyboard.press('Enter');
      await page.getByTestId('locked').waitFor();
    },
  },
  {
    name: 'signIn-first-nameEmpty',
    scene: { answers: session([], false) },
    reach: (page) => page.getByTestId('name-next').click(),
  },
  {
    name: 'signIn-first-pin',
    scene: { answers: session([], false) },
    reach: async (page) => {
      await page.locator('#manager-name').fill('Ada Lund');
      await page.getByTestId('name-next').click();
      await page.keyboard.type('12');
    },
  },
  {
    name: 'signIn-first-weakPin',
    scene: { answers: session([], false) },
    reach: async (page) => {
      await page.locator('#manager-name').fill('Ada Lund');
      await page.getByTestId('name-next').click();
      await page.keyboard.type('1234');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'signIn-choose', at: '', scene: { answers: session(managers, false) }, main: true },
  { name: 'signIn-pin', at: '', scene: { answers: session(one, false) }, main: true },
  {
    name: 'signIn-wrongPin',
    scene: {
      answers: {
        ...session(managers, false),
        signIn: refuses(new Refusal('wrongPin', '', { facts: { triesLeft: 2 } })),
      },
    },
    reach: async (page) => {
      await page.getByTestId('manager').nth(1).click();
      await page.locator('tb-pin-pad:focus').waitFor();
      await page.keyboard.type('1111');
      await page.keyboard.press('Enter');
      await page.locator('#pin-problem span').waitFor();
    },
  },
  {
    name: 'signIn-locked',
    scene: {
      answers: {
        ...session(one, false),
        signIn: refuses(new Refusal('locked', '', { facts: { seconds: 1_795 } })),
      },
    },
    reach: async (page) => {
      await page.locator('tb-pin-pad:focus').waitFor();
      await page.keyboard.type('1111');
      await page.keyboard.press('Enter');
      await page.getByTestId('locked').waitFor();
    },
  },
  {
    name: 'signIn-refused',
    at: '',
    scene: { answers: { session: refuses(new Refusal('failed', 'disk')) } },
    reach: anew,
  },
  { name: 'people', at: '#people', scene: managerScene({}), main: true },
  {
    name: 'people-testService',
    at: '#people',
    scene: { ...managerScene({}), lanes: [{ ...quietLane, service: 'testUnchecked' }] },
  },
  {
    name: 'people-weakPin',
    at: '#people',
    scene: {
      answers: { ...session(one, false), signIn: () => ({ name: 'Ada Lund', hasWeakPin: true }) },
    },
    reach: async (page) => {
      await page.locator('tb-pin-pad:focus').waitFor();
      await page.keyboard.type('1234');
      await page.keyboard.press('Enter');
      await page.getByTestId('weak-pin').waitFor();
    },
  },
  {
    name: 'people-unsettled',
    at: '#people',
    scene: managerScene(
      {},
      {
        lanes: [
          {
            ...quietLane,
            unsettled: unsettledMoney(nowMs),
            journalDamage: { repaired: true, lostSales: 1 },
          },
          {
            ...quietLane,
            laneId: '2',
            name: 'Check-out 2',
            unsettled: unsettledMoney(nowMs).slice(0, 1),
          },
        ],
      },
    ),
  },
  {
    name: 'people-add',
    at: '#people',
    scene: managerScene({}),
    reach: (page) => page.getByTestId('add-manager').click(),
  },
  {
    name: 'people-add-taken',
    at: '#people',
    scene: managerScene({}),
    reach: async (page) => {
      await page.getByTestId('add-manager').click();
      await page.keyboard.type('Ada Lund');
      await page.keyboard.press('Enter');
      await page.locator('#manager-name-problem span').waitFor();
    },
  },
  {
    name: 'people-changePin',
    at: '#people',
    scene: managerScene({}),
    reach: (page) => page.getByTestId('change-pin').first().click(),
  },
  {
    name: 'people-remove',
    at: '#people',
    scene: managerScene({}),
    reach: (page) => page.getByTestId('remove').first().click(),
  },
  {
    name: 'people-remove-last',
    at: '#people',
    scene: { answers: session(one, true) },
    reach: (page) => page.getByTestId('remove').click(),
  },
  { name: 'people-tills', at: '#people', scene: managerScene(tills) },
  {
    name: 'people-token-make',
    at: '#people',
    scene: managerScene(tills),
    reach: async (page) => {
      await page.getByTestId('add-token').click();
      await page.getByTestId('make-token').click();
      await page.locator('#token-name-problem span').waitFor();
    },
  },
  {
    name: 'people-token-made',
    at: '#people',
    scene: managerScene({
      ...tills,
      makeTillToken: () => ({ token: 'tbt_0Zy8Qp3nT5rW7uYx2aBcDeFgHiJkLmNoPqRsTuVwXyZ' }),
    }),
    reach: async (page) => {
      await page.getByTestId('add-token').click();
      await page.getByTestId('token-name').fill('Kiosk 2');
      await page.getByTestId('make-token').click();
      await page.getByTestId('new-token').waitFor();
    },
  },
  {
    name: 'people-token-revoke',
    at: '#people',
    scene: managerScene(tills),
    reach: (page) => page.getByTestId('revoke').first().click(),
  },
  {
    name: 'people-removed',
    at: '#people',
    scene: managerScene({ removeManager: () => ({}) }),
    reach: async (page) => {
      await page.getByTestId('remove').nth(1).click();
      await page.getByTestId('remove-now').click();
      await page.getByTestId('toast').waitFor();
    },
  },
];
