import type { Session } from '../../../main/counter/server/session.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { never, type Scene } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { managers, refuses, session } from './manager-shared.ts';
import { chosen, usual } from './manager-this-pc.ts';
import type { State } from './state.ts';
import {
  beaconId,
  salesUnit,
  guarded,
  whole,
  noFile,
  inUse,
  consequences,
  starts,
  path,
  overview,
  next,
  lane,
} from './setup-shared.ts';

const recreate: OutputOf<'consequences'> = {
  pointOfSale: 'recreate',
  storeName: null,
  differences: [
    { field: 'name', now: 'Check-out 1', wanted: 'Kasse 1 ved udgangen' },
    { field: 'beaconId', now: beaconId, wanted: null },
    { field: 'callbackAlias', now: 'hansens-check-in', wanted: null },
  ],
  newSticker: true,
  presentBeaconId: beaconId,
  beaconTakenBy: null,
  checkInsLost: true,
  reservations: 0,
  abandoned: 2,
};
/** Set up without a manager: the step was skipped. */
function withoutManager(): Scene {
  const finished = new WeakSet<Session>();
  return {
    ...path(whole, {
      finishSetup(_asked, by) {
        finished.add(by);
        return { laneId: '1', firstManagerCode: 'K7QP-2M9X', tested: null, unheard: true };
      },
      setupState: (_asked, by) => ({
        inUse: finished.has(by) ? inUse : null,
        draft: whole,
        file: noFile,
        starts,
        recreating: [],
        leftBehind: [],
      }),
    }),
    lanes: [quietLane],
  };
}
/** The payment that is waited for ends, and its money is not confirmed yet. */
function busyThenSettling(): (asked: unknown, by: Session) => never {
  const asked = new WeakSet<Session>();
  return (_asked, by) => {
    if (asked.has(by)) throw new Refusal('reservations', '', { facts: { count: 1 } });
    asked.add(by);
    throw new Refusal('busy', '', { facts: { laneId: '2' } });
  };
}
/** An untested draft is resumed at the test. */
const toReview: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('skip').click();
  await page.getByTestId('part-till').waitFor();
};

/** The summary, and what comes of it. */
export const finishStates: readonly State[] = [
  { name: 'finish', at: '', scene: path(whole, session(managers, true)), main: true },
  {
    name: 'finish-epayment',
    at: '',
    scene: path(
      { ...whole, wallet: salesUnit, store: null },
      {
        ...session(managers, true),
        consequences: () => ({ ...consequences, pointOfSale: 'none' }),
      },
    ),
  },
  {
    name: 'finish-app',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      thisPc: () => usual,
      changeThisPc: () => chosen,
    }),
    reach: async (page) => {
      await page.getByTestId('choose-windows').click();
      await page.getByTestId('window').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'finish-looking',
    at: '',
    scene: path(whole, { ...session(managers, true), consequences: never }),
  },
  {
    name: 'finish-toCheck',
    at: '',
    scene: path({ ...whole, unheard: true, tested: null }, { ...session(managers, true) }),
    reach: toReview,
  },
  {
    name: 'finish-waiting',
    at: '',
    scene: path(
      whole,
      { ...session(managers, true), finishSetup: busyThenSettling() },
      { inUse, draft: { ...whole, laneId: '1' } },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('waits').waitFor();
      // The second try follows at once, and must not end the waiting.
      await page.waitForTimeout(500);
      await page.getByTestId('waits').waitFor({ timeout: 1_000 });
    },
  },
  {
    name: 'finish-guarded',
    at: '',
    scene: path({ ...whole, till: guarded }, session(managers, true)),
    likeAnother: true,
  },
  {
    name: 'finish-same',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      consequences: () => ({ ...consequences, pointOfSale: 'same' }),
    }),
    likeAnother: true,
  },
  {
    name: 'finish-recreate',
    at: '',
    scene: path(whole, { ...session(managers, true), consequences: () => recreate }),
    main: true,
  },
  {
    name: 'finish-reservations',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      consequences: () => ({ ...recreate, reservations: 3 }),
    }),
  },
  {
    name: 'finish-beaconTaken',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      consequences: () => ({ ...consequences, beaconTakenBy: 'shop-1-lane-7' }),
    }),
  },
  {
    name: 'finish-notWritable',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      finishSetup: refuses(
        new Refusal('notWritable', '', { facts: { path: '/var/lib/tillbeacon/settings.json' } }),
      ),
    }),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('refused').waitFor();
    },
  },
  {
    name: 'done',
    at: '',
    scene: path(
      whole,
      {
        finishSetup: () => ({ laneId: '1', firstManagerCode: null, tested: 'own', unheard: false }),
      },
      { inUse, draft: whole },
    ),
    main: true,
    reach: async (page) => {
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('open-cashier').waitFor();
    },
  },
  ...(
    [
      ['device', '123456789012345'],
      ['deviceChosen', undefined],
    ] as const
  ).map(
    ([name, number]): State => ({
      name: `done-${name}`,
      at: '',
      scene: path(
        whole,
        {
          finishSetup: () => ({
            laneId: '1',
            firstManagerCode: null,
            tested: 'own',
            unheard: false,
          }),
        },
        {
          inUse: inUse && {
            ...inUse,
            lanes: [
              {
                ...lane('1', 'Check-out 1'),
                beacons: ['NFC'],
                qr: null,
                ...(number !== undefined && { beaconId: number }),
              },
            ],
          },
          draft: whole,
        },
      ),
      reach: async (page) => {
        await page.locator('tb-finish-step').getByTestId('next').click();
        await page.getByTestId('device').waitFor();
      },
    }),
  ),
  {
    name: 'done-notStarted',
    at: '',
    scene: path(
      whole,
      {
        finishSetup: () => ({
          laneId: '1',
          firstManagerCode: null,
          tested: 'till',
          unheard: false,
        }),
      },
      { inUse, draft: whole, starts: { with: 'nothing', system: 'windows' } },
    ),
    reach: async (page) => {
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('not-started').waitFor();
    },
  },
  {
    name: 'done-firstManager',
    at: '',
    scene: withoutManager(),
    main: true,
    reach: async (page) => {
      await page.getByTestId('later').click();
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('first-manager').waitFor();
    },
  },
  { name: 'signIn', at: '', scene: overview({}, session(managers, false)) },
];
