import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  canPlaceWindows,
  displayOptions,
  hasXServer,
} from '../../main/host/desktop/display-server.ts';
import { chromiumPath } from '../support/browser.ts';
import { until } from '../support/processes.ts';

const hasTools = ['weston', 'Xwayland'].every((name) => spawnSync('which', [name]).status === 0);
if (!hasTools)
  process.stdout.write(
    '*** SKIPPED: a Wayland session was NOT tested: install weston and xwayland. ***\n',
  );

let folder: string;
let running: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-wayland-'));
  running = [];
});
afterEach(async () => {
  for (const child of running.toReversed()) {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  running.push(
    spawn(program, args, {
      stdio: 'ignore',
      env: { ...process.env, XDG_RUNTIME_DIR: folder, ...environment },
    }),
  );
}

/** @returns where a window of Chromium is that asked for 600, 200 */
async function placeOf(
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  let place: string | null = null;
  const server = createServer((request, answer) => {
    if (request.url?.startsWith('/at/')) place ??= request.url.slice('/at/'.length);
    answer
      .setHeader('content-type', 'text/html')
      .end('<script>setTimeout(() => fetch(`/at/${screenX},${screenY}`), 1_000)</script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const flags = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`,
  ];
  run(
    chromiumPath(),
    [...flags, '--window-position=600,200', '--window-size=500,400', `--app=${page}`, ...options],
    environment,
  );
  await until(() => place !== null, 'the window to say where it is');
  server.closeAllConnections();
  server.close();
  return place ?? '';
}

test.skipIf(!hasTools)(
  'in a Wayland session, a window is where it should be on X11 alone',
  async () => {
    run('weston', [
      '--backend=headless-backend.so',
      '--shell=kiosk-shell.so',
      '--socket=wayland-t',
      '--width=1920',
      '--height=1080',
      '--idle-time=0',
    ]);
    await until(() => existsSync(join(folder, 'wayland-t')), 'the Wayland server');
    const session = { WAYLAND_DISPLAY: 'wayland-t', DISPLAY: `:${1_000 + (process.pid % 9_000)}` };
    expect(
      displayOptions({ platform: 'linux', environment: session, args: [], hasXServer }),
    ).toEqual([]);
    expect(canPlaceWindows({ platform: 'linux', environment: session, args: [] })).toBe(false);
    expect(await placeOf(['--ozone-platform=wayland'], session)).toBe('0,0');

    mkdirSync('/tmp/.X11-unix', { recursive: true, mode: 0o1777 });
    run('Xwayland', [session.DISPLAY], session);
    await until(() => hasXServer(session.DISPLAY), 'the X server');
    const options = displayOptions({
      platform: 'linux',
      environment: session,
      args: [],
      hasXServer,
    });
    expect(options).toEqual(['--ozone-platform=x11']);
    expect(await placeOf(options, session)).toBe('600,200');
  },
);
