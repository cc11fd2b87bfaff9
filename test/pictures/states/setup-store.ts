import { never } from '../stage.ts';
import { anew, type State } from './state.ts';
import { beaconId, pointOfSale, whole, until, path, next } from './setup-shared.ts';

/** The store and its points of sale. */
export const storeStates: readonly State[] = [
  { name: 'store', at: '', scene: path(until('store')) },
  { name: 'store-found', at: '', scene: path({ ...whole, next: 'store' }), main: true },
  {
    name: 'store-none',
    at: '',
    scene: path({ ...whole, next: 'store' }, { findStores: () => ({ stores: [] }) }),
    reach: anew,
  },
  {
    name: 'store-looking',
    at: '',
    scene: path({ ...whole, next: 'store' }, { findStores: never }),
  },
  { name: 'store-missing', at: '', scene: path(until('store')), reach: next },
  { name: 'pointOfSale', at: '', scene: path(until('pointOfSale')), main: true },
  {
    name: 'pointOfSale-new',
    at: '',
    scene: path(until('pointOfSale'), { findPointsOfSale: () => ({ pointsOfSale: [] }) }),
  },
  {
    name: 'pointOfSale-sticker',
    at: '',
    scene: path(
      {
        ...whole,
        pointOfSale: { ...pointOfSale, beaconId, beaconTypes: ['QR', 'NFC', 'Bluetooth'] },
        next: 'pointOfSale',
      },
      { findPointsOfSale: () => ({ pointsOfSale: [] }) },
    ),
  },
  {
    name: 'pointOfSale-more',
    at: '',
    scene: path(
      {
        ...whole,
        pointOfSale: {
          ...pointOfSale,
          restrictions: { debitCardDisallowed: true, creditCardDisallowed: true },
          merchantPaymentLabel: 'Café',
          callbackAlias: 'hansens-check-in',
        },
        next: 'pointOfSale',
      },
      { findPointsOfSale: () => ({ pointsOfSale: [] }) },
    ),
    reach: async (page) => {
      await page.locator('tb-point-of-sale-step summary').click();
      await page.locator('tb-point-of-sale-step details .notice').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'pointOfSale-broken',
    at: '',
    scene: path(until('pointOfSale'), { findPointsOfSale: () => ({ pointsOfSale: [] }) }),
    reach: async (page) => {
      await page.locator('#merchantPosId').fill('');
      await page.locator('#posName').fill('Kasse → 1');
      await next(page);
    },
  },
];
