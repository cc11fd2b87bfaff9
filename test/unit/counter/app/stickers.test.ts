/**
 * Stickers from a receiver, which is a server with a test's answers here, to the lanes of a
 * counter.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followStickers } from '../../../../main/counter/app/stickers.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Notice } from '../../../../main/core/domain/notices.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { SteadyClock } from '../../support/steady-clock.ts';

const token = 'a-token-of-thirty-two-characters';
let server: Server;
let requests: { url: string | undefined; authorization: string | undefined }[];
type Say = (response: ServerResponse) => void;
/** The answers to the next requests. Each following request is answered as `usual`, or waits. */
let answers: Say[];
let usual: Say | undefined;
let scans: string[];
let notices: Notice[];
let stop: () => void;

const json = (body: object) => (response: ServerResponse) =>
  void response.writeHead(200).end(JSON.stringify(body));
const scan = (about: object = {}) => ({
  msn: '1234567',
  merchantQrId: 'K1',
  customerToken: 'token',
  atMs: 1,
  ...about,
});

beforeEach(async () => {
  [requests, answers, scans, notices] = [[], [], [], []];
  usual = undefined;
  server = createServer(({ url, headers: { authorization } }, response) => {
    requests.push({ url, authorization });
    (answers.shift() ?? usual)?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function follow(): void {
  const keys = {
    clientId: 'x',
    clientSecret: 'y',
    subscriptionKey: 'z',
    merchantSerialNumber: '1234567',
  };
  const lane = (id: string) => ({
    id,
    name: `Till ${id}`,
    currency: 'DKK',
    flow: 'prepare',
    sticker: { id },
    pointOfSale: { merchantPosId: id, name: `Till ${id}` },
    till: { protocol: 'http' },
  });
  const settings = parseSettings(
    {
      wallet: { service: 'epayment', environment: 'test', country: 'DK', ...keys },
      receiver: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token },
      lanes: [lane('K1'), lane('K2')],
    },
    {},
  );
  const lanes = ['K1', 'K2'].map((id) => ({
    naming: { bySticker: (of: string, atMs: number) => void scans.push(`${id} ${of} ${atMs}`) },
  }));
  const board = {
    raise: (notice: Notice) => notices.push(notice),
    settle: () => void (notices = []),
  };
  stop = followStickers(settings, lanes, null, {
    clock: new SteadyClock(20),
    ids: systemIds,
    log: silentLog,
    notices: board,
  });
}

test('a scan goes to the lane of its sticker, and to none when it is of another sales unit or a sticker that nobody has', async () => {
  answers = [
    json({ last: 7, scans: [] }),
    json({
      last: 9,
      scans: [
        scan({ msn: '7654321' }),
        scan({ msn: null }),
        scan({ merchantQrId: 'K3' }),
        scan({ merchantQrId: 'K2', customerToken: 'b' }),
        scan(),
      ],
    }),
  ];
  follow();
  await vi.waitFor(() => expect(requests).toHaveLength(3));
  expect(scans).toEqual(['K2 b 1', 'K1 token 1']);
  expect(requests.map(({ url }) => url)).toEqual(['/follow', '/follow?since=7', '/follow?since=9']);
  expect(requests[0]?.authorization).toBe(`Bearer ${token}`);
});

test.each<[string, Say, RegExp]>([
  [
    'does not know the token',
    (response) => response.writeHead(401).end(),
    /does not know the token/,
  ],
  [
    'is something else',
    (response) => response.writeHead(200).end('<html>'),
    /no callback receiver/,
  ],
  ['says nonsense', json({ last: -1, scans: [{}] }), /no callback receiver/],
  ['hangs up', (response) => response.destroy(), /./],
  [
    'sends its callers elsewhere',
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    /./,
  ],
])('a receiver that %s: managers are told until it answers', async (_what, answer, says) => {
  usual = answer;
  follow();
  await vi.waitFor(() => expect(notices).toMatchObject([{ code: 'receiverAway' }]));
  expect(notices[0]?.detail).toMatch(says);
  answers = [json({ last: 1, scans: [scan()] })];
  usual = undefined;
  await vi.waitFor(() => expect([notices, scans]).toEqual([[], ['K1 token 1']]), {
    timeout: 5_000,
  });
});
