import { expect, test } from 'vitest';
import { reportsAccess } from '../../../../main/counter/app/reports-access.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';

const storeId = '51070000-0000-4000-8000-000000000001';
const till = { protocol: 'zvt', transport: 'tcp', port: 0 };
const lane = {
  id: 'K1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: { merchantPosId: 'till-1', name: 'Till by the door', storeId },
  till,
};
const epayment = {
  service: 'epayment',
  environment: 'production',
  country: 'DK',
  clientId: 'id',
  clientSecret: 'secret',
  subscriptionKey: 'key',
  merchantSerialNumber: '123456',
};
const v10 = {
  baseUrl: 'https://old.example',
  authUrl: 'https://old.example',
  clientId: 'id',
  clientSecret: 'secret',
  merchantVat: 'DK12345678',
};
const accessOf = (wallets: object, former: 'v10' | 'epayment' | null = null) =>
  reportsAccess({
    settings: parseSettings({ ...wallets, lanes: [lane] }, {}),
    simulator: null,
    former: former && { name: former },
  });
const ledger = { baseUrl: 'https://api.vipps.no', keys: { msn: '123456' } };

test('after a change of service the reports of either are read, with the keys of each, and payments are told by the names of both', () => {
  expect(
    accessOf(
      {
        wallet: epayment,
        formerWallet: { ...v10, reportingKey: 'its key', reportingUrl: 'https://reports.example' },
      },
      'v10',
    ),
  ).toMatchObject({
    posNames: ['K1', 'Till by the door'],
    inUse: ledger,
    former: {
      service: 'v10',
      source: { baseUrl: 'https://reports.example', apiKey: 'its key', storeIds: [storeId] },
    },
  });
});

test('without a key for the reports of the one before, those of the one in use are read', () => {
  expect(accessOf({ wallet: epayment, formerWallet: v10 }, 'v10')).toMatchObject({
    inUse: ledger,
    former: { service: 'v10', source: null },
  });
  expect(accessOf({ wallet: v10, formerWallet: epayment }, 'epayment')).toBeNull();
});

test('without a change there is no other', () => {
  expect(accessOf({ wallet: epayment })).toMatchObject({
    posNames: ['K1'],
    inUse: ledger,
    former: null,
  });
});
