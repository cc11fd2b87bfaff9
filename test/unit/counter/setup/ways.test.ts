import { beforeEach, describe, expect, test } from 'vitest';

import { Settings } from '../../../../main/counter/settings/schema.ts';
import type { SecretSafe } from '../../../../main/support/settings/secrets.ts';
import type { Session } from '../../../../main/counter/server/session.ts';
import { CustomerWaysSetup } from '../../../../main/counter/setup/customer-ways.ts';
import { exportLane } from '../../../../main/counter/setup/lane-file.ts';
import { portViews } from '../../../../main/counter/setup/ports.ts';
import { PortError, type WireListener } from '../../../../main/core/domain/wire.ts';
import type { HttpAnswer, HttpRequest } from '../../../../main/wallets/http/http.ts';
import type { InputOf } from '../../../../preload/procedures.ts';
import {
  waysProcedures,
  type ScannerReport,
  type Ways,
} from '../../../../preload/procedures/setup-ways.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

const token = 'the-token-of-this-counter-0123456789';
const url = 'https://callbacks.example';
const wallet = {
  service: 'epayment',
  environment: 'production',
  country: 'DK',
  clientId: 'e9a70000-0000-4000-8000-000000123456',
  clientSecret: 'simulated-secret',
  subscriptionKey: 'first-subscription',
  merchantSerialNumber: '1234567',
};
const lane = (id: string, about: object = {}): object => ({
  id,
  name: `Check-out ${id}`,
  currency: 'DKK',
  pointOfSale: { merchantPosId: `Shop 1 lane ${id}`, name: `Check-out ${id}` },
  till: { protocol: 'zvt', transport: 'serial', path: `/dev/ttyS${id}` },
  ...about,
});
const two = Settings.parse({ language: 'da', wallet, lanes: [lane('1'), lane('2')] });
const withSticker = Settings.parse({
  wallet,
  receiver: { url, token },
  lanes: [lane('1'), lane('2', { flow: 'prepare', sticker: { id: 'K2' } })],
});
const named: Ways = { flow: 'prepare', customerTypesNumber: false, sticker: null, scanner: null };

const screen: Session = { manager: null };
let settings: Settings | null;
let changes: number;
let safe: SecretSafe | null;
let clock: ManualClock;
let asked: HttpRequest[];
let answers: () => Promise<HttpAnswer> | HttpAnswer;
let line: { listener: WireListener; closed: number } | null;
let opens: () => void;
let setup: CustomerWaysSetup;
beforeEach(() => {
  [settings, changes, safe, clock, asked, line, opens] = [
    two,
    0,
    null,
    new ManualClock(),
    [],
    null,
    () => {},
  ];
  answers = () => ({ status: 200, retryAfterMs: null, body: '{"last":7,"scans":[]}' });
  setup = new CustomerWaysSetup({
    host: {
      settings: () => settings,
      async change(to) {
        const wanted = to(settings);
        Settings.parse(wanted);
        changes += 1;
        settings = wanted;
      },
      get secrets() {
        return { environment: { FOLLOW: token }, safe, folder: '/nowhere' };
      },
    },
    network: {
      clock,
      async send(request) {
        asked.push(request);
        return answers();
      },
    },
    async openSerialWire(_port, listener) {
      opens();
      const open = { listener, closed: 0 };
      line = open;
      return { write: async () => {}, close: async () => void (open.closed += 1) };
    },
    clock,
  });
});

const change = (
  ways: Ways,
  receiver: InputOf<'changeCustomerWays'>['receiver'] = null,
  laneId = '1',
): unknown =>
  setup.handlers.changeCustomerWays?.(
    waysProcedures.changeCustomerWays.input.parse({ laneId, ways, receiver }),
    screen,
  );
const ways = (laneId = '1'): unknown => setup.handlers.customerWays?.({ laneId }, screen);
const tries = async (receiver: InputOf<'tryReceiver'>): Promise<unknown> =>
  setup.handlers.tryReceiver?.(receiver, screen);
const refusedAs = (code: string, field?: string | null, about: object = {}): unknown =>
  expect.objectContaining({ code, ...(field !== undefined && { field }), ...about });

describe('the ways to a lane’s customers', () => {
  test('are kept as the settings have them, and nothing else of them is touched', async () => {
    const whole: Ways = {
      flow: 'prepare',
      customerTypesNumber: true,
      sticker: { kind: 'own', id: 'K1' },
      scanner: { path: '/dev/ttyACM0', baudRate: 19_200 },
    };
    expect(await change(whole, { url, token })).toMatchObject({
      laneId: '1',
      ways: whole,
      receiver: { url },
    });
    expect(settings).toEqual({
      ...two,
      receiver: { url, token },
      lanes: [
        {
          ...two.lanes[0],
          flow: 'prepare',
          customerTypesNumber: true,
          sticker: { id: 'K1' },
          scanner: { path: '/dev/ttyACM0', baudRate: 19_200 },
        },
        two.lanes[1],
      ],
    });
    await change(whole, { url, token: null });
    expect(changes).toBe(1);
    await change(
      { ...named, sticker: { kind: 'printed', beaconId: '123456789012345' } },
      { url, token: null },
    );
    expect(settings?.lanes[0]?.sticker).toEqual({ beaconId: '123456789012345' });
    await change({ flow: 'initiate' });
    expect(settings).toEqual(two);
  });

  test('are told without the token, which is in no export either', async () => {
    settings = withSticker;
    const told = await ways();
    expect(told).toEqual({
      laneId: '1',
      name: 'Check-out 1',
      ways: { flow: 'initiate' },
      receiver: { url },
      freeStickerId: 'tillbeacon-Shop-1-lane-1',
      stickersAt: ['2'],
    });
    expect(JSON.stringify(told)).not.toContain(token);
    expect(Buffer.from(exportLane(settings, '2').content).toString()).not.toContain(token);
    expect(
      JSON.stringify(
        waysProcedures.changeCustomerWays.records?.({
          laneId: '1',
          ways: named,
          receiver: { url, token },
        }),
      ),
    ).not.toContain(token);
  });

  test('suggest no sticker that another lane has', async () => {
    await change(
      { ...named, sticker: { kind: 'own', id: 'TILLBEACON-shop-1-lane-1' } },
      { url, token },
      '2',
    );
    expect(await ways()).toMatchObject({ freeStickerId: 'tillbeacon-Shop-1-lane-1-2' });
  });

  test('take the check-in before the amount away with the sticker', async () => {
    settings = Settings.parse({
      ...withSticker,
      lanes: [lane('1', { flow: 'prepare', sticker: { id: 'K1' }, checkInFirst: true })],
    });
    await change({ ...named, sticker: { kind: 'own', id: 'K3' } }, { url, token: null });
    expect(settings.lanes[0]?.checkInFirst).toBe(true);
    await change(named);
    expect(settings.lanes[0]?.checkInFirst).toBe(false);
  });

  test.each<[string, Settings, Ways, InputOf<'changeCustomerWays'>['receiver'], unknown]>([
    [
      'a sticker without a receiver',
      two,
      { ...named, sticker: { kind: 'own', id: 'K1' } },
      null,
      refusedAs('receiverMissing', 'ways.sticker', {
        message: 'needs receiver: a scan reaches this counter through a callback receiver alone',
      }),
    ],
    [
      'no receiver while another lane has a sticker',
      withSticker,
      named,
      null,
      refusedAs('receiverNeeded', 'receiver', { facts: { laneId: '2' } }),
    ],
    [
      'another lane’s sticker',
      withSticker,
      { ...named, sticker: { kind: 'own', id: 'k2' } },
      { url, token: null },
      refusedAs('stickerTaken', 'ways.sticker', { facts: { laneId: '2' } }),
    ],
    [
      'the port of another lane’s till',
      two,
      { ...named, scanner: { path: '/dev/ttyS2', baudRate: 9600 } },
      null,
      refusedAs('portUsed', 'ways.scanner.path', { facts: { laneId: '2' } }),
    ],
    [
      'the port of its own till',
      two,
      { ...named, scanner: { path: '/dev/ttyS1', baudRate: 9600 } },
      null,
      refusedAs('portUsed', 'ways.scanner.path', { facts: { laneId: '1' } }),
    ],
    [
      'another address without its token',
      withSticker,
      named,
      { url: 'https://other.example', token: null },
      refusedAs('tokenMissing', 'token'),
    ],
  ])('refuse %s, and change nothing', async (_what, before, wanted, receiver, refusal) => {
    settings = before;
    await expect(change(wanted, receiver)).rejects.toEqual(refusal);
    expect([changes, settings]).toEqual([0, before]);
  });

  test('are of the ePayment service alone, and of lanes that there are', async () => {
    await expect(change(named, null, '9')).rejects.toEqual(refusedAs('notFound'));
    settings = null;
    expect(() => ways()).toThrow(expect.objectContaining({ code: 'notHere' }));
    settings = Settings.parse({
      wallet: { simulator: true },
      lanes: [
        {
          ...lane('1'),
          pointOfSale: {
            merchantPosId: 'x',
            name: 'x',
            storeId: '51050000-0000-4000-8000-000000000001',
          },
        },
      ],
    });
    expect(() => ways()).toThrow(expect.objectContaining({ code: 'notHere' }));
  });

  test.each<[string, object, string]>([
    [
      'ways.sticker.id',
      { ways: { ...named, sticker: { kind: 'own', id: 'two words' } } },
      'must be 1 to 64 letters, digits and the signs . _ ~ -',
    ],
    [
      'ways.sticker.beaconId',
      { ways: { ...named, sticker: { kind: 'printed', beaconId: '1234' } } },
      'must be 15 digits or a UUID',
    ],
    ['ways.scanner.path', { ways: { ...named, scanner: { path: ' ' } } }, 'must not be empty'],
    [
      'receiver.url',
      { receiver: { url: 'http://callbacks.example', token } },
      'must begin with https://',
    ],
    [
      'receiver.token',
      { receiver: { url, token: 'short' } },
      'must be 32 to 200 letters, digits and . _ ~ + / = -',
    ],
  ])('name %s where it breaks its rule', (field, about, rule) => {
    const [issue] =
      waysProcedures.changeCustomerWays.input.safeParse({
        laneId: '1',
        ways: named,
        receiver: null,
        ...about,
      }).error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([field, expect.stringContaining(rule)]);
  });
});

describe('the receiver’s token', () => {
  test('is sealed where that is possible, and stays what it was where none is typed', async () => {
    safe = { seal: () => 'c2VhbGVk', open: () => token };
    await change(named, { url, token });
    expect(settings?.receiver).toEqual({ url, token: { sealed: 'c2VhbGVk' } });
    settings = { ...two, receiver: { url, token: { env: 'FOLLOW' } } };
    await change(named, { url, token: null });
    expect(settings.receiver).toEqual({ url, token: { env: 'FOLLOW' } });
  });

  test('is tried as a counter asks, and goes to no other address', async () => {
    settings = { ...two, receiver: { url, token: { env: 'FOLLOW' } } };
    expect(await tries({ url, token: null })).toEqual({});
    expect(asked).toMatchObject([
      { method: 'GET', url: `${url}/follow`, headers: { authorization: `Bearer ${token}` } },
    ]);
    await expect(tries({ url: 'https://elsewhere.example', token: null })).rejects.toEqual(
      refusedAs('tokenMissing', 'token'),
    );
    settings = { ...two, receiver: { url, token: { env: 'ABSENT' } } };
    await expect(tries({ url, token: null })).rejects.toEqual(refusedAs('tokenMissing', 'token'));
    expect(asked).toHaveLength(1);
  });

  const status =
    (code: number, body = '') =>
    (): HttpAnswer => ({ status: code, retryAfterMs: null, body });
  const failing = (code: string) => (): never => {
    throw new Error('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  };
  test.each<[string, () => HttpAnswer, string, string | null]>([
    ['does not know the token', status(401), 'receiverRefused', 'token'],
    ['is another page', status(200, '<html>'), 'notAReceiver', 'url'],
    ['knows no such path', status(404), 'notAReceiver', 'url'],
    ['has a fault', status(503), 'serviceFailing', 'url'],
    ['is not listening', failing('ECONNREFUSED'), 'connectionRefused', 'url'],
    ['has no such name', failing('ENOTFOUND'), 'hostNotFound', 'url'],
    ['is nobody to trust', failing('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificateWrong', 'url'],
    ['is the proxy, which wants a password', failing('PROXY_407'), 'proxyLogin', null],
    ['is the proxy, which lets nobody through', failing('PROXY_403'), 'proxyRefused', null],
    ['is a proxy that is away', failing('PROXY_AWAY_ECONNREFUSED'), 'proxyAway', null],
    ['hangs up', failing('ECONNRESET'), 'notAReceiver', 'url'],
  ])('is refused with the real reason where who answers %s', async (_what, answer, code, field) => {
    answers = answer;
    await expect(tries({ url, token })).rejects.toEqual(
      refusedAs(code, field, { facts: expect.objectContaining({ host: 'callbacks.example' }) }),
    );
  });

  test('is not waited for without an end', async () => {
    answers = () => new Promise(() => {});
    setup = new CustomerWaysSetup({
      host: {
        settings: () => settings,
        change: async () => {},
        secrets: { environment: {}, safe, folder: '/' },
      },
      network: {
        clock,
        send: (_request, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          ),
      },
      openSerialWire: () => Promise.reject(new Error('none')),
      clock,
    });
    const trial = expect(tries({ url, token })).rejects.toEqual(refusedAs('noAnswer', 'url'));
    await clock.pass(30_000);
    await trial;
  });
});

describe('what a scanner reads', () => {
  const code = 'https://qr.vipps.no/p/abcdefgh9f3a';
  const listen = async (path = '/dev/ttyACM0'): Promise<ScannerReport> =>
    (await setup.handlers.listenToScanner?.({ path, baudRate: 9600 }, screen)) as ScannerReport;
  const heard = (): ScannerReport => setup.handlers.scannerHeard?.({}, screen) as ScannerReport;
  const scan = (text: string): void => line?.listener.data(Buffer.from(`${text}\r\n`, 'latin1'));

  test('is told by its end alone, once for each time', async () => {
    expect(await listen()).toEqual({ state: 'listening', problem: null, detail: null, read: null });
    scan(code);
    scan(code);
    expect(heard().read).toEqual({
      masked: '••••9f3a',
      characters: code.length,
      what: 'customer',
      count: 2,
    });
    expect(JSON.stringify(heard())).not.toContain('abcdefgh');
    scan('57123456');
    expect(heard().read).toEqual({ masked: '••••', characters: 8, what: 'other', count: 3 });
    scan('\xfe\x80\xe6\xf8');
    expect(heard().read).toMatchObject({ what: 'garbled', masked: '••••' });
  });

  test('is awaited at a port that is not there yet, or is gone', async () => {
    opens = () => {
      throw new PortError('absent', '/dev/ttyACM0 is not there');
    };
    expect(await listen()).toMatchObject({
      state: 'opening',
      problem: 'absent',
      detail: '/dev/ttyACM0 is not there',
    });
    opens = () => {};
    await clock.pass(1_000);
    expect(heard().state).toBe('listening');
    const lost = line;
    lost?.listener.lost('unplugged');
    await settled();
    expect([heard().problem, lost?.closed]).toEqual(['absent', 1]);
    await clock.pass(1_000);
    expect([heard().state, line === lost]).toEqual(['listening', false]);
  });

  test('is nobody’s once nobody asks, and the port is free', async () => {
    await listen();
    await clock.pass(30_000);
    expect([heard().state, line?.closed]).toEqual(['stopped', 1]);
    await listen('/dev/ttyACM1');
    await setup.handlers.stopScanner?.({}, screen);
    expect([heard().state, line?.closed]).toEqual(['stopped', 1]);
  });

  test('is not listened to at a port in use, which is listed with what has it', async () => {
    settings = Settings.parse({
      ...two,
      lanes: [lane('1'), lane('2', { flow: 'prepare', scanner: { path: '/dev/ttyACM0' } })],
    });
    await expect(listen()).rejects.toEqual(
      refusedAs('portUsed', 'path', { facts: { laneId: '2' } }),
    );
    await expect(listen('/dev/ttyS1')).rejects.toEqual(
      refusedAs('portUsed', 'path', { facts: { laneId: '1' } }),
    );
    expect(line).toBeNull();
    const port = (path: string) => ({
      path,
      name: path,
      manufacturer: null,
      serialNumber: null,
      vendorId: null,
      productId: null,
    });
    const listed = portViews(
      ['/dev/ttyACM0', '/dev/ttyS1', '/dev/ttyS9'].map(port),
      new Set(),
      settings.lanes,
    );
    expect(listed.map(({ laneId, device }) => [laneId, device])).toEqual([
      ['2', 'scanner'],
      ['1', 'till'],
      [null, null],
    ]);
  });
});
