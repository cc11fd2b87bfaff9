import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { socketPath, type ToPage } from '../../../../preload/contract.ts';
import type { UpdateRow } from '../../../../preload/procedures/health.ts';
import { relayPage } from '../../../../main/host/desktop/relayed-page.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import type { Notice } from '../../../../main/core/domain/notices.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Connection } from '../../../../main/counter/server/connection.ts';
import { callMessage } from '../../../support/contract-client.ts';

const ofApp: UpdateRow = {
  state: 'attention',
  code: 'takenBack',
  version: '1.3.0',
  detail: 'it was not ready within 60 s',
};
let daemon: WebSocketServer;
let page: Connection;
let received: ToPage[];
let appUpdate: UpdateRow | null;
let ownNotices: readonly Notice[];
/** The daemon's answer to every call. */
let answer: Extract<ToPage, { t: 's' }>['r'];

beforeEach(async () => {
  ownNotices = [];
  [received, appUpdate, answer] = [[], ofApp, { ok: true, value: { update: 'of the daemon' } }];
  daemon = new WebSocketServer({ port: 0, host: '127.0.0.1', path: socketPath });
  daemon.on('connection', (socket) =>
    socket.on('message', (data) =>
      socket.send(
        JSON.stringify({
          t: 's',
          i: (JSON.parse((data as Buffer).toString()) as { i: string }).i,
          r: answer,
        }),
      ),
    ),
  );
  await new Promise((resolve) => daemon.once('listening', resolve));
  const { port } = daemon.address() as { port: number };
  await new Promise<void>((resolve) => {
    page = relayPage({
      port,
      thisPc: {},
      ownNotices: () => ownNotices,
      appUpdate: () => appUpdate,
      send: (message) => received.push(message),
      connected: (isConnected) => isConnected && resolve(),
      clock: systemClock,
      log: silentLog,
    });
  });
});
afterEach(async () => {
  page.close();
  for (const socket of daemon.clients) socket.terminate();
  await new Promise((resolve) => daemon.close(resolve));
});

async function ask(procedure: string): Promise<unknown> {
  const before = received.length;
  await page.receive(callMessage('7', procedure, {}));
  await vi.waitFor(() => expect(received.length).toBe(before + 1));
  return received.at(-1);
}

test('the health of a daemon is told with the update of the app that shows it', async () => {
  expect(await ask('health')).toEqual({
    t: 's',
    i: '7',
    r: { ok: true, value: { update: 'of the daemon', appUpdate: ofApp } },
  });
});

test('the health of a daemon is told with what the app knows of this computer, before the daemon’s own notices', async () => {
  appUpdate = null;
  ownNotices = [{ code: 'windowsUnplaced', subject: 'Wayland', detail: null }];
  answer = { ok: true, value: { notices: [{ code: 'testService' }] } };
  expect(await ask('health')).toMatchObject({
    r: {
      value: {
        notices: [
          { code: 'windowsUnplaced', state: 'attention', count: 1 },
          { code: 'testService' },
        ],
      },
    },
  });
});

test('nothing is added where the app is not updated, where health was refused, or to another answer', async () => {
  expect(await ask('day')).toEqual({ t: 's', i: '7', r: answer });
  appUpdate = null;
  expect(await ask('health')).toEqual({ t: 's', i: '7', r: answer });
  [appUpdate, answer] = [
    ofApp,
    { ok: false, code: 'pinNeeded', field: null, message: '', facts: {} },
  ];
  expect(await ask('health')).toEqual({ t: 's', i: '7', r: answer });
  answer = { ok: true, value: {} };
  expect(await ask('day')).toEqual({ t: 's', i: '7', r: answer });
});
