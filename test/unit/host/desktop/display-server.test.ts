import { expect, test } from 'vitest';
import {
  canPlaceWindows,
  displayOptions,
  hasXServer,
} from '../../../../main/host/desktop/display-server.ts';

const wayland = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };

test.each([
  [
    'a Wayland session with an X server has the app on X11',
    'linux',
    wayland,
    [],
    true,
    ['--ozone-platform=x11'],
    true,
  ],
  [
    'so has one that only says its type',
    'linux',
    { XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' },
    [],
    true,
    ['--ozone-platform=x11'],
    true,
  ],
  ['one without an X server has it on Wayland, unplaced', 'linux', wayland, [], false, [], false],
  [
    'an X11 session is left as it is',
    'linux',
    { XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' },
    [],
    true,
    [],
    true,
  ],
  [
    'who has chosen Wayland gets it',
    'linux',
    wayland,
    ['--ozone-platform=wayland'],
    true,
    [],
    false,
  ],
  [
    'also in an X11 session',
    'linux',
    { DISPLAY: ':0' },
    ['--ozone-platform=wayland'],
    true,
    [],
    false,
  ],
  ['who has chosen X11 gets it', 'linux', wayland, ['--ozone-platform=x11'], false, [], true],
  ['other systems have neither', 'win32', wayland, [], true, [], true],
] as const)('%s', (_what, platform, environment, args, isThere, options, places) => {
  expect(displayOptions({ platform, environment, args, hasXServer: () => isThere })).toEqual(
    options,
  );
  expect(canPlaceWindows({ platform, environment, args: [...args, ...options] })).toBe(places);
});

test('a variable that names no server is none', () => {
  for (const display of ['', ':99123', 'unix:99123.0', 'nonsense'])
    expect(hasXServer(display), display).toBe(false);
  expect(hasXServer('192.0.2.1:0')).toBe(true);
});
