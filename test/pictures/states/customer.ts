import { beaconCombinations, cashierStates, namedStates } from '../../support/cashier-states.ts';
import { type CustomerState, customerStates } from '../../support/customer-states.ts';
import { ownCodePicture } from '../../support/own-code.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { restored } from '../stage.ts';
import type { State } from './state.ts';

const main: ReadonlySet<CustomerState> = new Set([
  'idle',
  'away',
  'scanFirst',
  'waitingForCustomer',
  'unanswered',
  'approveInApp',
  'paid',
  'notPaid',
]);

const { state: waiting, customer: shop } = customerStates.waitingForCustomer;
const ownCode = {
  ...quietLane,
  codePerPayment: true as const,
  state: { ...waiting, qr: null, ownCode: ownCodePicture },
  customer: { ...shop, apps: ['MobilePay', 'Vipps'] },
};

const asked = { ...quietLane, ...customerStates.waitingForCustomer, ...namedStates['named-asked'] };
const sticker = {
  ...asked,
  state: { ...waiting, qr: null, ownCode: ownCodePicture },
  named: { ...asked.named, sticker: 'there' as const },
};
const withPad = { ...asked, customer: { ...shop, numberPad: true as const } };

export const customer: readonly State[] = [
  { name: 'ownCode', scene: { lanes: [ownCode] }, main: true },
  // From 12 January 2027 MobilePay is called Vipps, so only one app is named.
  {
    name: 'ownCode-one-app',
    likeAnother: true,
    scene: { lanes: [{ ...ownCode, customer: { ...shop, apps: ['Vipps'] } }] },
  },
  ...(Object.keys(customerStates) as CustomerState[]).map(
    (name): State => ({
      name,
      scene: { lanes: [{ ...quietLane, ...customerStates[name] }] },
      ...(main.has(name) && { main: true }),
    }),
  ),
  {
    name: 'largestAmount',
    scene: {
      lanes: [
        {
          ...quietLane,
          ...customerStates.waitingForCustomer,
          state: { ...cashierStates.waitingForCustomer, amountMinor: 999_999_999 },
        },
      ],
    },
  },
  {
    name: 'reserving',
    scene: {
      lanes: [
        {
          ...quietLane,
          ...customerStates.waitingForCustomer,
          state: { ...waiting, isReservation: true },
        },
      ],
    },
  },
  {
    name: 'simulated',
    scene: {
      lanes: [{ ...quietLane, ...customerStates.waitingForCustomer, service: 'simulated' }],
    },
  },
  {
    name: 'test-service',
    likeAnother: true,
    scene: {
      lanes: [{ ...quietLane, ...customerStates.waitingForCustomer, service: 'testUnchecked' }],
    },
  },
  {
    name: 'longName',
    scene: {
      lanes: [
        {
          ...quietLane,
          ...customerStates.idle,
          customer: {
            ...customerStates.idle.customer,
            shopName: 'Rantakadun Elintarvike- ja Taloustavarakauppa',
          },
        },
      ],
    },
  },
  ...beaconCombinations.map((beacons): State => {
    const name = beacons.join('-');
    const isMain = name === 'QR-NFC-Bluetooth' || name === 'NFC';
    const lane = { ...quietLane, ...customerStates.waitingForCustomer, beacons };
    const state = beacons.includes('QR') ? lane.state : { ...lane.state, qr: null };
    return {
      name: `waitingForCustomer-${name}`,
      scene: { lanes: [{ ...lane, state }] },
      ...(isMain ? { main: true } : { likeAnother: true }),
    };
  }),
  ...beaconCombinations.flatMap((beacons): State[] => {
    const scanFirst = customerStates.scanFirst.customer;
    const isMain = beacons.length === 1 || beacons.length === 3;
    const checkIn = {
      qr: beacons.includes('QR') ? scanFirst.checkIn.qr : null,
      isCheckedIn: false,
    };
    const lane = {
      ...quietLane,
      ...customerStates.idle,
      customer: { ...scanFirst, checkIn },
      beacons,
    };
    const name = `scanFirst-${beacons.join('-')}`;
    return [{ name, scene: { lanes: [lane] }, ...(!isMain && { likeAnother: true }) }];
  }),
  {
    name: 'idle-beacon',
    scene: { lanes: [{ ...quietLane, ...customerStates.idle, beacons: ['NFC', 'Bluetooth'] }] },
  },
  {
    name: 'idle-either',
    likeAnother: true,
    scene: { lanes: [{ ...quietLane, ...customerStates.idle, beacons: ['QR', 'NFC'] }] },
  },
  {
    name: 'named-asked',
    scene: {
      lanes: [
        { ...quietLane, ...customerStates.waitingForCustomer, ...namedStates['named-asked'] },
      ],
    },
  },
  { name: 'sticker', scene: { lanes: [sticker] } },
  {
    name: 'sticker-noPicture',
    scene: { lanes: [{ ...sticker, state: { ...waiting, qr: null } }] },
  },
  {
    name: 'scanFirst-sticker',
    scene: {
      lanes: [
        {
          ...quietLane,
          ...customerStates.idle,
          customer: { ...shop, checkIn: { qr: null, ownCode: ownCodePicture, isCheckedIn: false } },
        },
      ],
    },
  },
  { name: 'numberPad', scene: { lanes: [withPad] } },
  { name: 'numberPad-sticker', scene: { lanes: [{ ...sticker, customer: withPad.customer }] } },
  {
    name: 'numberPad-typing',
    scene: { lanes: [withPad] },
    main: true,
    async reach(page) {
      await page.getByTestId('type-number').click();
      for (const key of '2003') await page.locator(`tb-pin-pad [data-key="${key}"]`).click();
    },
  },
  { name: 'noLane', scene: { lanes: [] } },
  { name: 'notOpened', likeAnother: true, scene: { lanes: [], restored } },
  {
    name: 'wrongLane',
    at: '&lane=9',
    scene: { lanes: [quietLane, { ...quietLane, laneId: '2', name: 'Check-out 2' }] },
  },
];
