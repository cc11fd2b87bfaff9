import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { type LaneView, socketPath } from '../../../../preload/contract.ts';
import { type DaemonClient, daemonClient } from '../../../../main/host/desktop/daemon-client.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { cashierStates, unsettledMoney } from '../../../support/cashier-states.ts';
import { viewMessage } from '../../../support/contract-client.ts';
import { quietLane } from '../../../support/quiet-lane.ts';

let daemon: WebSocketServer;
let client: DaemonClient;
/** The daemon's view of each lane. A lane that is left out has none. */
let lanes: Readonly<Record<string, Partial<LaneView>>>;
let names: readonly string[];
let errors: string[];

const lane = (laneId: string, about: Partial<LaneView>): LaneView => ({
  ...quietLane,
  laneId,
  name: laneId,
  ...about,
});

beforeEach(async () => {
  [lanes, names, errors] = [{ '1': {} }, ['1'], []];
  daemon = new WebSocketServer({ port: 0, host: '127.0.0.1', path: socketPath });
  daemon.on('connection', (socket) =>
    socket.on('message', (data) => {
      const [watched] = (
        JSON.parse((data as Buffer).toString()) as { a: [{ laneId: string | null }] }
      ).a;
      const id = watched.laneId ?? names[0] ?? '';
      if (names.length === 0)
        socket.send(JSON.stringify(viewMessage({ lanes: [], lane: null, demo: null })));
      const about = lanes[id];
      if (about !== undefined)
        socket.send(
          JSON.stringify(
            viewMessage({
              lanes: names.map((laneId) => ({ laneId, name: laneId })),
              lane: lane(id, about),
              demo: null,
            }),
          ),
        );
    }),
  );
  await new Promise((resolve) => daemon.once('listening', resolve));
});
afterEach(async () => {
  await client.close();
  for (const socket of daemon.clients) socket.terminate();
  await new Promise((resolve) => daemon.close(resolve));
});

function connect(): void {
  const { port } = daemon.address() as { port: number };
  const log = {
    ...silentLog,
    error: (_facts: object, message: string) => void errors.push(message),
  };
  client = daemonClient({
    port,
    thisPc: {},
    ownNotices: () => [],
    appUpdate: () => null,
    onSetUp() {},
    clock: systemClock,
    log,
  });
}
const isKnown = (): Promise<unknown> =>
  vi.waitFor(() => expect(client.lanes()).toHaveLength(Object.keys(lanes).length));

const busy: Readonly<Record<string, Partial<LaneView>>> = {
  'a payment is under way': { state: cashierStates.waitingForCustomer },
  'a payment is being cancelled': { state: cashierStates.mayLeave },
  'the lane takes no payments': { state: cashierStates.notReady },
  'a refund is under way': {
    refund: {
      kind: 'refunding',
      saleId: cashierStates.paid.saleId,
      refundOrderId: 'a',
      amountMinor: 1,
      currency: 'DKK',
    },
  },
  'money is not settled': { unsettled: unsettledMoney(0) },
};
test.each(Object.entries(busy))(
  'a version of the app is not tried while %s, on any lane',
  async (_what, about) => {
    names = ['1', '2'];
    lanes = { '1': {}, '2': about };
    connect();
    await isKnown();
    expect(client.isQuiet()).toBe(false);
  },
);

test('it is tried when nothing is, also beside money that waits for a person', async () => {
  names = ['1', '2'];
  lanes = {
    '1': { state: cashierStates.paid },
    '2': { unsettled: unsettledMoney(0).map((one) => ({ ...one, needsPerson: true })) },
  };
  connect();
  expect([client.isQuiet(), client.isAnswered()]).toEqual([false, false]);
  await isKnown();
  expect([client.isQuiet(), client.isAnswered()]).toEqual([true, true]);
});

test('it is not tried before every lane has said how it is, or when the daemon does not answer', async () => {
  names = ['1', '2'];
  connect();
  await isKnown();
  expect(client.isQuiet()).toBe(false);
  for (const socket of daemon.clients) socket.terminate();
  await vi.waitFor(() => expect(client.lanes()).toBeNull());
  expect(client.isQuiet()).toBe(false);
});

test('it is not tried before the daemon is set up', async () => {
  [names, lanes] = [[], {}];
  connect();
  await isKnown();
  expect([client.isQuiet(), client.isAnswered()]).toEqual([false, true]);
});

test('it is tried where the daemon is of a version that this one cannot read: its screens show nothing', async () => {
  lanes = { '1': { service: 'of a later version' as never } };
  connect();
  await vi.waitFor(() => expect(client.isQuiet()).toBe(true));
  expect([client.isAnswered(), client.lanes()]).toEqual([false, null]);
  expect(errors).toEqual([
    'the daemon has a version that this app cannot read: update the app; its screens stay empty until then',
  ]);
});
