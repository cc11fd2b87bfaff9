import type { Handlers } from '../../../main/counter/server/router.ts';
import type { Session } from '../../../main/counter/server/session.ts';
import { TestPaymentState } from '../../../preload/procedures/setup-till.ts';
import type { State } from './state.ts';
import { program, whole, steps, tests, path, next } from './setup-shared.ts';

const asking = tests({
  state: 'ready',
  with: 'till',
  steps: ['starting'],
  api: {
    url: 'https://till-1.shop.example:4182',
    certificate: '/etc/tillbeacon/till-1.pem',
    resolve: 'till-1.shop.example:4182:192.168.1.20',
  },
});
const startedNow = (): Handlers => {
  const started = new WeakSet<Session>();
  return {
    startTestPayment(_asked, by) {
      started.add(by);
      return tests({ state: 'starting', with: 'till' });
    },
    testPaymentState: (_asked, by) => (started.has(by) ? asking : tests({})),
  };
};

/** As `test-http`, of a till that is a page. */
const ofPage = (name: string, refusedPage: TestPaymentState['refusedPage']): State => ({
  name,
  at: '',
  likeAnother: true,
  scene: path(
    {
      ...whole,
      till: { ...program, origins: ['https://till.example', 'http://shop.example'] },
      tested: null,
    },
    { testPaymentState: () => ({ ...asking, refusedPage }) },
  ),
  reach: async (page) =>
    page.getByTestId(refusedPage === null ? 'page-silent' : 'page-refused').waitFor(),
});

/** The test payment, and the first manager. */
export const testStates: readonly State[] = [
  { name: 'test', at: '', scene: path({ ...whole, tested: null }), main: true },
  ...TestPaymentState.shape.state.options
    .filter((state) => state !== 'none')
    .map(
      (state): State => ({
        name: `test-${state}`,
        at: '',
        ...(state !== 'failed' && { likeAnother: true }),
        scene: path(
          { ...whole, tested: null },
          {
            testPaymentState: () =>
              tests({
                state,
                steps:
                  state === 'passed' ? [...steps, 'approveInApp', 'tillTold', 'captured'] : steps,
                detail: state === 'failed' ? 'the till closed the line' : null,
              }),
          },
        ),
      }),
    ),
  {
    name: 'test-http',
    at: '',
    main: true,
    scene: path(
      { ...whole, till: program, tested: null },
      {
        ...startedNow(),
      },
    ),
    reach: async (page) => {
      // Loaded anew, so that the token of another state is gone.
      await page.reload();
      await page.evaluate(() =>
        Object.defineProperty(crypto, 'randomUUID', {
          configurable: true,
          value: () => '0b7f0e33-6166-442f-8cc9-e4c20ae427ba',
        }),
      );
      await page.getByTestId('test-with-till').check();
      await next(page);
      await page.locator('#curl').waitFor();
    },
  },
  ofPage('test-http-page-silent', null),
  ofPage('test-http-page-refused', { page: 'https://shop.example', code: 'origin-refused' }),
  ofPage('test-http-page-name', { page: 'https://till.example', code: 'host-refused' }),
  { name: 'manager', at: '', scene: path(whole) },
  {
    name: 'manager-pin',
    at: '',
    scene: path(whole),
    reach: async (page) => {
      await page.getByTestId('manager-name').fill('Ada');
      await page.getByTestId('name-next').click();
      await page.locator('tb-pin-pad').waitFor();
    },
  },
];
