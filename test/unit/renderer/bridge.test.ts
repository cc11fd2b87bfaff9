import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Bridge, type FromPage, socketPath } from '../../../preload/contract.ts';
import { answerMessage, viewMessage, watchMessage } from '../../support/contract-client.ts';
import { everyAnswer } from '../../../preload/described/answers.ts';
import { connect } from '../../../renderer/bridge.ts';

const view = { lanes: [], lane: null, demo: null };
let daemon: WebSocketServer;
let port = 0;
let received: unknown[];
let lines: boolean[];
let bridge: Bridge;

async function startDaemon(): Promise<void> {
  daemon = new WebSocketServer({ port, host: '127.0.0.1', path: socketPath });
  daemon.on('connection', (socket) =>
    socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString()))),
  );
  await new Promise((resolve) => daemon.once('listening', resolve));
  port = (daemon.address() as { port: number }).port;
}
const stopDaemon = (): Promise<void> => {
  for (const socket of daemon.clients) socket.terminate();
  return new Promise((resolve) => daemon.close(() => resolve()));
};
const screen = (): WebSocket => [...daemon.clients][0] as WebSocket;

beforeEach(async () => {
  received = [];
  // The former test's bridge may still report something, which must not reach this test.
  const states: boolean[] = [];
  lines = states;
  port = 0;
  await startDaemon();
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { protocol: 'http:', host: `127.0.0.1:${port}` });
  bridge = connect(everyAnswer);
  bridge.onConnection((connected) => states.push(connected));
  bridge.watch({ screen: 'cashier', laneId: null });
  await vi.waitFor(() =>
    expect(received).toEqual([watchMessage({ screen: 'cashier', laneId: null })]),
  );
});
afterEach(async () => {
  await stopDaemon();
  // The bridge goes on trying to connect, at a port where nobody listens any more.
  vi.unstubAllGlobals();
});

test('a lost line is said at once, and within a second of the daemon’s return it is watched again', async () => {
  await stopDaemon();
  await vi.waitFor(() => expect(lines).toEqual([true, false]));
  await startDaemon();
  await vi.waitFor(() => expect(lines).toEqual([true, false, true]), { timeout: 10_000 });
  await vi.waitFor(() => expect(received).toHaveLength(2));
});

test.each([
  ['not JSON', 'hello'],
  ['not of the contract', JSON.stringify(viewMessage({ lane: 'hacked' }))],
])(
  'what is %s ends the line: nothing after it is shown, and the screen says that it knows nothing',
  async (_what, message) => {
    const views: unknown[] = [];
    bridge.onView((seen) => views.push(seen));
    screen().send(JSON.stringify(viewMessage(view)));
    await vi.waitFor(() => expect(views).toEqual([view]));
    const closed = new Promise((resolve) => screen().once('close', resolve));
    screen().send(message);
    screen().send(JSON.stringify(viewMessage(view)));
    expect(await closed).toBe(4002);
    expect(lines.slice(0, 2)).toEqual([true, false]);
    expect(views).toHaveLength(1);
    await vi.waitFor(() => expect(lines).toEqual([true, false, true]), { timeout: 10_000 });
  },
);

test('the daemon’s version is told on each connection, and when something that it says cannot be read', async () => {
  const versions: unknown[] = [];
  bridge.onVersion((...told) => versions.push(told));
  screen().send(JSON.stringify(viewMessage({ lane: 'of a later version' })));
  await vi.waitFor(() => expect(lines).toEqual([true, false, true]), { timeout: 10_000 });
  expect(versions).toEqual([]);
  screen().send(
    JSON.stringify({ t: 'q', m: 'hello', a: [{ version: '0.2.0', what: 'a later version adds' }] }),
  );
  screen().send(JSON.stringify(viewMessage({ lane: 'of a later version' })));
  await vi.waitFor(() =>
    expect(versions).toEqual([
      ['0.2.0', true],
      ['0.2.0', false],
    ]),
  );
});

/** The id of a call that the daemon has received. */
const idOf = (index: number): string => (received[index] as { i: string }).i;

test('a call gets its own answer, checked; one whose connection breaks is told so', async () => {
  const calls = [
    bridge.ask('session', {}),
    bridge.ask('addManager', { name: 'Ada', pin: '1234' }),
    bridge.ask('signOut', {}),
  ] as const;
  await vi.waitFor(() => expect(received).toHaveLength(4));
  expect(received[2]).toEqual({
    t: 'q',
    i: idOf(2),
    m: 'addManager',
    a: [{ name: 'Ada', pin: '1234' }],
  });
  const refusal = { ok: false, code: 'nameTaken', field: 'name', message: 'is taken', facts: {} };
  screen().send(JSON.stringify(answerMessage(idOf(2), refusal)));
  screen().send(JSON.stringify(answerMessage(idOf(1), { ok: true, value: { managers: 'many' } })));
  expect(await calls[1]).toEqual(refusal);
  expect(await calls[0]).toMatchObject({ ok: false, code: 'failed' });
  screen().terminate();
  expect(await calls[2]).toMatchObject({ ok: false, code: 'disconnected' });
  await vi.waitFor(() => expect(lines.at(-1)).toBe(false));
  expect(await bridge.ask('session', {})).toMatchObject({ ok: false, code: 'disconnected' });
});

test('inside Electron the same messages go over its channel, and are checked too', async () => {
  const sent: FromPage[] = [];
  const channel = {
    listener: (_message: unknown): void => {},
    connection: (_connected: boolean): void => {},
    language: (_language: unknown): void => {},
  };
  vi.stubGlobal('window', {
    tillbeacon: {
      send: (message: FromPage) => sent.push(message),
      onMessage: (listener: (message: unknown) => void) => (channel.listener = listener),
      onLanguage: (listener: (language: unknown) => void) => (channel.language = listener),
      onConnection(listener: (connected: boolean) => void) {
        channel.connection = listener;
        listener(true);
      },
    },
  });
  const views: unknown[] = [];
  const inside = connect(everyAnswer);
  inside.onView((seen) => views.push(seen));
  inside.watch({ screen: 'cashier', laneId: null });
  const answer = inside.ask('signOut', {});
  expect(sent).toMatchObject([
    watchMessage({ screen: 'cashier', laneId: null }),
    { m: 'signOut', a: [{}] },
  ]);
  channel.listener(viewMessage({ lane: 'hacked' }));
  channel.listener(viewMessage(view));
  channel.listener(answerMessage((sent[1] as { i: string }).i, { ok: true, value: {} }));
  expect(await answer).toEqual({ ok: true, value: {} });
  const languages: unknown[] = [];
  inside.onLanguage((language) => languages.push(language));
  for (const language of ['fi', 'xx', {}, undefined, null]) channel.language(language);
  expect(languages).toEqual(['fi', null]);
  expect(views).toEqual([view]);
  channel.connection(false);
  expect(await inside.ask('signOut', {})).toMatchObject({ ok: false, code: 'disconnected' });
  channel.connection(true);
  expect(sent.at(-1)).toMatchObject(watchMessage({ screen: 'cashier', laneId: null }));
});
