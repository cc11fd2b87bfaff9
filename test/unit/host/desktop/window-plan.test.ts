import { describe, expect, test } from 'vitest';
import {
  type ConnectedDisplay,
  planSmallWindows,
  planWindows,
} from '../../../../main/host/desktop/window-plan.ts';
import type { ScreenName } from '../../../../preload/contract.ts';
import type { ChosenWindow } from '../../../../preload/procedures/this-pc.ts';

const display = (
  id: number,
  { isMain = id === 1, label = `display ${id}`, width = 1920 } = {},
): ConnectedDisplay => ({
  id,
  label,
  isMain,
  bounds: { x: (id - 1) * 1920, y: 0, width, height: 1080 },
});
const chosen = (
  screen: ChosenWindow['screen'],
  on: number | null,
  laneId: string | null = null,
): ChosenWindow => ({
  screen,
  laneId,
  display: on === null ? null : { id: on, label: `display ${on}` },
});
const planned = (
  displays: readonly ConnectedDisplay[],
  windows: readonly ChosenWindow[],
): string[] =>
  planWindows(displays, windows).windows.map(({ screen, display: { id } }) => `${screen} ${id}`);

describe('windows are planned', () => {
  const both = [chosen('cashier', 2), chosen('customer', 1)];
  test.each([
    [
      'a cashier’s on the main display, a customer’s on the other',
      [display(2), display(1)],
      [],
      ['cashier 1', 'customer 2'],
    ],
    ['one display has no customer’s window over the cashier’s', [display(1)], [], ['cashier 1']],
    [
      'by choice a customer’s in the place of a cashier’s',
      [display(1)],
      [chosen('customer', null)],
      ['customer 1'],
    ],
    [
      'on the displays that were chosen',
      [display(1), display(2)],
      both,
      ['cashier 2', 'customer 1'],
    ],
    [
      'with another main display and resolution where they were',
      [display(1, { isMain: false, width: 800 }), display(2, { isMain: true })],
      both,
      ['cashier 2', 'customer 1'],
    ],
    [
      'at another socket by the display’s name',
      [display(1), display(7, { label: 'display 2' })],
      both,
      ['cashier 7', 'customer 1'],
    ],
    [
      'not by a name that two displays have',
      [display(1), display(7, { label: 'display 2' }), display(8, { label: 'display 2' })],
      [chosen('customer', 2), chosen('cashier', 1)],
      ['customer 7', 'cashier 1'],
    ],
    [
      'the cashier’s where the customer’s was, when nothing else is left',
      [display(1)],
      both,
      ['cashier 1'],
    ],
    [
      'each lane on its own display',
      [display(1), display(2)],
      [chosen('cashier', 1, '1'), chosen('cashier', 2, '2')],
      ['cashier 1', 'cashier 2'],
    ],
    [
      'the first lane’s where two would share one',
      [display(1)],
      [chosen('cashier', 1, '1'), chosen('cashier', 2, '2')],
      ['cashier 1'],
    ],
  ])('%s', (_what, displays, windows, expected) => {
    expect(planned(displays, windows)).toEqual(expected);
  });

  test('a window without a display waits for it, and is the same window when it is back', () => {
    const before = planWindows([display(1), display(2)], both).windows;
    const without = planWindows([display(2)], both);
    expect(without.waiting).toEqual([1]);
    expect(planWindows([display(2), display(1)], both).windows).toEqual(before);
  });
});

describe('small windows', () => {
  const small = (
    displays: readonly ConnectedDisplay[],
    screens: readonly ScreenName[] = ['cashier', 'customer', 'demo'],
  ) =>
    planSmallWindows(displays, screens).map(({ screen, bounds: { x, y, width, height } }) => [
      screen,
      x,
      y,
      width,
      height,
    ]);

  test('lie side by side on one display, none over another', () => {
    expect(small([display(1)])).toEqual([
      ['cashier', 0, 0, 640, 768],
      ['customer', 640, 0, 640, 768],
      ['demo', 1280, 0, 640, 768],
    ]);
    expect(small([display(1)], ['setup'])).toEqual([['setup', 0, 0, 1024, 768]]);
  });

  test('leave the customer’s to another display', () => {
    expect(small([display(2), display(1)])).toEqual([
      ['cashier', 0, 0, 960, 768],
      ['customer', 1920, 0, 1024, 768],
      ['demo', 960, 0, 960, 768],
    ]);
  });
});
