import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  commonServiceRefusals,
  salesUnitRefusals,
} from '../../../preload/procedures/setup-service.ts';
import { nowMs } from '../stage.ts';
import { refuses } from './manager-shared.ts';
import type { State } from './state.ts';
import { salesUnit, nothing, until, path, next } from './setup-shared.ts';

const credentials = (
  code: ConstructorParameters<typeof Refusal>[0],
  facts: Record<string, string | number> = {},
): State => ({
  name: `wallet-${code}`,
  ...(code !== 'certificateWrong' && { likeAnother: true }),
  at: '',
  scene: path(
    { ...until('store'), next: 'wallet' },
    {
      testCredentials: refuses(
        new Refusal(code, 'invalid_request', {
          facts: {
            host: 'api.wallet.example',
            status: 403,
            code: '1301',
            detail: 'SELF_SIGNED_CERT_IN_CHAIN',
            seconds: -4_000,
            ...facts,
          },
        }),
      ),
    },
  ),
  reach: async (page) => {
    await next(page);
    await page
      .locator('tb-wallet-step .problem span, tb-wallet-step [data-testid="refused"]')
      .first()
      .waitFor();
  },
});

/** The language, and the wallet service. */
export const walletStates: readonly State[] = [
  { name: 'language', at: '', scene: path(nothing), main: true },
  {
    name: 'restore',
    at: '',
    scene: path(nothing, {}, { canRestore: true }),
    reach: async (page) => {
      await page.getByTestId('restore').click();
      await page.getByTestId('restore-now').click();
    },
  },
  {
    name: 'restore-restored',
    at: '',
    scene: path(
      nothing,
      {
        backupPart: () => ({}),
        restoreBackup: () => ({
          from: 'KASSE-PC-02',
          madeAtMs: nowMs - 18 * 3_600_000,
          unsettled: 2,
          missing: [
            'clientSecret: sealed by the desktop app for the old computer alone: enter it again in the setup',
          ],
        }),
      },
      { canRestore: true },
    ),
    reach: async (page) => {
      await page.getByTestId('restore').click();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByTestId('backup-file').click(),
      ]);
      await chooser.setFiles({
        name: 'counter.backup',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('a backup'),
      });
      await page.locator('#passphrase').fill('correct horse battery');
      await page.getByTestId('restore-now').click();
      await page.getByTestId('restored').waitFor();
    },
  },
  { name: 'wallet', at: '', scene: path(until('wallet')), main: true },
  { name: 'wallet-other', at: '', scene: path({ ...until('store'), next: 'wallet' }) },
  { name: 'wallet-missing', at: '', scene: path(until('wallet')), reach: next },
  {
    name: 'wallet-address',
    at: '',
    likeAnother: true,
    scene: path({ ...until('store'), next: 'wallet' }),
    reach: async (page) => {
      await page.locator('#baseUrl').fill('http://api.wallet.example');
      await page.locator('#authUrl').fill('https://me:mine@auth.wallet.example');
      await next(page);
      await page.locator('#authUrl-problem').waitFor();
    },
  },
  {
    name: 'wallet-epayment',
    at: '',
    scene: path({ ...until('store'), wallet: { ...salesUnit, hasSecret: false }, next: 'wallet' }),
    main: true,
  },
  {
    name: 'wallet-epayment-missing',
    at: '',
    likeAnother: true,
    scene: path({ ...until('store'), wallet: { ...salesUnit, hasSecret: false }, next: 'wallet' }),
    reach: next,
  },
  {
    name: 'wallet-epayment-read',
    at: '',
    scene: path(
      { ...until('store'), wallet: salesUnit, next: 'wallet' },
      { testSalesUnit: () => ({ name: 'Hansens Købmand', country: 'DK', clockOffSeconds: 0 }) },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('sales-unit').waitFor();
    },
  },
  {
    name: 'wallet-epayment-clock',
    at: '',
    likeAnother: true,
    scene: path(
      { ...until('store'), wallet: salesUnit, next: 'wallet' },
      { testSalesUnit: () => ({ name: 'Hansens Købmand', country: 'DK', clockOffSeconds: 4_000 }) },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('clock-off').waitFor();
    },
  },
  ...salesUnitRefusals.map(
    (code): State => ({
      name: `wallet-${code}`,
      ...(code !== 'keysRefused' && { likeAnother: true }),
      at: '',
      scene: path(
        { ...until('store'), wallet: salesUnit, next: 'wallet' },
        {
          testSalesUnit: refuses(
            new Refusal(code, 'paymentAllowed is false', {
              field: code === 'keysRefused' ? 'clientSecret' : 'merchantSerialNumber',
              facts: { host: 'api.vipps.no', status: 401 },
            }),
          ),
        },
      ),
      reach: async (page) => {
        await next(page);
        await page
          .locator('tb-wallet-step .field-problem span, tb-wallet-step [data-testid="refused"]')
          .first()
          .waitFor();
      },
    }),
  ),
  {
    name: 'pointOfSale-epayment',
    at: '',
    scene: path(
      { ...until('pointOfSale'), wallet: salesUnit, store: null, next: 'pointOfSale' },
      { findPointsOfSale: () => ({ pointsOfSale: [] }) },
    ),
  },
  {
    name: 'wallet-simulator',
    at: '',
    scene: path({ ...until('wallet'), wallet: { kind: 'simulator' } }),
  },
  {
    name: 'wallet-more',
    at: '',
    scene: path({ ...until('store'), next: 'wallet' }),
    reach: async (page) => {
      await page.locator('tb-wallet-step summary').click();
      await page.locator('#reportingUrl').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'wallet-clock',
    at: '',
    scene: path(
      { ...until('store'), next: 'wallet' },
      {
        testCredentials: () => ({ expiresInSeconds: 3_600, clockOffSeconds: -4_000, stores: null }),
      },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('clock-off').waitFor();
    },
  },
  ...commonServiceRefusals.map((code) => credentials(code)),
  {
    name: 'wallet-reportingKeyRefused',
    at: '',
    likeAnother: true,
    scene: path(
      { ...until('store'), next: 'wallet' },
      {
        testCredentials: refuses(
          new Refusal('reportingKeyRefused', '401', {
            field: 'reportingKey',
            facts: { host: 'api.wallet.example' },
          }),
        ),
      },
    ),
    reach: async (page) => {
      await next(page);
      await page.locator('#reportingKey-problem span').waitFor();
    },
  },
];
