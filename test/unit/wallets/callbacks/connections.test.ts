import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  type Connections,
  paceConnections,
} from '../../../../main/wallets/callbacks/connections.ts';

let server: Server;
let connections: Connections;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  most = 10,
): Promise<void> {
  server = createServer(serve);
  connections = paceConnections(server, most);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
function open(text = '') {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  socket.on('data', (data) => (heard += data.toString()));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (text !== '') socket.write(text);
  return { socket, heard: () => heard, closed };
}
const answer = (_request: IncomingMessage, response: ServerResponse): void =>
  void response.end('ok');
const request = (path = '/', body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of all connections together two kilobytes are read in a turn of the loop', async () => {
  let requests = 0;
  await listen((incoming, response) => {
    requests += 1;
    answer(incoming, response);
  });
  const each = 2_000;
  const all = [open(), open(), open()];
  await Promise.all(
    all.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))),
  );
  for (const { socket } of all) socket.write(request().repeat(each));
  let most = 0;
  while (requests < all.length * each) {
    const before = requests;
    await turn();
    most = Math.max(most, requests - before);
  }
  // A request may have begun in the turn before.
  expect(most).toBeLessThanOrEqual(2_048 / request().length + 1);
  await expect
    .poll(() => all.map(({ heard }) => heard().split('HTTP/1.1 200').length - 1))
    .toEqual(all.map(() => each));
});

test('who has shown credentials brings more at once', async () => {
  const turnsFor = async (isKnown: boolean): Promise<number> => {
    let turns = 0;
    let isOver = false;
    await listen((incoming, response) => {
      if (isKnown) connections.hold(incoming);
      incoming.resume().once('end', () => {
        isOver = true;
        response.end();
      });
    });
    open(request('/', 'x'.repeat(1_000_000)));
    while (!isOver) {
      await turn();
      turns += 1;
    }
    return turns;
  };
  expect(await turnsFor(false)).toBeGreaterThan(1_000_000 / 2_048);
  server.closeAllConnections();
  server.close();
  expect(await turnsFor(true)).toBeLessThan(1_000_000 / 2_048 / 2);
});

test('bodies of any length arrive whole, whoever closes first', async () => {
  const body = Array.from({ length: 50_000 }, (_, index) => String(index)).join();
  await listen((incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
    incoming.once('end', () => response.end(String(text === body)));
  });
  const stays = open(request('/', body));
  const leaves = open();
  leaves.socket.end(request('/', body));
  await expect
    .poll(() => [stays.heard().endsWith('true'), leaves.heard().endsWith('true')])
    .toEqual([true, true]);
  await leaves.closed;
});

test('a sender waits while nobody reads what it sends', async () => {
  const held: IncomingMessage[] = [];
  await listen((incoming) => void held.push(incoming));
  const { socket } = open(request('/', 'x'.repeat(20_000_000)));
  await expect.poll(() => held.length).toBe(1);
  for (let turns = 0; turns < 20_000 && socket.writableLength > 0; turns += 1) await turn();
  const [unread] = held as [IncomingMessage];
  expect(unread.readableLength + unread.socket.readableLength).toBeLessThan(1_000_000);
  expect(socket.writableLength).toBeGreaterThan(0);
});

test('a sender that does not close after its last answer is closed', async () => {
  let isOver = false;
  await listen((incoming, response) => {
    incoming.socket.once('close', () => (isOver = true));
    response.setHeader('connection', 'close').end();
  });
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  sockets.push(socket.on('error', () => {}).resume());
  socket.write(request());
  await expect.poll(() => isOver).toBe(true);
});

test('a connection that breaks is over on both sides', async () => {
  const over: string[] = [];
  let begun = 0;
  await listen((incoming) => {
    begun += 1;
    incoming.once('error', () => over.push('request'));
    incoming.socket.once('close', () => over.push('connection'));
  });
  const { socket } = open(request('/', 'x'.repeat(100)).slice(0, -50));
  await expect.poll(() => begun).toBe(1);
  socket.resetAndDestroy();
  await expect.poll(() => over.toSorted()).toEqual(['connection', 'request']);
});

test('when there are as many as may be, the one that has shown nothing for longest makes room', async () => {
  await listen(answer, 3);
  const silent = open();
  const dripping = open('POST / HTTP/1.1\r\n');
  const idle = open(request());
  await expect.poll(idle.heard).toMatch(/ok$/);
  expect(silent.socket.destroyed).toBe(false);
  const next = open(request());
  await expect.poll(next.heard).toMatch(/ok$/);
  await silent.closed;
  expect([dripping.socket.destroyed, idle.socket.destroyed]).toEqual([false, false]);
});

test('one that is held never makes room, and when all are held the new one goes', async () => {
  const releases: (() => void)[] = [];
  const responses: ServerResponse[] = [];
  await listen((incoming, response) => {
    releases.push(connections.hold(incoming));
    responses.push(response);
  }, 2);
  const [first, second] = [open(request()), open(request())];
  await expect.poll(() => responses.length).toBe(2);
  const third = open(request());
  await third.closed;
  expect([first.socket.destroyed, second.socket.destroyed, third.heard()]).toEqual([
    false,
    false,
    '',
  ]);
  for (const response of responses) response.end('ok');
  for (const release of releases) release();
  await expect
    .poll(() => [first.heard(), second.heard()].every((text) => text.endsWith('ok')))
    .toBe(true);
  const fourth = open(request());
  await expect.poll(() => responses.length).toBe(3);
  expect(fourth.socket.destroyed).toBe(false);
});
