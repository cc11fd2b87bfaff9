import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { ThisPc } from '../../../preload/procedures/this-pc.ts';
import { managerScene, refuses } from './manager-shared.ts';
import type { State } from './state.ts';

const left = { id: 1, label: 'LG Ultra', width: 1920, height: 1080, isMain: true };
const right = { id: 2, label: '', width: 1024, height: 768, isMain: false };
export const usual: ThisPc = {
  choices: {
    windows: [],
    kiosk: true,
    zoomPercent: 100,
    language: null,
    sound: true,
    screenKeyboard: 'automatic',
    autostart: true,
    awake: { fromMinute: 360, untilMinute: 1380 },
    softwareRendering: false,
    updateChannel: null,
  },
  displays: [left, right],
  waiting: [],
  isKioskLeft: false,
  canAutostart: true,
};
export const chosen: ThisPc = {
  ...usual,
  choices: {
    ...usual.choices,
    windows: [
      { screen: 'cashier', laneId: null, display: { id: 1, label: 'LG Ultra' } },
      { screen: 'customer', laneId: '2', display: { id: 9, label: 'Elo Touch 1002L' } },
    ],
    zoomPercent: 125,
    language: 'fi',
  },
  waiting: [1],
  isKioskLeft: true,
  canAutostart: false,
};
/** The screens of a daemon. */
const feed = {
  address: 'https://updates.shop.example/tillbeacon',
  from: 'settings',
  channel: 'stable',
  pin: null,
} as const;
const beside = (
  app: Partial<NonNullable<ThisPc['app']>>,
  updateChannel: ThisPc['choices']['updateChannel'] = null,
): ThisPc => ({
  ...usual,
  choices: { ...usual.choices, updateChannel },
  app: { version: '1.2.0', update: null, feed, ...app },
});
const app = (shown: ThisPc) =>
  managerScene({
    thisPc: () => shown,
    changeThisPc: () => shown,
    leaveKiosk: () => ({ ...shown, isKioskLeft: true }),
    quitApp: () => ({}),
  });

/** The page for this computer in the desktop app; in a browser it says whose page it is. */
export const thisPc: readonly State[] = [
  { name: 'thisPc', at: '#thisPc', scene: app(usual), main: true },
  { name: 'thisPc-chosen', at: '#thisPc', scene: app(chosen) },
  {
    name: 'thisPc-warnings',
    at: '#thisPc',
    scene: app({ ...usual, warnings: ['keyStorePlain', 'windowsUnplaced', 'noSandbox'] }),
  },
  {
    name: 'thisPc-kiosk-left',
    at: '#thisPc',
    scene: app(chosen),
    reach: (page) => page.getByTestId('enter-kiosk').scrollIntoViewIfNeeded(),
  },
  {
    name: 'thisPc-waiting',
    at: '#thisPc',
    scene: app(
      beside({ update: { state: 'ok', code: 'waiting', version: '1.3.0', detail: null } }),
    ),
    reach: (page) => page.getByTestId('app-update').scrollIntoViewIfNeeded(),
  },
  {
    name: 'thisPc-taken-back',
    at: '#thisPc',
    likeAnother: true,
    scene: app(
      beside(
        {
          update: {
            state: 'attention',
            code: 'takenBack',
            version: '1.3.0',
            detail: 'it was not ready within 60 s',
          },
          feed: { ...feed, from: 'thisPc', pin: '1.3.0' },
        },
        'beta',
      ),
    ),
    reach: (page) => page.getByTestId('app-update').scrollIntoViewIfNeeded(),
  },
  {
    name: 'thisPc-not-updated',
    at: '#thisPc',
    likeAnother: true,
    scene: app(beside({ feed: null })),
  },
  {
    name: 'thisPc-awake',
    at: '#thisPc',
    scene: app(usual),
    reach: async (page) => {
      await page.getByTestId('awake-until').fill('06:00');
      await page.getByTestId('awake-until').blur();
      await page.locator('#awake-until-problem').filter({ hasText: /./ }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'thisPc-browser', at: '#thisPc', scene: managerScene({}) },
  {
    name: 'thisPc-refused',
    at: '#thisPc',
    scene: managerScene({
      thisPc: () => usual,
      changeThisPc: refuses(new Refusal('failed', 'disk')),
    }),
    reach: async (page) => {
      await page.getByTestId('sound').click();
      await page.locator('.notice[data-kind="error"]').waitFor();
    },
  },
  {
    name: 'thisPc-quit',
    at: '#thisPc',
    scene: app(usual),
    reach: (page) => page.getByTestId('quit').click(),
  },
];
