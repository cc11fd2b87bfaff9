import type { Page } from 'playwright';
import type { Handlers } from '../../../main/counter/server/router.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { never, type Scene } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { refuses } from './manager-shared.ts';
import type { State } from './state.ts';
import { overview, next } from './setup-shared.ts';

const customersSee: OutputOf<'customersSee'> = {
  shopName: 'Hansens Købmand',
  address: 'Nørregade 12, 1165 København K',
  vat: null,
  merchantVat: 'DK12345678',
  pictures: { logo: true, picture: false },
  lanes: [
    { laneId: '1', name: 'Check-out 1', checkInFirst: true, cannot: null },
    { laneId: '2', name: 'Itsepalvelukassa 2', checkInFirst: false, cannot: 'paymentFirst' },
    { laneId: '3', name: 'Café', checkInFirst: false, cannot: null },
  ],
  displays: { host: '192.168.1.20', port: 4_181 },
  servedAt: 4_181,
  addresses: ['192.168.1.20', '10.8.0.3'],
};
const customers = (
  about: Partial<OutputOf<'customersSee'>> = {},
  answers: Handlers = {},
): Scene => ({
  ...overview({}, { customersSee: () => ({ ...customersSee, ...about }), ...answers }),
  lanes: [
    {
      ...quietLane,
      customer: { ...quietLane.customer, shopName: 'Hansens Købmand', logo: '/shop/logo?v=1' },
    },
  ],
});
const toCustomers: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('customers').click();
  await page.locator('tb-setup-customers #shopName').waitFor();
};
const toDisplays: NonNullable<State['reach']> = async (page) => {
  await toCustomers(page);
  await page.getByTestId('displays').scrollIntoViewIfNeeded();
  await page.locator('tb-setup-customers summary').scrollIntoViewIfNeeded();
};
const pickLogo = async (
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.locator('#logo').click(),
  ]);
  await chooser.setFiles(file);
};

/** The page for the customers' screen. */
export const customersStates: readonly State[] = [
  { name: 'customers', at: '', scene: customers(), main: true, reach: toCustomers },
  {
    name: 'customers-none',
    at: '',
    scene: customers({
      shopName: null,
      pictures: { logo: false, picture: false },
      lanes: customersSee.lanes.slice(0, 1),
      displays: null,
      servedAt: null,
    }),
    reach: toCustomers,
  },
  {
    name: 'customers-broken',
    at: '',
    scene: customers({}, { picturePart: refuses(new Refusal('notAPicture', '')) }),
    reach: async (page) => {
      await toCustomers(page);
      await page.locator('#shopName').fill('x'.repeat(63));
      await page.locator('tb-setup-customers summary').click();
      await page.locator('#port').fill('80000');
      await next(page);
      await pickLogo(page, {
        name: 'logo.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('logo'),
      });
      await page.locator('#logo-problem span').waitFor();
    },
  },
  {
    name: 'customers-reading',
    at: '',
    scene: customers({}, { picturePart: ({ part }) => (part === 0 ? { type: null } : never()) }),
    reach: async (page) => {
      await toCustomers(page);
      await pickLogo(page, {
        name: 'logo.png',
        mimeType: 'image/png',
        buffer: Buffer.alloc(90_000),
      });
      await page.locator('[role="progressbar"][aria-valuenow="34"]').waitFor();
    },
  },
  { name: 'customers-unserved', at: '', scene: customers({ servedAt: null }), reach: toDisplays },
  { name: 'customers-displays', at: '', scene: customers(), main: true, reach: toDisplays },
  {
    name: 'customers-everyNetwork',
    at: '',
    scene: customers({ displays: { host: '0.0.0.0', port: 4_181 } }),
    reach: toDisplays,
    likeAnother: true,
  },
  {
    name: 'customers-gone',
    at: '',
    scene: customers({ servedAt: null, addresses: ['192.168.2.7'] }),
    reach: toDisplays,
    likeAnother: true,
  },
  {
    name: 'customers-noNetwork',
    at: '',
    scene: customers({ addresses: [], displays: null }),
    likeAnother: true,
    reach: async (page) => {
      await toCustomers(page);
      await page.getByTestId('displays').check();
      await page.locator('tb-setup-customers summary').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'customers-busy',
    at: '',
    scene: customers({}, { changeCustomersSee: refuses(new Refusal('busy', '')) }),
    reach: async (page) => {
      await toCustomers(page);
      await next(page);
      await page.getByTestId('refused').waitFor();
    },
  },
  {
    name: 'customers-saved',
    at: '',
    scene: customers({}, { changeCustomersSee: () => customersSee }),
    reach: async (page) => {
      await toCustomers(page);
      await next(page);
      await page.getByTestId('saved').waitFor();
    },
  },
];
