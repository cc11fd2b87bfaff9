import { describe, expect, test } from 'vitest';
import { Windows } from '../../../../main/host/desktop/windows.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { ThisPcChoices } from '../../../../preload/procedures/this-pc.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FakeScreen, FakeWindow } from './fake-electron.ts';

const left = { id: 1, label: '', bounds: { x: 0, y: 0, width: 1920, height: 1080 } };
const right = { id: 2, label: 'Elo', bounds: { x: 1920, y: 0, width: 800, height: 600 } };
const usual = {
  windows: [],
  kiosk: true,
  zoomPercent: 100,
  language: null,
  sound: true,
  screenKeyboard: 'automatic',
} as unknown as ThisPcChoices;

interface About {
  readonly displays?: FakeScreen['displays'];
  readonly mode?: 'demo' | 'setUp' | 'notSetUp' | null;
  readonly isPackaged?: boolean;
  readonly platform?: NodeJS.Platform;
  readonly canPlace?: boolean;
}

function app({
  displays = [left, right],
  mode = 'setUp',
  isPackaged = true,
  platform = 'linux',
  canPlace = true,
}: About = {}) {
  const clock = new ManualClock();
  const screen = new FakeScreen(displays);
  const opened: FakeWindow[] = [];
  const now = { choices: usual, mode, sessionEnds: 0 };
  const windows = new Windows({
    openWindow(options) {
      opened.push(new FakeWindow(options));
      return (opened.at(-1) as FakeWindow).asWindow;
    },
    displays: screen.asScreen,
    canPlace,
    platform,
    preload: 'preload.cjs',
    isPackaged,
    isQuitting: () => false,
    onSessionEnd: () => void (now.sessionEnds += 1),
    choices: () => now.choices,
    mode: () => now.mode,
    clock,
    log: silentLog,
  });
  windows.arrange();
  const showing = (name: string): FakeWindow => {
    const matches = opened.filter(
      ({ isGone, loaded }) => !isGone && loaded[0]?.includes(`/${name}/`),
    );
    expect(matches, name).toHaveLength(1);
    return matches[0] as FakeWindow;
  };
  return { clock, screen, opened, now, windows, showing };
}

describe('a window’s place', () => {
  test('is its display again after the system has moved it, also where the plan is as before', async () => {
    const { clock, screen, showing } = app();
    const customer = showing('customer');
    // Lost, and back before the app has looked.
    screen.displays = [left];
    screen.emit('display-removed');
    customer.bounds = left.bounds;
    screen.displays = [left, right];
    screen.emit('display-added');
    await clock.pass(250);
    expect([customer.bounds, customer.did]).toEqual([right.bounds, ['no kiosk', 'kiosk']]);
  });

  test('is left alone where nothing has moved it, though the system rounds', async () => {
    const { windows, showing } = app();
    const customer = showing('customer');
    customer.bounds = { ...right.bounds, width: 799, height: 570 };
    windows.arrange();
    expect(customer.did).toEqual([]);
  });

  test('outside of kiosk mode is a person’s, as long as it is on its display', () => {
    const { windows, showing } = app({ mode: 'demo' });
    const cashier = showing('cashier');
    const moved = { x: 300, y: 200, width: 500, height: 500 };
    cashier.bounds = moved;
    windows.arrange();
    expect(cashier.bounds).toEqual(moved);
    cashier.bounds = { ...moved, x: 1920 };
    windows.arrange();
    expect(cashier.bounds.x).toBe(0);
  });

  test('is not decided before it is known what is to be shown, whatever happens to displays', async () => {
    const { clock, screen, now, windows, opened, showing } = app({ mode: null });
    screen.emit('display-added');
    await clock.pass(250);
    expect(opened).toEqual([]);
    now.mode = 'demo';
    windows.arrange();
    expect(showing('demo').bounds.x).toBe(960);
  });

  test('stays while no display is there: an app without windows ends', async () => {
    const { clock, screen, opened } = app();
    screen.displays = [];
    screen.emit('display-removed');
    await clock.pass(250);
    expect(opened.map(({ isGone }) => isGone)).toEqual([false, false]);
  });
});

describe('the keyboard', () => {
  test('is for the cashier’s window alone, whichever is there first, and whatever is plugged in later', async () => {
    const { clock, screen, showing } = app();
    showing('cashier').emit('ready-to-show');
    showing('customer').emit('ready-to-show');
    screen.displays = [left];
    screen.emit('display-removed');
    await clock.pass(250);
    screen.displays = [left, right];
    screen.emit('display-added');
    await clock.pass(250);
    showing('customer').emit('ready-to-show');
    expect([showing('cashier').did, showing('customer').did]).toEqual([
      ['show', 'focus'],
      ['showInactive'],
    ]);
  });

  test('is for the cashier’s window, also where others were chosen first, and after all were brought to the front', () => {
    const third = { ...right, id: 3, bounds: { ...right.bounds, x: 2720 } };
    const { now, windows, opened, showing } = app({ displays: [left, right, third], mode: null });
    now.choices = {
      ...usual,
      windows: (['customer', 'manager', 'cashier'] as const).map((screen) => ({
        screen,
        laneId: null,
        display: null,
      })),
    };
    now.mode = 'setUp';
    windows.arrange();
    for (const window of opened) window.emit('ready-to-show');
    expect([showing('manager').did, showing('cashier').did]).toEqual([
      ['showInactive'],
      ['show', 'focus'],
    ]);
    expect(windows.first).toBe(showing('cashier').asWindow);
    const focused: string[] = [];
    for (const window of opened) window.focus = () => void focused.push(window.loaded[0] ?? '');
    windows.focus();
    expect([focused.length, focused.at(-1)]).toEqual([
      3,
      'tillbeacon://screens/cashier/index.html',
    ]);
  });
});

describe('the keyboard on the screen', () => {
  const messagesTo = ({ webContents }: FakeWindow): unknown[] =>
    webContents.sent
      .filter(([channel]) => channel === 'tillbeacon:keyboard')
      .map(([, presses]) => presses);

  test.each([
    ['automatic', 'linux', 'touch'],
    ['automatic', 'win32', 'none'],
    ['automatic', 'darwin', 'none'],
    ['always', 'win32', 'any'],
    ['never', 'linux', 'none'],
  ] as const)('%s on %s opens by: %s', (screenKeyboard, platform, presses) => {
    const { now, windows, showing } = app({ platform, mode: null });
    now.choices = { ...usual, screenKeyboard };
    now.mode = 'setUp';
    windows.arrange();
    for (const window of [showing('cashier'), showing('customer')])
      windows.of(window.asWindow.webContents)?.tellPage();
    expect([messagesTo(showing('cashier')), messagesTo(showing('customer'))]).toEqual([
      [presses],
      ['none'],
    ]);
  });

  test('is told anew when a manager chooses otherwise, without a load', () => {
    const { now, windows, showing } = app();
    now.choices = { ...usual, screenKeyboard: 'always' };
    windows.arrange();
    windows.arrange();
    expect([messagesTo(showing('cashier')), showing('cashier').loaded.length]).toEqual([
      ['any'],
      1,
    ]);
  });
});

describe('setup’s window', () => {
  test('stays until its page leads to the counter’s screens, which are opened then', async () => {
    const { clock, screen, now, windows, opened, showing } = app({ mode: 'notSetUp' });
    const setup = showing('setup');
    now.mode = 'setUp';
    // A display changes while the daemon says that it is set up.
    windows.arrange();
    screen.emit('display-added');
    await clock.pass(250);
    expect(opened).toEqual([setup]);
    setup.webContents.leads('cashier');
    await clock.pass(0);
    expect(setup.isGone).toBe(true);
    showing('cashier');
    showing('customer');
  });
});

describe('a page', () => {
  test('of a lane is asked for that lane, in the language of this computer', () => {
    const { now, windows, opened } = app();
    now.choices = {
      ...usual,
      language: 'da',
      windows: [
        { screen: 'cashier', laneId: '2', display: null },
        { screen: 'customer', laneId: 'b', display: null },
      ],
    };
    windows.arrange();
    const visible = opened.filter(({ isGone }) => !isGone).map(({ loaded }) => loaded);
    expect(visible).toEqual([
      ['tillbeacon://screens/cashier/index.html?lane=2&lang=da'],
      ['tillbeacon://screens/customer/index.html?lane=b&lang=da'],
    ]);
  });

  test('takes another language as it is, without a load, which would sign a manager out', () => {
    const { now, windows, showing } = app();
    const cashier = showing('cashier');
    cashier.webContents.finishes();
    cashier.webContents.sent.splice(0);
    for (const language of ['fi', null] as const) {
      now.choices = { ...usual, language };
      windows.arrange();
    }
    expect([cashier.loaded.length, cashier.webContents.sent]).toEqual([
      1,
      [
        ['tillbeacon:language', 'fi'],
        ['tillbeacon:language', null],
      ],
    ]);
    // The window keeps it when it is loaded again.
    now.choices = { ...usual, language: 'sv' };
    windows.arrange();
    cashier.webContents.crashes();
    expect(cashier.loaded.at(-1)).toContain('lang=sv');
  });

  test('that could not be loaded is loaded again, after a pause where that happens again and again', async () => {
    const { clock, showing } = app();
    const { loaded, webContents } = showing('cashier');
    webContents.fails();
    await clock.pass(999);
    expect(loaded).toHaveLength(1);
    await clock.pass(1);
    expect(loaded).toHaveLength(2);
    for (const _time of [1, 2]) {
      webContents.fails();
      await clock.pass(1_000);
    }
    webContents.fails();
    await clock.pass(4_999);
    expect(loaded).toHaveLength(4);
    await clock.pass(1);
    expect(loaded).toHaveLength(5);
    // An error page sends no signs of life, and is not ended for that.
    expect(webContents.ended).toBe(0);
  });

  test('is not loaded again for a frame in it, or for a load that a newer one has replaced', async () => {
    const { clock, showing } = app();
    const { loaded, webContents } = showing('cashier');
    webContents.finishes();
    webContents.fails(-2, false);
    webContents.fails(-3);
    await clock.pass(2_000);
    expect(loaded).toHaveLength(1);
  });

  test('that hangs while it is loading is ended after a minute', async () => {
    const { clock, showing } = app();
    const { loaded, webContents } = showing('cashier');
    await clock.pass(59_999);
    expect(webContents.ended).toBe(0);
    await clock.pass(1);
    expect(webContents.ended).toBe(1);
    webContents.crashes();
    expect(loaded).toHaveLength(2);
  });

  test('that hangs before it has a process is loaded again too', async () => {
    const { clock, showing } = app();
    await clock.pass(61_000);
    expect(showing('cashier').loaded).toHaveLength(2);
  });

  test('that was refused to go elsewhere is still watched', async () => {
    const { clock, showing } = app();
    const { webContents } = showing('cashier');
    webContents.finishes();
    webContents.startsLoading();
    webContents.loading = false;
    webContents.emit('did-stop-loading');
    await clock.pass(10_000);
    expect(webContents.ended).toBe(1);
  });

  test('that crashes is loaded again at once, and after a pause where it crashes again and again', async () => {
    const { clock, showing } = app();
    const { loaded, webContents } = showing('cashier');
    for (const times of [2, 3, 4]) {
      webContents.crashes();
      expect(loaded).toHaveLength(times);
    }
    webContents.crashes();
    await clock.pass(4_999);
    expect(loaded).toHaveLength(4);
    await clock.pass(1);
    expect(loaded).toHaveLength(5);
  });

  test('that Chromium calls unresponsive is ended', () => {
    const { showing } = app();
    const { webContents } = showing('cashier');
    webContents.emit('unresponsive');
    expect(webContents.ended).toBe(1);
  });
});

describe('what a window lets through', () => {
  const reload = [
    ['F5'],
    ['r', { control: true }],
    ['i', { control: true, shift: true }],
    ['ArrowLeft', { alt: true }],
  ] as const;

  test.each([
    ['of a packed app', { isPackaged: true, mode: 'demo' }],
    ['in kiosk mode', { isPackaged: false, mode: 'setUp' }],
  ] as const)('%s is no key that reloads, leads back or opens tools', (_what, about) => {
    const { webContents } = app(about).showing('cashier');
    for (const [key, more] of reload) expect(webContents.press(key, more), key).toBe(true);
    expect(webContents.press('a')).toBe(false);
  });

  test('of a checkout outside of kiosk mode are all keys, and the tools', () => {
    const { webContents, options } = app({ isPackaged: false, mode: 'demo' }).showing('cashier');
    for (const [key, more] of reload) expect(webContents.press(key, more), key).toBe(false);
    expect(options.webPreferences?.devTools).toBe(true);
  });

  test('is no page of somebody else, no dropped file, no spelling service and, when packed, no tools', () => {
    for (const name of ['cashier', 'customer'])
      expect(app().showing(name).options.webPreferences).toMatchObject({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        webSecurity: true,
        spellcheck: false,
        navigateOnDragDrop: false,
        devTools: false,
      });
  });

  test('in kiosk mode is no way to close it; the end of the session is passed on', () => {
    const { now, showing } = app();
    expect(showing('cashier').close()).toBe(false);
    showing('cashier').emit('session-end');
    expect(now.sessionEnds).toBe(1);
    expect(app({ mode: 'demo' }).showing('cashier').close()).toBe(true);
  });
});

describe('where windows cannot be placed', () => {
  test('each is opened full screen and then left where the system has put it', async () => {
    const { clock, screen, opened, showing } = app({ canPlace: false });
    expect(opened.map(({ options: { kiosk, x, width } }) => [kiosk, x, width])).toEqual([
      [true, undefined, 1920],
      [true, undefined, 800],
    ]);
    // What Wayland says of any window.
    showing('customer').bounds = { x: 0, y: 0, width: 800, height: 600 };
    screen.emit('display-metrics-changed');
    await clock.pass(250);
    expect(showing('customer').did).toEqual([]);
  });
});
